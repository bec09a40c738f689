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

/** Until when it is not chosen again by a parent, and how long that is in all, in nanoseconds; the longest of its cooldowns. */
export function cooldownOf(one: Behavior | undefined, now: number): { until: number; whole: number } | undefined {
  const last = one?.cools?.reduce((a, b) => (b.until > a.until ? b : a), one.cools[0]!);
  return last && last.until > now && one!.active === null ? { until: last.until, whole: last.seconds * 1e9 } : undefined;
}

/** What a behavior is called below another one: without its name; what only has a number by what it is. */
function nameBelow(parent: string, one: Behavior): string {
  if (!parent || !one.name.startsWith(`${parent}/`)) return one.name;
  const rest = one.name.slice(parent.length + 1);
  return isNumbered(rest) && one.is ? `${one.is} ${rest}` : rest;
}
const isNumbered = (rest: string) => /^\d+$/.test(rest);

/** Whether nobody has named a behavior: then it is called by what it does. */
export const isUnnamed = (parent: string, one: Behavior): boolean => one.name.startsWith(`${parent}/`) && isNumbered(one.name.slice(parent.length + 1));

export type Place = { one: Behavior; name: string; unnamed: boolean; x: number; y: number; state: Row['state']; since: number | null };
export type Graph = { nodes: Place[]; edges: { from: Place; to: Place; again: boolean }[]; columns: number; rows: number };

/** Each behavior once, right of the one that may give it control; children below one another. A second parent has an edge only. */
export function behaviorGraph(all: Behavior[]): Graph {
  const byName = new Map(all.map((one) => [one.name, one]));
  const inner = new Set(all.flatMap((one) => one.children));
  const places = new Map<string, Place>();
  const graph: Graph = { nodes: [], edges: [], columns: 0, rows: 0 };
  const add = (one: Behavior, x: number, parent = ''): Place => {
    const place: Place = { one, name: nameBelow(parent, one), unnamed: isUnnamed(parent, one), x, y: 0, ...stateOf(one) };
    places.set(one.name, place);
    graph.nodes.push(place);
    graph.columns = Math.max(graph.columns, x + 1);
    const own: Place[] = [];
    for (const name of one.children) {
      const child = byName.get(name);
      if (!child) continue;
      const known = places.get(name);
      const to = known ?? add(child, x + 1, one.name);
      if (!known) own.push(to);
      graph.edges.push({ from: place, to, again: known !== undefined });
    }
    // In the middle of its children; without any in the next row.
    place.y = own.length ? (own[0]!.y + own.at(-1)!.y) / 2 : graph.rows++;
    return place;
  };
  for (const one of all) if (!inner.has(one.name) && !places.has(one.name)) add(one, 0);
  // A circle has no beginning.
  for (const one of all) if (!places.has(one.name)) add(one, 0);
  return graph;
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
