// A conversation with the robot, made of the lines of it.

import type { NearRule, RulePlace } from '../trace';
import type { Line } from '../wire.svelte';

/** The number of the line in the trace, and nanoseconds. */
type At = { n: number; t: number };
/** Something that is set: a variable, which sub-rules are open, which topic has the focus. */
export type Step = At & { kind: 'step'; of: 'variable' | 'scope' | 'focus' | 'event'; name: string; value: string };
/** What somebody says to the robot. It `waits` if the dialog has not heard it yet. */
export type Heard = At & { kind: 'heard'; text: string; said: number; waits: boolean; recognized: string };
/** What the robot says, and by which rule. */
export type Reply = At & {
  kind: 'reply';
  path: string;
  rule?: RulePlace;
  captures: string[];
  words: number;
  wild: number;
  sentences: (At & { text: string })[];
  unsayable: boolean;
};
export type Miss = At & { kind: 'miss'; near: NearRule[]; of: Heard | undefined };
export type Entry = Step | Heard | Reply | Miss;

export const placeOf = (rule: RulePlace): string => `${rule.file || rule.topic}:${rule.line}`;

/** The entries in their order: a sentence stands where the dialog hears it, for while the robot speaks it waits. */
export function conversation(lines: Line[]): Entry[] {
  const entries: Entry[] = [];
  /** What was said and no dialog has heard yet. */
  const said: Heard[] = [];
  /** The sentences by the lines in which they were said. */
  const bySaid = new Map<number, Heard>();
  let reply: Reply | undefined;
  /** What a box says by itself. */
  let spoken: Reply | undefined;
  /** What the dialog has heard last. */
  let last: Heard | undefined;
  /** Whether a dialog has heard anything: without one nothing waits for it. */
  let listens = false;
  /** Answers of dialogs whose act has not come: it is the same sentence. */
  let unspoken: { n: number; text: string }[] = [];

  const answers = (at: At, path: string, rule?: RulePlace): Reply => {
    reply = { ...at, kind: 'reply', path, rule, captures: [], words: 0, wild: 0, sentences: [], unsayable: false };
    entries.push(reply);
    return reply;
  };
  const hears = (at: At, text: string): Heard => {
    const heard: Heard = { ...at, kind: 'heard', text, said: at.t, waits: false, recognized: '' };
    entries.push(heard);
    return heard;
  };

  for (const line of lines) {
    const [at, path] = [{ n: line.n, t: line.t }, line.path ?? ''];
    if (line.kind === 'control' && line.what === 'hear') {
      const heard = hears(at, line.details.text.trim());
      said.push(heard);
      bySaid.set(at.n, heard);
    } else if (line.kind === 'event') {
      const word = Array.isArray(line.value) ? line.value[0] : undefined;
      const of = bySaid.get(line.cause);
      // A word that is spotted stands between `<...>`.
      if (typeof word === 'string' && of) of.recognized = word.replaceAll('<...>', '').trim();
    } else if (line.kind === 'act') {
      const { text } = line;
      const known = unspoken.findIndex((one) => one.text === text || one.n + 1 === at.n);
      if (known >= 0) unspoken = unspoken.slice(known + 1);
      else if (text) {
        if (!spoken || entries.at(-1) !== spoken || spoken.path !== path) {
          const goesOn = reply;
          spoken = answers(at, path);
          reply = goesOn;
        }
        spoken.sentences.push({ ...at, text });
      }
    } else if (line.kind === 'dialog') {
      switch (line.what) {
        case 'heard': {
          listens = true;
          reply = undefined;
          const first = said.findIndex((one) => one.text === line.text);
          // Sentences are heard in their order: those before it are heard by no dialog any more.
          const before = first < 0 ? undefined : said.splice(0, first + 1).at(-1);
          if (before && entries.at(-1) === before) {
            last = before;
            last.t = at.t;
            break;
          }
          const heard = (last = hears(at, line.text));
          if (before) {
            entries.splice(entries.indexOf(before), 1);
            [heard.said, heard.recognized] = [before.said, before.recognized];
          }
          break;
        }
        case 'matched': {
          const { captures = [], words = 0, wild = 0 } = line;
          Object.assign(answers(at, path, line.rule), { captures, words, wild });
          break;
        }
        case 'unsayable':
          if (reply?.rule && placeOf(reply.rule) === placeOf(line.rule)) reply.unsayable = true;
          else answers(at, path, line.rule).unsayable = true;
          break;
        case 'not_understood':
          reply = undefined;
          entries.push({ ...at, kind: 'miss', near: line.near ?? [], of: last });
          break;
        case 'missed':
          entries.push({ ...at, kind: 'step', of: 'event', name: 'missed event', value: line.key });
          break;
        case 'answer':
          (reply ?? answers(at, path)).sentences.push({ ...at, text: line.text });
          unspoken.push({ n: at.n, text: line.text });
          break;
        case 'variable':
          entries.push({ ...at, kind: 'step', of: 'variable', name: `$${line.key}`, value: typeof line.value === 'string' ? line.value : JSON.stringify(line.value) });
          break;
        case 'scope':
          entries.push({ ...at, kind: 'step', of: 'scope', name: line.rule ? 'sub-rules open' : 'sub-rules closed', value: line.rule ? `${placeOf(line.rule)} ${line.rule.head}` : '' });
          break;
        case 'focus':
          entries.push({ ...at, kind: 'step', of: 'focus', name: line.topic ? 'focus' : 'no topic has the focus', value: line.topic ?? '' });
          break;
      }
    }
  }
  if (listens) for (const one of said) one.waits = true;
  // What speech recognition has understood needs no rule.
  return entries.filter((one) => one.kind !== 'miss' || one.near.length || !one.of?.recognized);
}
