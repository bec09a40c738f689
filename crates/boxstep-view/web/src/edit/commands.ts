// What can be done to the boxes that are chosen, by keys and by the menu.

import type { Box } from '../model';
import { saidBy } from '../parameter';
import { wire } from '../wire.svelte';
import { edit, type Op } from './edit.svelte';
import { library, type Kind } from './library.svelte';

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const named = (paths: string[]) => (paths.length === 1 ? nameOf(paths[0]!) : `${paths.length} boxes`);
const owned = (paths: string[]) => paths.map((path) => edit.own(path));

/** How far copies are from what they are copied of, in pixels of the file. */
const ASIDE = 30;

export const remove = (paths: string[]) => edit.apply(`remove ${named(paths)}`, [{ op: 'remove', boxes: owned(paths) }]);

export const duplicate = (paths: string[]) => edit.apply(`duplicate ${named(paths)}`, [{ op: 'duplicate', boxes: owned(paths), dx: ASIDE, dy: ASIDE }]);

export const rename = (path: string, name: string) => edit.apply(`rename ${nameOf(path)} to ${name}`, [{ op: 'rename', box: edit.own(path), name }]);

export const unwrap = (path: string) => edit.apply(`unwrap ${nameOf(path)}`, [{ op: 'unwrap', box: edit.own(path) }]);

export const replace = (path: string) => edit.apply(`replace ${nameOf(path)} by ours`, [{ op: 'replace', box: edit.own(path) }]);

export function wrap(paths: string[], beside: Iterable<string>): Promise<boolean> {
  const taken = new Set(beside);
  let name = 'Diagram';
  for (let n = 1; taken.has(name); n++) name = `Diagram (${n})`;
  return edit.apply(`wrap ${named(paths)}`, [{ op: 'wrap', boxes: owned(paths), name }]);
}

/** Boxes of a file are at whole pixels, as Choregraphe places them. They go on from where they are then: the page may not know yet. */
export const move = (paths: string[], by: { x: number; y: number }, gesture?: string) =>
  edit.apply(`move ${named(paths)}`, [{ op: 'move_by', boxes: owned(paths), dx: Math.round(by.x), dy: Math.round(by.y) }], gesture);

/** What can be done to a parameter: it is set in the file, and with it in the run; or, if the page changes no file, in the run alone. */
export function settersOf({ name, path }: Box, parameter: string) {
  const inRun = (value: unknown) => wire.send({ do: 'set', path, parameter, value });
  const inFile = (value: unknown) => void edit.apply(`${name}: ${parameter}`, [{ op: 'set_parameter', box: edit.own(path), parameter, value: saidBy(value) }]);
  return { onset: edit.on ? inFile : inRun, onreset: wire.acts ? inRun : undefined, onkeep: edit.on ? inFile : undefined };
}

export async function copy(paths: string[]): Promise<boolean> {
  const clip = await edit.copied(paths);
  if (clip === undefined) return false;
  try {
    await navigator.clipboard.writeText(clip);
    return true;
  } catch {
    edit.refused = 'the browser does not let the page write to the clipboard';
    return false;
  }
}

export async function cut(paths: string[]): Promise<void> {
  if (await copy(paths)) await remove(paths);
}

/** Whether a text is boxes that were copied, or a box of a library. */
export const isClip = (text: string) => /^\s*(<\?xml[^>]*\?>\s*)?<Choregraphe(Box|Project)\b/.test(text);

export const paste = (diagram: string, clip: string, at?: { x: number; y: number }) =>
  edit.apply('paste', [{ op: 'paste', diagram: edit.own(diagram), clip, ...(at && { x: Math.round(at.x), y: Math.round(at.y) }) }]);

export async function add(diagram: string, what: Kind, at: { x: number; y: number }, gesture?: string): Promise<boolean> {
  const add = await library.add(what);
  if (add === undefined) return false;
  const op: Op = { op: 'add', diagram: edit.own(diagram), add, name: what.name, x: Math.round(at.x), y: Math.round(at.y) };
  return edit.apply(`add ${what.name}`, [op], gesture);
}

export const link = (op: 'connect' | 'disconnect', from: { port: string; path: string }, to: { port: string; path: string }, gesture?: string) => {
  const end = ({ port, path }: { port: string; path: string }) => ({ box: edit.own(path), port });
  return edit.apply(`${op} ${nameOf(from.path)}.${from.port} ${op === 'connect' ? 'to' : 'from'} ${nameOf(to.path)}.${to.port}`, [{ op, from: end(from), to: end(to) }], gesture);
};

/** A link passes its signal on just before another one of the same port. */
export const earlier = (from: { port: string; path: string }, to: { port: string; path: string }, before: { port: string; path: string }) => {
  const end = ({ port, path }: { port: string; path: string }) => ({ box: edit.own(path), port });
  return edit.apply(`order the links of ${nameOf(from.path)}.${from.port}`, [{ op: 'order_link', from: end(from), to: end(to), before: end(before) }]);
};

/** Sets the picture of a box; an empty text removes it. */
export const setPicture = ({ name, path }: Box, picture: string) => edit.apply(`picture of ${name}`, [{ op: 'set_picture', box: edit.own(path), picture }]);
