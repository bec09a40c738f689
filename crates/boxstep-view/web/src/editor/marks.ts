// What is marked in a script.

/** A line that is marked, and why in words. */
export type Mark = { line: number; kind: 'failed' | 'waits' | 'shown'; note?: string };

/** A finding in the gutter. */
export type Problem = { line: number; severity: 'error' | 'warning' | 'info'; message: string };

/** The calls of a script that have no reply yet, and its methods that have not returned. */
export type Doing = { methods: { method: string }[]; calls: { service: string; method: string; line?: number }[] };

/** The lines to mark: a method that waits in no call that is known is marked where it is defined. */
export function waitsOf({ methods, calls }: Doing, text: string): Mark[] {
  const lines = new Map<number, string[]>();
  const add = (line: number, words: string) => lines.set(line, [...(lines.get(line) ?? []), words]);
  for (const { line, service, method } of calls) if (line) add(line, `${service}.${method}`);
  const marks: Mark[] = [...lines].map(([line, calls]) => ({ line, kind: 'waits', note: `⧗ no reply yet: ${calls.join(', ')}` }));
  const source = text.split('\n');
  for (const method of new Set(methods.map((one) => one.method))) {
    const start = source.findIndex((line) => new RegExp(`^\\s*(async\\s+)?def\\s+${method}\\s*\\(`).test(line)) + 1;
    if (!start) continue;
    const indent = (line: string) => line.search(/\S/);
    const rest = source.slice(start).findIndex((line) => line.trim() && indent(line) <= indent(source[start - 1]!));
    const end = rest < 0 ? source.length : start + rest;
    if (![...lines.keys()].some((line) => line > start && line <= end)) marks.push({ line: start, kind: 'waits', note: '⧗ has not returned' });
  }
  return marks;
}

/** What a text is written in. */
export type Language = 'python' | 'qichat' | 'yaml' | 'toml';
