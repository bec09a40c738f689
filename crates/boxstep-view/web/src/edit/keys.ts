// Keys of curves as they are changed: where their handles are, what is copied, what moves them.

import type { Curve, Key, Tangent } from '../model';
import { inDegrees, type Postures } from '../panels/timeline';
import type { Op } from './edit.svelte';

export type Side = 'left' | 'right';
export const SIDES: Side[] = ['left', 'right'];
/** A tangent of an operation. */
export type Fields = { interpolation: string; frames: number; value: number };
/** A key that was copied: `after` so many frames. */
export type Copied = { joint: string; after: number; value: number; left?: Fields; right?: Fields };

/** The interpolations, and what they are called. */
export const INTERPOLATIONS: Record<string, string> = { bezier_auto: 'automatic', bezier: 'Bezier', linear: 'linear', constant: 'constant' };

/** What stands for a key: its joint and its frame. */
export const idOf = (joint: string, frame: number) => `${joint}\t${frame}`;
export function refOf(id: string): { joint: string; frame: number } {
  const at = id.lastIndexOf('\t');
  return { joint: id.slice(0, at), frame: Number(id.slice(at + 1)) };
}

/** A value as it is written: hundredths of a degree, thousandths of a hand. */
export const rounded = (curve: Curve, value: number) => +value.toFixed(inDegrees(curve) ? 2 : 3);

type Point = Key & { value: number };
/** The keys that have a value, in the order of time. */
export const pointsIn = (curve: Curve) => curve.keys.filter((key): key is Point => key.value !== null).sort((a, b) => a.frame - b.frame);

/** The value of a curve at a frame: as the robot moves, else on the straight way between its keys; none without keys. */
export function valueAt(curve: Curve, postures: Postures | undefined, frame: number): number | undefined {
  const keys = pointsIn(curve);
  const next = keys.findIndex((key) => key.frame >= frame);
  const [one, other] = [keys[next < 0 ? keys.length - 1 : Math.max(next - 1, 0)], keys[next < 0 ? keys.length - 1 : next]];
  if (!one || !other) return undefined;
  if (frame <= one.frame || one === other) return one.value;
  if (frame === other.frame) return other.value;
  const samples = curve.mute ? undefined : postures?.joints[curve.joint];
  const at = postures ? (frame - postures.first) / postures.stride : -1;
  if (samples && at >= 0 && at <= samples.length - 1) {
    const [low, high] = [samples[Math.floor(at)]!, samples[Math.ceil(at)]!];
    return (low + (high - low) * (at - Math.floor(at))) * (inDegrees(curve) ? 180 / Math.PI : 1);
  }
  return one.value + ((other.value - one.value) * (frame - one.frame)) / (other.frame - one.frame);
}

/** The slope of automatic tangents, as `boxstep-motion` computes it. */
function slopeAt(before: Point | undefined, key: Point, after: Point | undefined): number {
  if (!before || !after || (key.value - before.value) * (after.value - key.value) <= 0) return 0;
  let slope = (after.value - before.value) / (after.frame - before.frame);
  const limit = (rise: number, most: number) => {
    if (Math.abs(rise) > Math.abs(most)) slope *= most / rise;
  };
  limit(((after.frame - key.frame) / 3) * slope, after.value - key.value);
  limit(((key.frame - before.frame) / 3) * slope, key.value - before.value);
  return slope;
}

export const interpolationOf = (tangent: Tangent | null | undefined): string => (tangent && tangent.interpolation !== 'bezier auto' ? tangent.interpolation : 'bezier_auto');

/** Where the handle of a key is, from the key; with another interpolation than its own, where it is then. */
export function handleOf(keys: Point[], at: number, side: Side, interpolation?: string): Fields {
  const [key, before, after] = [keys[at]!, keys[at - 1], keys[at + 1]];
  const [tangent, other] = [key[side], side === 'left' ? before : after];
  const is = interpolationOf(tangent);
  const wanted = interpolation ?? is;
  const third = other ? (other.frame - key.frame) / 3 : 0;
  const made = (frames: number, value: number): Fields => ({ interpolation: wanted, frames: +frames.toFixed(3), value: +value.toFixed(3) });
  if (wanted === 'constant') return made(third, 0);
  if (wanted === 'linear') return made(third, other ? (other.value - key.value) / 3 : 0);
  if (wanted === 'bezier_auto') return made(third, third * slopeAt(before, key, after));
  if (is === 'bezier') return made(tangent?.frames ?? 0, tangent?.value ?? 0);
  const now = handleOf(keys, at, side);
  return made(now.frames, now.value);
}

/** Moves keys in time, and in value by so much for each curve. */
export function moveOps(box: string, curves: Curve[], ids: Iterable<string>, frames: number, by: (curve: Curve) => number): Op[] {
  const keys = [...ids].map(refOf);
  const ops: Op[] = frames ? [{ op: 'move_keys', box, keys, frames }] : [];
  for (const curve of curves) {
    const value = by(curve);
    const chosen = new Set(keys.filter((key) => key.joint === curve.joint).map((key) => key.frame));
    if (!value || !chosen.size) continue;
    const moved = pointsIn(curve).filter((key) => chosen.has(key.frame));
    ops.push({ op: 'set_keys', box, joint: curve.joint, keys: moved.map((key) => ({ frame: key.frame + frames, value: rounded(curve, key.value + value) })) });
  }
  return ops;
}

const fields = (tangent: Tangent | null | undefined): Fields | undefined =>
  tangent ? { interpolation: interpolationOf(tangent), frames: tangent.frames ?? 0, value: tangent.value ?? 0 } : undefined;

/** Keys as they can be put elsewhere: from the first of them on. */
export function copyOf(curves: Curve[], ids: ReadonlySet<string>): Copied[] {
  const found = curves.flatMap((curve) => pointsIn(curve).filter((key) => ids.has(idOf(curve.joint, key.frame))).map((key) => ({ joint: curve.joint, key })));
  const first = Math.min(...found.map(({ key }) => key.frame));
  return found.map(({ joint, key }) => ({ joint, after: key.frame - first, value: key.value, left: fields(key.left), right: fields(key.right) }));
}

export function pasteOps(box: string, clip: Copied[], frame: number): Op[] {
  const joints = [...new Set(clip.map((key) => key.joint))];
  return joints.map((joint) => ({
    op: 'set_keys',
    box,
    joint,
    keys: clip.filter((key) => key.joint === joint).map(({ after, value, left, right }) => ({ frame: frame + after, value, left, right })),
  }));
}
