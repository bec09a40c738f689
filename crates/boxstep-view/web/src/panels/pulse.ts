// Panels look things up anew when the picture has changed, but not at each one.

import { wire } from '../wire.svelte';

/** Calls back after pictures, no more often than every so many milliseconds, and once at the beginning. Never twice at a time. */
export function pulse(work: () => void | Promise<unknown>, least = 250): () => void {
  let [due, busy, gone] = [false, false, false];
  let [last, pause] = [-Infinity, least];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = async () => {
    timer = undefined;
    if (gone || busy) return;
    [due, busy, last] = [false, true, performance.now()];
    const from = performance.now();
    try {
      await work();
    } catch {
      // The connection is gone; when it is there again there is a picture.
    }
    busy = false;
    // What takes long is done less often.
    pause = Math.max(least, 4 * (performance.now() - from));
    if (due) soon();
  };
  const soon = () => {
    due = true;
    if (!busy) timer ??= setTimeout(() => void run(), Math.max(0, last + pause - performance.now()));
  };
  const stop = wire.listen(soon);
  return () => {
    gone = true;
    clearTimeout(timer);
    stop();
  };
}
