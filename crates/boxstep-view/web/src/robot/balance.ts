// How the robot stands, and whether it keeps its balance: the rules of boxstep-dynamics (stance, support) for a posture that does not move.

import { Matrix4, Quaternion, Vector2, Vector3 } from 'three';
import type { Balanced } from './body';

/** A corner is on the floor up to this height, and a part is under it from this depth; a robot with lower hips sits. */
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

/** The standing of a robot whose links have these poses in the torso's frame; nothing if it sits or lies. */
export function standing(of: Balanced, link: (name: string) => Matrix4 | undefined): Standing | undefined {
  const soles = of.soles.flatMap(({ link: name, floor, corners }) => {
    const pose = link(name);
    return pose ? [{ floor: pose.clone().multiply(new Matrix4().fromArray(floor)), corners: corners.map((corner) => new Vector3(...corner).applyMatrix4(pose)) }] : [];
  });
  type Sole = (typeof soles)[number];
  const height = (sole: Sole, floor: Matrix4) => {
    const back = floor.clone().invert();
    return Math.min(...sole.corners.map((corner) => corner.clone().applyMatrix4(back).z));
  };
  const [first, second] = soles;
  if (!first) return undefined;
  let floor = first.floor;
  if (second && soles.length === 2) {
    const [lifted, lifts] = [height(second, first.floor) > ON_FLOOR, height(first, second.floor) > ON_FLOOR];
    if (lifts && !lifted) floor = second.floor;
    // Both are on the floor.
    else if (lifts === lifted) {
      floor = between(first.floor, second.floor);
      floor.multiply(new Matrix4().makeTranslation(0, 0, Math.min(height(first, floor), height(second, floor))));
    }
  } else {
    const below = (sole: Sole) => Math.min(0, ...soles.filter((other) => other !== sole).map((other) => height(other, sole.floor)));
    floor = [...soles].sort((one, other) => below(other) - below(one))[0]!.floor;
  }
  const torso = overFloor(floor.clone().invert());
  const at = (point: Vector3, name: string) => point.applyMatrix4(link(name) ?? new Matrix4()).applyMatrix4(torso);
  const up = (name: string) => at(new Vector3(), name).z;
  if (of.legs.some(([hip, knee]) => up(hip) < SITS * up(knee))) return undefined;
  const lowest = of.touching.flatMap(({ link: name, points }) => points.map(([x, y, z, radius]) => at(new Vector3(x, y, z), name).z - radius));
  if (Math.min(0, ...lowest) < -UNDER_FLOOR) return undefined;
  const corners = soles.flatMap((sole) => sole.corners.map((corner) => corner.clone().applyMatrix4(torso)));
  const support = hull(corners.filter(({ z }) => z <= ON_FLOOR).map(({ x, y }) => new Vector2(x, y)));
  const center = new Vector2();
  let mass = 0;
  for (const part of of.masses) {
    const { x, y } = at(new Vector3(...part.center), part.link);
    center.addScaledVector(new Vector2(x, y), part.mass);
    mass += part.mass;
  }
  if (!mass || support.length < 3) return undefined;
  center.divideScalar(mass);
  return { torso, center, support, ...margin(support, center) };
}

/** The frame in the middle of two. */
function between(one: Matrix4, other: Matrix4): Matrix4 {
  const [a, b] = [one, other].map((frame) => {
    const [place, turn] = [new Vector3(), new Quaternion()];
    frame.decompose(place, turn, new Vector3());
    return { place, turn };
  });
  return new Matrix4().compose(a!.place.lerp(b!.place, 0.5), a!.turn.slerp(b!.turn, 0.5), new Vector3(1, 1, 1));
}

/** Moves the pose of the torso over a floor to the place under the torso, which looks to x. */
function overFloor(torso: Matrix4): Matrix4 {
  const [place, turn, size] = [new Vector3(), new Quaternion(), new Vector3()];
  torso.decompose(place, turn, size);
  const ahead = new Vector3(1, 0, 0).applyQuaternion(turn);
  const back = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), -Math.atan2(ahead.y, ahead.x));
  return new Matrix4().compose(new Vector3(0, 0, place.z), back.multiply(turn), size);
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
