// What a timeline draws: rows of keyframes and curves, and where frames are.

import type { Curve, TimelineOf } from '../model';

/** The postures that a timeline moves the robot through: radians, from a frame on, each so many frames after the one before. */
export type Postures = { first: number; stride: number; fps: number; joints: Record<string, number[]>; fast: { joint: string; from: number; to: number; words: string }[]; balance: [number, number][] };

/** The curve of the margin of balance, which no file has. */
export const BALANCE: Curve = { name: 'balance', joint: 'balance', mute: false, unit: 'mm', keys: [] };

const NICE = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000];

/** The frames between two ticks of a ruler, at least so many pixels apart. */
export const tickStep = (pixels: number, least = 64): number => NICE.find((step) => step * pixels >= least) ?? NICE.at(-1)!;

/** The first frame and the last that has something. */
export function framesOf(timeline: TimelineOf): [number, number] {
  const first = timeline.start_frame ?? 1;
  let last = timeline.end_frame ?? -1;
  for (const curve of timeline.curves) for (const key of curve.keys) last = Math.max(last, key.frame);
  for (const layer of timeline.layers) for (const keyframe of layer.keyframes) last = Math.max(last, keyframe.frame + 1);
  return [first, Math.max(last, first + 1)];
}

/** The angles of all joints at a frame: between two postures on the straight way. */
export function postureAt(postures: Postures, frame: number): Map<string, number> {
  const angles = new Map<string, number>();
  for (const [joint, all] of Object.entries(postures.joints)) {
    const at = Math.min(Math.max((frame - postures.first) / postures.stride, 0), all.length - 1);
    const [one, other] = [all[Math.floor(at)]!, all[Math.ceil(at)]!];
    angles.set(joint, one + (other - one) * (at - Math.floor(at)));
  }
  return angles;
}

/** Whether the values of a curve are degrees; else they are parts of 1. */
export const inDegrees = ({ unit, joint }: Curve): boolean => unit.startsWith('deg') || (unit === 'unspecified' && !joint.endsWith('Hand'));

/** Frames and values of a curve, in the unit of its keys: as the robot moves, else from key to key. */
export function pointsOf(curve: Curve, postures: Postures | undefined): [number, number][] {
  if (curve === BALANCE) return postures?.balance ?? [];
  const samples = curve.mute ? undefined : postures?.joints[curve.joint];
  if (!samples || !postures) return curve.keys.flatMap((key) => (key.value === null ? [] : [[key.frame, key.value] as [number, number]]));
  const by = inDegrees(curve) ? 180 / Math.PI : 1;
  return samples.map((angle, at) => [postures.first + at * postures.stride, angle * by]);
}

/** What is nearer to each other is one value that was rounded in several ways. */
const SAME = 1e-3;

/** The smallest and the largest value of some, with a little room. */
export function rangeOf(values: number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (!Number.isFinite(low)) return [0, 1];
  const room = high - low > SAME ? (high - low) * 0.1 : 1;
  return [low - room, high + room];
}
