// How the robot stands, and whether it keeps its balance: the rules of boxstep-dynamics (stance, support) for a posture that does not move.

import { Matrix4, Quaternion, Vector2, Vector3 } from 'three';
import type { Balanced } from './body';

/** A foot is on the floor up to this height, and a part is under it from this depth; a robot with lower hips sits. */
const ON_FLOOR = 0.005;
const UNDER_FLOOR = 0.01;
const SITS = 1.35;

export type Standing = {
  /** Where the torso is over the floor: z is up, x is where it looks. */
  torso: Matrix4;
  /** The center of mass, straight down. */
  center: Vector2;
  /** The corners of the area under the feet, counter-clockwise. */
  support: Vector2[];
  /** How far the center is from the border, in metres; negative outside. */
  margin: number;
  /** To where it would tip over. */
  side: string;
};

/** The standing of a robot whose links have these poses in the torso's frame; nothing if it sits or lies. `lowest` is the lowest point of the body over the floor when the torso has a pose. */
export function standing(of: Balanced, link: (name: string) => Matrix4 | undefined, lowest: (torso: Matrix4) => number): Standing | undefined {
  const soles = of.soles.flatMap(({ link: name, outline }) => {
    const pose = link(name);
    return pose ? [{ pose, corners: outline.map((corner) => new Vector3(...corner)), height: -outline[0]![2] }] : [];
  });
  // How high the lowest corner of another sole is, if one lies flat on the floor.
  const gap = (one: (typeof soles)[number], other: (typeof soles)[number]) => {
    const flat = one.pose.clone().invert().multiply(other.pose);
    return Math.min(...other.corners.map((corner) => corner.clone().applyMatrix4(flat).z + one.height));
  };
  const below = (one: (typeof soles)[number]) => Math.min(0, ...soles.filter((other) => other !== one).map((other) => gap(one, other)));
  const [first] = [...soles].sort((one, other) => below(other) - below(one));
  if (!first) return undefined;
  const torso = overFloor(first.pose.clone().invert(), first.height);
  const height = (name: string) => new Vector3().setFromMatrixPosition(torso.clone().multiply(link(name) ?? new Matrix4())).z;
  if (of.legs.some(([hip, knee]) => height(hip) < SITS * height(knee)) || lowest(torso) < -UNDER_FLOOR) return undefined;
  const floor = (point: Vector3, pose: Matrix4) => {
    const { x, y } = point.applyMatrix4(pose).applyMatrix4(torso);
    return new Vector2(x, y);
  };
  const on = soles.filter((sole) => sole === first || gap(first, sole) <= ON_FLOOR);
  const support = hull(on.flatMap((sole) => sole.corners.map((corner) => floor(corner.clone(), sole.pose))));
  const center = new Vector2();
  let mass = 0;
  for (const part of of.masses) {
    const pose = link(part.link);
    if (!pose) continue;
    center.addScaledVector(floor(new Vector3(...part.center), pose), part.mass);
    mass += part.mass;
  }
  if (!mass || support.length < 3) return undefined;
  center.divideScalar(mass);
  return { torso, center, support, ...margin(support, center) };
}

/** Moves the pose of the torso in a foot's frame to the floor under the torso, which looks to x. */
function overFloor(torso: Matrix4, height: number): Matrix4 {
  const [place, turn, size] = [new Vector3(), new Quaternion(), new Vector3()];
  torso.decompose(place, turn, size);
  const ahead = new Vector3(1, 0, 0).applyQuaternion(turn);
  const back = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), -Math.atan2(ahead.y, ahead.x));
  return new Matrix4().compose(new Vector3(0, 0, place.z + height), back.multiply(turn), size);
}

/** The smallest convex area around points, counter-clockwise. */
function hull(points: Vector2[]): Vector2[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (all: Vector2[]) => {
    const kept: Vector2[] = [];
    for (const point of all) {
      while (kept.length > 1) {
        const [a, b] = [kept[kept.length - 2]!, kept[kept.length - 1]!];
        if ((b.x - a.x) * (point.y - b.y) - (b.y - a.y) * (point.x - b.x) > 0) break;
        kept.pop();
      }
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function margin(support: Vector2[], at: Vector2): { margin: number; side: string } {
  const edges = support.map((a, index) => {
    const along = support[(index + 1) % support.length]!.clone().sub(a);
    const length = along.length() || 1;
    along.divideScalar(length);
    const out = new Vector2(along.y, -along.x);
    const way = at.clone().sub(a);
    const beyond = out.dot(way);
    const share = Math.min(Math.max(way.dot(along), 0), length);
    return { out, beyond, distance: beyond > 0 ? way.sub(along.multiplyScalar(share)).length() : beyond };
  });
  const outside = edges.filter((edge) => edge.beyond > 0).sort((a, b) => a.distance - b.distance);
  const [nearest] = outside.length ? outside : edges.sort((a, b) => b.distance - a.distance);
  const { out, distance } = nearest!;
  const ahead = Math.abs(out.x) >= Math.abs(out.y);
  return { margin: -distance, side: ahead ? (out.x >= 0 ? 'forward' : 'backward') : out.y >= 0 ? 'to its left' : 'to its right' };
}
