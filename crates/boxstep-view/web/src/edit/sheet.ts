// What keys, menus and pointers do in the sheet of a timeline that can be changed.

import type { Curve, Keyframe, TimelineOf } from '../model';
import { inDegrees } from '../panels/timeline';
import { held, withoutClick } from './gestures';
import { idOf } from './keys';
import { keys } from './keys.svelte';

export type Item = { name: string; key?: string; act: () => void };
type Layer = TimelineOf['layers'][number];

/** A key of the keyboard is pressed; true if it is about changes. */
export function pressed(event: KeyboardEvent, frame: number, look: (frame: number) => void): boolean {
  const act = ((): (() => unknown) | undefined => {
    if (event.ctrlKey || event.metaKey) {
      switch (event.key.toLowerCase()) {
        case 'a': return () => keys.all();
        case 'c': return () => keys.copy();
        case 'x': return () => keys.cut();
        case 'v': return () => keys.clip.length && keys.paste(frame);
      }
      return undefined;
    }
    const [by, some] = [event.shiftKey ? 10 : 1, keys.chosen.size > 0];
    const value = (way: number) => (curve: Curve) => way * by * (inDegrees(curve) ? 1 : 0.01);
    switch (event.key) {
      case 'ArrowLeft': return some ? () => keys.nudge(-by) : undefined;
      case 'ArrowRight': return some ? () => keys.nudge(by) : undefined;
      case 'ArrowUp': return some ? () => keys.nudge(0, value(1)) : undefined;
      case 'ArrowDown': return some ? () => keys.nudge(0, value(-1)) : undefined;
      case ',': case '.':
        return () => {
          const found = keys.beside(event.key === ',' ? -1 : 1, frame);
          if (found !== undefined) look(found);
        };
      case 'k': case 'K': return () => keys.add(keys.joint, frame);
      case 'Delete': case 'Backspace': return () => keys.remove();
      case 'Escape':
        return some ? () => (event.stopPropagation(), keys.choose([])) : undefined;
    }
    return undefined;
  })();
  if (!act) return false;
  event.preventDefault();
  act();
  return true;
}

/** A pointer chooses the keys in a frame that it draws; a click looks at where it is. */
export function chooseWithin(first: PointerEvent, sheet: Element, draw: (style: string) => void, click: () => void): void {
  const before = first.shiftKey ? [...keys.chosen] : [];
  let drawn = false;
  held(
    first,
    (at) => {
      const [left, right] = [Math.min(first.clientX, at.clientX), Math.max(first.clientX, at.clientX)];
      const [top, bottom] = [Math.min(first.clientY, at.clientY), Math.max(first.clientY, at.clientY)];
      drawn ||= right - left + bottom - top > 4;
      if (!drawn) return;
      draw(`left: ${left}px; top: ${top}px; width: ${right - left}px; height: ${bottom - top}px`);
      const within = [...sheet.querySelectorAll('[data-frame]')].filter((key) => {
        const { x, y, width, height } = key.getBoundingClientRect();
        return x + width / 2 > left && x + width / 2 < right && y + height / 2 > top && y + height / 2 < bottom;
      });
      keys.choose([...before, ...within.map((key) => idOf(key.closest('[data-joint]')!.getAttribute('data-joint')!, Number(key.getAttribute('data-frame'))))]);
    },
    (_, whole) => {
      draw('');
      if (drawn) withoutClick();
      if (!drawn || !whole) keys.choose(before);
      if (!drawn && whole && !first.shiftKey) click();
    },
  );
}

export function curveItems(curve: Curve, frame: number): Item[] {
  const { joint, mute } = curve;
  return [
    { name: `Add a key at frame ${frame}`, key: 'K', act: () => void keys.add(joint, frame) },
    { name: 'Choose its keys', act: () => keys.choose(curve.keys.map((key) => idOf(joint, key.frame))) },
    ...(keys.chosen.size
      ? [
          { name: 'Copy keys', key: 'Ctrl-C', act: () => keys.copy() },
          { name: 'Remove keys', key: 'Del', act: () => void keys.remove() },
        ]
      : []),
    ...(keys.clip.length ? [{ name: `Paste keys at frame ${frame}`, key: 'Ctrl-V', act: () => void keys.paste(frame) }] : []),
    { name: mute ? 'Play the curve again' : 'Mute the curve', act: () => void keys.set(mute ? `play ${joint} again` : `mute ${joint}`, 'mute_curve', { joint, mute: !mute }) },
    { name: 'Remove the curve', act: () => void keys.set(`remove the curve of ${joint}`, 'remove_curve', { joint }) },
  ];
}

/** Adds a layer without keyframes. */
export function addLayer({ layers }: TimelineOf): void {
  const taken = new Set(layers.map(({ name }) => name));
  let n = 1;
  while (taken.has(`layer ${n}`)) n++;
  void keys.set(`add layer ${n}`, 'add_layer', { layer: `layer ${n}` });
}

/** What can be done to a layer; a new keyframe is entered, to be filled. */
export function layerItems(layer: Layer, frame: number, rename: () => void, enter: (keyframe: string) => void): Item[] {
  const { name, mute, keyframes } = layer;
  const free = () => {
    const taken = new Set(keyframes.map((one) => one.name));
    let n = keyframes.length + 1;
    while (taken.has(`keyframe ${n}`)) n++;
    return `keyframe ${n}`;
  };
  const add = () => {
    const keyframe = free();
    void keys.set(`add a keyframe to ${name}`, 'add_keyframe', { layer: name, name: keyframe, frame }).then((done) => done && enter(keyframe));
  };
  return [
    { name: `Add a keyframe at frame ${frame}`, act: add },
    { name: 'Rename…', act: rename },
    { name: mute ? 'Play the layer again' : 'Mute the layer', act: () => void keys.set(mute ? `play ${name} again` : `mute ${name}`, 'set_layer', { layer: name, mute: !mute }) },
    { name: 'Remove the layer', act: () => void keys.set(`remove the layer ${name}`, 'remove_layer', { layer: name }) },
  ];
}

export function keyframeItems(layer: Layer, keyframe: Keyframe, enter: () => void, rename: () => void): Item[] {
  const removed = { layer: layer.name, keyframe: keyframe.name };
  return [
    { name: 'Open its diagram', key: 'Enter', act: enter },
    { name: 'Rename…', key: 'F2', act: rename },
    { name: 'Remove', key: 'Del', act: () => void keys.set(`remove ${keyframe.name}`, 'remove_keyframe', removed) },
  ];
}
