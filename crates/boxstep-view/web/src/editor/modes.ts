// Small modes of the texts beside scripts: topics in QiChat, characters in YAML, tests in TOML.

import { StreamLanguage, type StringStream } from '@codemirror/language';

type Rules = [RegExp, string | null][];

/** A language whose words are told apart by what they begin with. */
const simple = (name: string, rules: Rules, comment: string) =>
  StreamLanguage.define({
    name,
    token(stream: StringStream) {
      if (stream.eatSpace()) return null;
      for (const [pattern, style] of rules) {
        if (stream.match(pattern)) return style;
      }
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: comment } },
  });

const qichat = simple(
  'qichat',
  [
    [/^#.*/, 'comment'],
    [/^(topic|language|include|description|overload|concept|dynamic|pronunciation|def|recover)(?=\s*:)/, 'keyword'],
    [/^(u\d?|c\d|e\d|l|s|proposal)(?=\s*:)/, 'keyword'],
    [/^e:[\w/.-]+/, 'def'],
    [/^\\[^\\\n]*\\/, 'meta'],
    [/^~[\w/-]+/, 'def'],
    [/^\^[\w]+/, 'def'],
    [/^\$[\w/.-]+/, 'number'],
    [/^%[\w-]+/, 'meta'],
    [/^_(?=[[~*(\w"])/, 'number'],
    [/^[[\](){}*!]/, 'bool'],
    [/^"/, 'string'],
    [/^[^\s"[\](){}*!~^$%\\_#]+/, null],
  ],
  '#',
);

const yaml = simple(
  'yaml',
  [
    [/^#.*/, 'comment'],
    [/^"(?:[^"\\]|\\.)*"|^'(?:[^']|'')*'/, 'string'],
    [/^\$[\w.-]+/, 'def'],
    [/^(true|false|null|~)(?=[\s,\]}]|$)/, 'bool'],
    [/^-?\d+(\.\d+)?(?=[\s,\]}]|$)/, 'number'],
    [/^[^\s#"'[\]{},:][^#[\]{},:]*(?=:(\s|$))/, 'keyword'],
    [/^[^\s#[\]{},:]+/, null],
  ],
  '#',
);

const toml = simple(
  'toml',
  [
    [/^#.*/, 'comment'],
    [/^\[\[?[^\]]*\]\]?(?=\s*(#|$))/, 'def'],
    [/^"""[\s\S]*|^"(?:[^"\\]|\\.)*"|^'[^']*'/, 'string'],
    [/^[\w.-]+(?=\s*=)/, 'keyword'],
    [/^(true|false)\b/, 'bool'],
    [/^[-+]?\d[\d_.:T-]*/, 'number'],
  ],
  '#',
);

export const MODES = { qichat, yaml, toml };
