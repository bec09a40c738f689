// Follows where the script of a box is.

import { waitsOf, type Mark } from './editor/marks';
import { pulse } from './panels/pulse';
import { wire } from './wire.svelte';

/** Calls back with where a script is, as often as that changes. */
export function watchScript(path: string, text: string, then: (marks: Mark[]) => void): () => void {
  let [seen, last] = ['', ''];
  return pulse(async () => {
    const now = `${wire.shown} ${wire.told}`;
    if (now === seen) return;
    seen = now;
    const marks = waitsOf(await wire.ask('doing', { do: 'doing', path }), text);
    if (JSON.stringify(marks) !== last) then(marks);
    last = JSON.stringify(marks);
  }, 100);
}
