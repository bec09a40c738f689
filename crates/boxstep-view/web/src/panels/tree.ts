// Behaviors of a character, or boxes, as rows of a tree.

import type { Behavior, Span } from '../wire.svelte';

export type Row = {
  key: string;
  /** The name of a behavior; of a box the last part of its path. */
  name: string;
  path: string;
  is: string;
  depth: number;
  state: 'runs' | 'stops' | 'waits' | 'loads' | 'scope' | 'out';
  /** Since when, nanoseconds. */
  since: number | null;
  runs: number;
  delegates: boolean;
};

/** Each behavior below the one that may give it control; one with several parents is below each. */
export function behaviorRows(all: Behavior[]): Row[] {
  const byName = new Map(all.map((one) => [one.name, one]));
  const inner = new Set(all.flatMap((one) => one.children));
  const rows: Row[] = [];
  const add = (one: Behavior, depth: number, way: string[]) => {
    rows.push({ key: `${way.join('\t')}\t${one.name}`, name: one.name, path: one.path, is: one.is, depth, ...stateOf(one), runs: one.runs, delegates: true });
    // What is damaged must not go round, nor grow without end.
    if (way.includes(one.name) || rows.length > 5000) return;
    for (const child of one.children) {
      const next = byName.get(child);
      if (next) add(next, depth + 1, [...way, one.name]);
    }
  };
  for (const one of all) if (!inner.has(one.name)) add(one, 0, []);
  // A circle has no beginning.
  if (!rows.length) for (const one of all) add(one, 0, []);
  return rows;
}

function stateOf(one: Behavior): Pick<Row, 'state' | 'since'> {
  if (one.active !== null) return { state: 'runs', since: one.active };
  if (one.winds_down !== null) return { state: 'stops', since: one.winds_down };
  if (one.waits !== null) return { state: 'waits', since: one.waits };
  if (one.phase === 'entering' || one.phase === 'leaving') return { state: 'loads', since: null };
  return { state: one.phase === 'in' ? 'scope' : 'out', since: null };
}

type Bar = { path: string; delegates: boolean; spans: Span[] };

/** Boxes that have run, each below the next one around it that has, too. */
export function boxRows(bars: Bar[], t: number, nameOf: (path: string) => string | undefined): Row[] {
  const boxes = bars.filter((bar) => !bar.delegates).sort((a, b) => order(a.path, b.path));
  const way: string[] = [];
  return boxes.map(({ path, spans }) => {
    while (way.length && !path.startsWith(`${way.at(-1)!}/`)) way.pop();
    const depth = way.length;
    way.push(path);
    const now = spans.find((span) => span[4] === 1 && span[1] <= t && (span[2] ?? Infinity) > t);
    const state = now?.[0] ?? 'out';
    const runs = spans.reduce((sum, span) => sum + (span[0] === 'runs' ? span[4] : 0), 0);
    return { key: path, name: nameOf(path) ?? path, path, is: '', depth, state, since: now?.[1] ?? null, runs, delegates: false };
  });
}

/** What is inside a box comes right after it: `/` before all other signs. */
const order = (a: string, b: string) => {
  const [x, y] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')];
  return x < y ? -1 : x > y ? 1 : 0;
};
