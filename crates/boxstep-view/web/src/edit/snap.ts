// Boxes that are dragged come into line with others: their edges and their middles.

import type { Rect } from '../cull';

export type Line = { x1: number; y1: number; x2: number; y2: number };
export type Snapped = { x: number; y: number; lines: Line[] };

/** Boxes farther away than this are no neighbours, in pixels of the drawing. */
const NEAR = 900;
/** How far a line goes beyond the boxes that it touches. */
const BEYOND = 8;

type Axis = { at: 'x' | 'y'; size: 'width' | 'height' };
const ACROSS: Axis = { at: 'x', size: 'width' };
const DOWN: Axis = { at: 'y', size: 'height' };
const marks = (of: Rect, { at, size }: Axis) => [of[at], of[at] + of[size] / 2, of[at] + of[size]];

/** What brings one mark of a box to the same mark of another one, if that is not farther than `reach`. */
function best(box: Rect, others: Rect[], axis: Axis, reach: number): { by: number; with: Rect; where: number } | undefined {
  let found: { by: number; with: Rect; where: number } | undefined;
  const own = marks(box, axis);
  for (const other of others) {
    for (const [n, where] of marks(other, axis).entries()) {
      const by = where - own[n]!;
      if (Math.abs(by) <= reach && (!found || Math.abs(by) < Math.abs(found.by))) found = { by, with: other, where };
    }
  }
  return found;
}

/** How far a box moves on so that it is in line with others, and the lines that show it. */
export function snapped(box: Rect, all: Iterable<Rect>, reach: number): Snapped {
  const others = [...all].filter((one) => Math.abs(one.x - box.x) < NEAR && Math.abs(one.y - box.y) < NEAR);
  const [x, y] = [best(box, others, ACROSS, reach), best(box, others, DOWN, reach)];
  const there = { ...box, x: box.x + (x?.by ?? 0), y: box.y + (y?.by ?? 0) };
  const span = (one: Rect, { at, size }: Axis) => [Math.min(there[at], one[at]) - BEYOND, Math.max(there[at] + there[size], one[at] + one[size]) + BEYOND] as const;
  const lines: Line[] = [];
  if (x) {
    const [from, to] = span(x.with, DOWN);
    lines.push({ x1: x.where, y1: from, x2: x.where, y2: to });
  }
  if (y) {
    const [from, to] = span(y.with, ACROSS);
    lines.push({ x1: from, y1: y.where, x2: to, y2: y.where });
  }
  return { x: x?.by ?? 0, y: y?.by ?? 0, lines };
}

/** The smallest rectangle around some. */
export function around(all: Rect[]): Rect | undefined {
  if (!all.length) return undefined;
  const [x, y] = [Math.min(...all.map((one) => one.x)), Math.min(...all.map((one) => one.y))];
  const [right, bottom] = [Math.max(...all.map((one) => one.x + one.width)), Math.max(...all.map((one) => one.y + one.height))];
  return { x, y, width: right - x, height: bottom - y };
}
