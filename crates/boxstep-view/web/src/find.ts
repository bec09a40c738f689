// What a search finds in a behavior: boxes, ports, values, lines of scripts.

import type { Box } from './model';

export type Found = {
  path: string;
  name: string;
  /** What it is found by. */
  what: 'box' | 'port' | 'value' | 'script' | 'note';
  text: string;
};

const MOST = 200;
const RANK = { box: 0, port: 1, value: 2, note: 3, script: 4 };

/** All words must be in the same text; names come first, then ports, values, notes and scripts. */
export function found(boxes: Iterable<Box>, wanted: string): Found[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const has = (text: string) => {
    const low = text.toLowerCase();
    return words.every((word) => low.includes(word));
  };
  const all: Found[] = [];
  for (const box of boxes) {
    const add = (what: Found['what'], text: string) => all.push({ path: box.path, name: box.name, what, text });
    if (has(box.name)) add('box', box.path);
    for (const port of [...box.inputs, ...box.outputs]) if (has(port.name)) add('port', port.name);
    for (const { name, value, password } of box.parameters) {
      if (has(name) || (!password && has(`${name} ${value ?? ''}`))) add('value', password ? name : `${name} = ${value ?? ''}`);
    }
    if (box.tooltip && has(box.tooltip)) add('note', box.tooltip.trim());
    for (const [at, line] of (box.script?.text.split('\n') ?? []).entries()) if (has(line)) add('script', `${at + 1}: ${line.trim()}`);
  }
  const exact = (one: Found) => (one.what === 'box' && one.name.toLowerCase() === wanted.trim().toLowerCase() ? 0 : 1);
  return all
    .sort((a, b) => RANK[a.what] - RANK[b.what] || exact(a) - exact(b) || a.path.localeCompare(b.path, undefined, { numeric: true }))
    .slice(0, MOST);
}
