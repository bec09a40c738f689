// Python in colours: enough to read a script, line by line.

export type Piece = { text: string; kind: '' | 'comment' | 'text' | 'word' | 'number' };

const WORDS = new Set(
  'and as assert async await break class continue def del elif else except exec finally for from global if import in is lambda nonlocal not or pass print raise return try while with yield None True False self'.split(' '),
);
// Texts of several lines first; what is not closed goes on to the end.
const PARTS = /('''|""")[\s\S]*?(?:\1|$)|(['"])(?:\\.|(?!\2)[^\\\n])*(?:\2|(?=\n)|$)|#[^\n]*|\b\d[\w.]*|[A-Za-z_]\w*/g;

/** The lines of a script, each in pieces. */
export function lines(script: string): Piece[][] {
  const all: Piece[][] = [[]];
  const add = (text: string, kind: Piece['kind']) => {
    for (const [at, part] of text.split('\n').entries()) {
      if (at) all.push([]);
      if (part) all.at(-1)!.push({ text: part, kind });
    }
  };
  let end = 0;
  for (const found of script.matchAll(PARTS)) {
    const [text] = found;
    const first = text[0]!;
    const kind = first === '#' ? 'comment' : first === '"' || first === "'" ? 'text' : /\d/.test(first) ? 'number' : WORDS.has(text) ? 'word' : '';
    if (!kind) continue;
    add(script.slice(end, found.index), '');
    add(text, kind);
    end = found.index + text.length;
  }
  add(script.slice(end), '');
  return all;
}
