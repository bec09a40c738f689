// The timeline that is changed: which keys are chosen, and what is done to it. Each change sees what the one before has made of it.

import type { Curve, TimelineOf } from '../model';
import { preview } from '../panels/preview.svelte';
import { inDegrees, type Postures } from '../panels/timeline';
import { robot } from '../robot/known.svelte';
import { wire } from '../wire.svelte';
import { edit, type Op } from './edit.svelte';
import { copyOf, handleOf, idOf, moveOps, pasteOps, pointsIn, refOf, rounded, valueAt, type Copied, type Fields, type Side } from './keys';

type Change = { ops: Op[]; chosen?: Iterable<string> };
/** How far chosen keys are dragged; the value only in the curve of one joint. */
type Shift = { frames: number; joint: string; value: number };

/** How long a change may take to be shown, milliseconds. */
const PATIENCE = 2000;

class Keys {
  chosen = $state.raw<ReadonlySet<string>>(new Set());
  /** The joint to which a new key belongs. */
  joint = $state('');
  shift = $state.raw<Shift | undefined>();
  clip = $state.raw<Copied[]>([]);
  path = '';
  timeline: TimelineOf | undefined;
  postures: Postures | undefined;
  private line: Promise<unknown> = Promise.resolve();
  private wake = () => {};
  /** The gesture of the last step, and until when another one belongs to it. */
  private nudged = { name: '', until: 0 };

  /** Another timeline is shown, or the same one after a change: what is gone is chosen no more. */
  follow(path: string, timeline: TimelineOf | undefined): void {
    if (path !== this.path) [this.chosen, this.joint, this.shift] = [new Set(), '', undefined];
    [this.path, this.timeline] = [path, timeline];
    const there = new Set(this.curves.flatMap((curve) => curve.keys.map((key) => idOf(curve.joint, key.frame))));
    const kept = [...this.chosen].filter((id) => there.has(id));
    if (kept.length !== this.chosen.size) this.chosen = new Set(kept);
    if (!this.curves.some((curve) => curve.joint === this.joint)) this.joint = '';
    this.wake();
  }

  get curves(): Curve[] {
    return this.timeline?.curves ?? [];
  }
  curve(joint: string): Curve | undefined {
    return this.curves.find((curve) => curve.joint === joint);
  }
  private get box(): string {
    return edit.own(this.path);
  }

  /** Does a change at its turn, and waits until it is shown. */
  do(label: string, make: () => Change | undefined, gesture?: string): Promise<boolean> {
    const work = this.line.then(async () => {
      const change = make();
      if (!change?.ops.length) return false;
      const [shown, version] = [this.timeline, edit.state?.version];
      const done = await edit.apply(label, change.ops, gesture);
      if (done && edit.state?.version !== version && this.timeline === shown) {
        await new Promise<void>((awake) => {
          this.wake = awake;
          setTimeout(awake, PATIENCE);
        });
      }
      if (done && change.chosen) this.chosen = new Set(change.chosen);
      return done;
    }).catch((error: unknown) => {
      // One that fails must not end those that follow.
      edit.refused = String(error);
      return false;
    });
    this.line = work.finally(() => (this.shift = undefined));
    return work;
  }

  /** A change of the box itself. */
  set(label: string, op: string, fields: Record<string, unknown>): Promise<boolean> {
    return this.do(label, () => ({ ops: [{ op, box: this.box, ...fields }] }));
  }

  choose(ids: Iterable<string>): void {
    this.chosen = new Set(ids);
  }
  toggle(id: string): void {
    this.choose(this.chosen.has(id) ? [...this.chosen].filter((one) => one !== id) : [...this.chosen, id]);
  }
  all(): void {
    this.choose(this.curves.flatMap((curve) => curve.keys.map((key) => idOf(curve.joint, key.frame))));
  }
  /** The next key of the current curve, before or after a frame. */
  beside(step: -1 | 1, frame: number): number | undefined {
    const curve = this.curve(this.joint) ?? this.curves[0];
    const frames = curve ? pointsIn(curve).map((key) => key.frame) : [];
    const next = step > 0 ? frames.find((one) => one > frame) : frames.findLast((one) => one < frame);
    if (curve && next !== undefined) {
      this.joint = curve.joint;
      this.choose([idOf(curve.joint, next)]);
    }
    return next;
  }

  private get words(): string {
    const [one] = this.chosen;
    return this.chosen.size === 1 && one ? `the key of ${refOf(one).joint} at ${refOf(one).frame}` : `${this.chosen.size} keys`;
  }

  move(frames: number, by: (curve: Curve) => number = () => 0, gesture?: string): Promise<boolean> {
    const moved = (id: string) => idOf(refOf(id).joint, refOf(id).frame + frames);
    return this.do(`move ${this.words}`, () => ({ ops: moveOps(this.box, this.curves, this.chosen, frames, by), chosen: [...this.chosen].map(moved) }), gesture);
  }
  /** Steps of the arrow keys that follow each other are undone together. */
  private step(): string {
    if (performance.now() > this.nudged.until) this.nudged.name = edit.gesture();
    this.nudged.until = performance.now() + 1000;
    return this.nudged.name;
  }
  nudge(frames: number, by?: (curve: Curve) => number): void {
    void this.move(frames, by, this.step());
  }
  moveKeyframe(layer: string, keyframe: string, frames: number, nudged = false): Promise<boolean> {
    const of = () => this.timeline?.layers.find(({ name }) => name === layer)?.keyframes.find(({ name }) => name === keyframe);
    return this.do(
      `move ${keyframe}`,
      () => {
        const from = of()?.frame;
        return from === undefined ? undefined : { ops: [{ op: 'set_keyframe', box: this.box, layer, keyframe, frame: from + frames }] };
      },
      nudged ? this.step() : undefined,
    );
  }
  /** What was dragged is moved. */
  drop(): Promise<boolean> {
    const { frames = 0, joint = '', value = 0 } = this.shift ?? {};
    return this.move(frames, (curve) => (curve.joint === joint ? value : 0));
  }

  /** Adds keys with the values that the curves have: of a joint, else of all. */
  add(joint: string, frame: number): Promise<boolean> {
    return this.do(joint ? `add a key of ${joint}` : 'add keys', () => {
      const curves = this.curves.filter((curve) => !joint || curve.joint === joint);
      const ops = curves.map((curve) => ({ op: 'set_keys', box: this.box, joint: curve.joint, keys: [{ frame, value: rounded(curve, valueAt(curve, this.postures, frame) ?? standing(curve.joint, inDegrees(curve)) ?? 0) }] }));
      return { ops, chosen: curves.map((curve) => idOf(curve.joint, frame)) };
    });
  }
  remove(): Promise<boolean> {
    return this.do(`remove ${this.words}`, () => ({ ops: this.chosen.size ? [{ op: 'remove_keys', box: this.box, keys: [...this.chosen].map(refOf) }] : [], chosen: [] }));
  }
  value(id: string, value: number): Promise<boolean> {
    const { joint, frame } = refOf(id);
    return this.do(`set ${this.words}`, () => ({ ops: [{ op: 'set_keys', box: this.box, joint, keys: [{ frame, value }] }] }));
  }

  copy(): void {
    if (this.chosen.size) this.clip = copyOf(this.curves, this.chosen);
  }
  cut(): Promise<boolean> {
    this.copy();
    return this.remove();
  }
  paste(frame: number): Promise<boolean> {
    const { clip } = this;
    return this.do('paste keys', () => ({ ops: pasteOps(this.box, clip, frame), chosen: clip.map(({ joint, after }) => idOf(joint, frame + after)) }));
  }

  /** Sets a tangent of a key, as its handle was dragged. */
  tangent(id: string, side: Side, tangent: Fields): Promise<boolean> {
    return this.do(`bend the curve at ${this.words.replace('the key of ', '')}`, () => ({ ops: [{ op: 'set_tangent', box: this.box, ...refOf(id), side, tangent }] }));
  }
  /** Sets how values get to or from the chosen keys. */
  interpolate(side: Side, interpolation: string): Promise<boolean> {
    return this.do(`interpolate ${this.words}`, () => {
      const ops = this.curves.flatMap((curve) => {
        const keys = pointsIn(curve);
        return keys.flatMap((key, at): Op[] => {
          if (!this.chosen.has(idOf(curve.joint, key.frame))) return [];
          const tangent = interpolation === 'bezier_auto' ? undefined : handleOf(keys, at, side, interpolation);
          return [{ op: 'set_tangent', box: this.box, joint: curve.joint, frame: key.frame, side, tangent }];
        });
      });
      return { ops };
    });
  }

  /** Stores how the robot stands now, or how somebody has moved it: of joints with a curve, or of all. */
  pose(all: boolean, frame: number): Promise<boolean> {
    return this.do(`store a pose at ${frame}`, () => {
      const names = all ? jointsOfBody() : this.curves.map((curve) => curve.joint);
      const joints: Record<string, number> = {};
      for (const name of names) {
        const curve = this.curve(name);
        const value = standing(name, curve ? inDegrees(curve) : !name.endsWith('Hand'));
        if (value !== undefined) joints[name] = +value.toFixed(3);
      }
      if (!Object.keys(joints).length) return undefined;
      return { ops: [{ op: 'set_pose', box: this.box, frame, joints }], chosen: Object.keys(joints).map((joint) => idOf(joint, frame)) };
    });
  }
  addCurves(joints: string[]): Promise<boolean> {
    const label = joints.length === 1 ? `add a curve of ${joints[0]}` : `add ${joints.length} curves`;
    return this.do(label, () => ({ ops: joints.map((joint) => ({ op: 'add_curve', box: this.box, joint })) })).then((done) => {
      if (done && joints.length === 1) this.joint = joints[0]!;
      return done;
    });
  }
}

/** The joints that a curve can move: wheels have none, and some follow others. */
export const jointsOfBody = (): string[] => (robot.body?.joints ?? []).filter(({ kind, follows }) => kind !== 'wheel' && !follows).map(({ name }) => name);

/** Where a joint of the robot is, or was moved by hand. */
function standing(joint: string, degrees: boolean): number | undefined {
  const posed = preview.posed ? preview.angles?.get(joint) : undefined;
  const value = posed ?? (wire.get('joint', '', joint)?.value as number | undefined) ?? robot.body?.stands[joint];
  return value === undefined ? undefined : degrees ? (value * 180) / Math.PI : value;
}

export const keys = new Keys();
