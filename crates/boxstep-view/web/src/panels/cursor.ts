// Where a timeline is.

import type { Item } from '../wire.svelte';

/** The last command, the frame then, when (nanoseconds), whether it plays, and the frames per second: then, and as they were set since. */
type Cursor = [string, number, number, boolean, [number, number][]];

export type At = { frame: number; plays: boolean; command: string; fps: number };

/** Where it is at a time. `fps` is what its file says. */
export function cursorAt(item: Item | undefined, t: number, fps: number): At | undefined {
  if (!item) return undefined;
  const [command, from, since, plays, rates] = item.value as Cursor;
  let [frame, at, rate] = [from, since, fps];
  for (const [when, next] of rates) {
    if (plays && when > at) frame += ((when - at) / 1e9) * rate;
    [at, rate] = [Math.max(at, when), next];
  }
  if (plays) frame += (Math.max(0, t - at) / 1e9) * rate;
  return { frame, plays, command, fps: rate };
}
