// How the robot stands, and whether it keeps its balance: the rules of boxstep-dynamics (stance, support) for a posture that does not move, and its zero moment point
// while it moves.

import { Matrix4, Quaternion, Vector2, Vector3 } from 'three';
import { around, margin } from './area';
import type { Balanced } from './body';
import { under } from './facet';

/** A corner is on the floor up to this height, and a part is under it from this depth. */
const ON_FLOOR = 0.005;
const UNDER_FLOOR = 0.01;
/** The cosine of the most that a robot tips over without falling. */
const NEAR = Math.SQRT1_2;
/** Hips are low below this many times the height of the knees; then parts that one sits on are on the floor up to this height. */
const LOW = 1.35;
const SEAT = 0.03;

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
  /** If it moves: the point about which the floor's force does not turn it, with its own margin and side. */
  zmp?: { at: Vector2; margin: number; side: string };
};

/** The poses of links in the torso's frame. */
export type Links = (name: string) => Matrix4 | undefined;
/** The same at a time, in seconds. */
export type Moment = { t: number; links: Links };

const GRAVITY = 9.81;
/** Below this share of its weight on the floor a robot is not judged. */
const LEAST_WEIGHT = 0.1;

type Sole = { floor: Matrix4; corners: Vector3[] };
/** The number of a sole, and that of its corner. */
type Corner = [number, number];
/** What is on the floor: this sole, two that are nearly parallel, or a facet of the hull of two that are not. */
type Ground = number | 'both' | [Corner, Corner, Corner];

function solesAt(of: Balanced, link: Links): Sole[] {
  return of.soles.flatMap(({ link: name, floor, corners }) => {
    const pose = link(name);
    return pose ? [{ floor: pose.clone().multiply(new Matrix4().fromArray(floor)), corners: corners.map((corner) => new Vector3(...corner).applyMatrix4(pose)) }] : [];
  });
}

/** How high the lowest corner of a sole is over a floor. */
function height(sole: Sole, floor: Matrix4): number {
  const back = floor.clone().invert();
  return Math.min(...sole.corners.map((corner) => corner.clone().applyMatrix4(back).z));
}

function groundOf(soles: Sole[], center: Vector3): Ground {
  const [first, second] = soles;
  if (first && second && soles.length === 2) {
    const [lifted, lifts] = [height(second, first.floor) > ON_FLOOR, height(first, second.floor) > ON_FLOOR];
    return lifts !== lifted ? (lifts ? 1 : 0) : parallel(first, second) ? 'both' : (facetOf(soles, center) ?? 'both');
  }
  const below = (sole: Sole) => Math.min(0, ...soles.filter((other) => other !== sole).map((other) => height(other, sole.floor)));
  return soles.indexOf([...soles].sort((one, other) => below(other) - below(one))[0]!);
}

const up = (floor: Matrix4) => new Vector3().setFromMatrixColumn(floor, 2);

/** Whether two soles are so nearly parallel that all corners of both are on any floor that both are on. */
function parallel(...soles: [Sole, Sole]): boolean {
  const [one, other] = soles.map(({ floor }) => up(floor));
  const reaches = soles.flatMap(({ corners }) => {
    const middle = corners.reduce((sum, corner) => sum.add(corner), new Vector3()).divideScalar(corners.length);
    return corners.map((corner) => corner.distanceTo(middle));
  });
  return 2 * Math.max(...reaches) * one!.distanceTo(other!) <= ON_FLOOR;
}

/** The facet of the hull of two soles that the center of mass is over once it is level. A robot that tips over the edge of one comes to rest on the next. */
function facetOf(soles: Sole[], center: Vector3): Ground | undefined {
  const corners = soles.flatMap((sole, number) => sole.corners.map((_, at): Corner => [number, at]));
  const between = floorOn('both', soles);
  let floor = between;
  let facet: [Corner, Corner, Corner] | undefined;
  for (let times = 0; times < 64; times++) {
    const back = floor.clone().invert();
    const over = (point: Vector3) => point.clone().applyMatrix4(back);
    const { x, y } = over(center);
    const found = under(corners.map(([sole, at]) => over(soles[sole]!.corners[at]!)), new Vector2(x, y));
    if (!found) return undefined;
    const next = found.triangle.sort((a, b) => a - b).map((at) => corners[at]!) as [Corner, Corner, Corner];
    floor = level(next, between, soles);
    const falls = facet && !found.inside;
    if (falls || up(floor).dot(up(between)) <= NEAR || next.join() === facet?.join()) break;
    facet = next;
  }
  return facet;
}

/** The floor of a facet: that between its two soles, turned as little as possible. */
function level(facet: [Corner, Corner, Corner], between: Matrix4, soles: Sole[]): Matrix4 {
  const back = between.clone().invert();
  const [a, b, c] = facet.map(([sole, at]) => soles[sole]!.corners[at]!.clone().applyMatrix4(back)) as [Vector3, Vector3, Vector3];
  const normal = b.sub(a).cross(c.sub(a)).normalize();
  if (normal.z < 0) normal.negate();
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
  const { z } = a.applyQuaternion(turn.clone().invert());
  return between.clone().multiply(new Matrix4().makeRotationFromQuaternion(turn)).multiply(new Matrix4().makeTranslation(0, 0, z));
}

/** The center of mass in the torso's frame. */
function centerOf(of: Balanced, link: Links): Vector3 {
  const center = new Vector3();
  let mass = 0;
  for (const part of of.masses) {
    center.addScaledVector(new Vector3(...part.center).applyMatrix4(link(part.link) ?? new Matrix4()), part.mass);
    mass += part.mass;
  }
  return center.divideScalar(mass || 1);
}

/** The frame of the floor in the torso's. */
function floorOn(ground: Ground, soles: Sole[]): Matrix4 {
  if (typeof ground === 'number') return soles[ground]!.floor;
  if (ground !== 'both') return level(ground, floorOn('both', soles), soles);
  const [first, second] = [soles[0]!, soles[1]!];
  const floor = between(first.floor, second.floor);
  return floor.multiply(new Matrix4().makeTranslation(0, 0, Math.min(height(first, floor), height(second, floor))));
}

/** The standing of a robot whose links have these poses in the torso's frame; nothing if it sits or lies. If it is known where they were just before and just after (or, at the end, twice before), it has a zero moment point, too. */
export function standing(of: Balanced, link: Links, moments?: [Moment, Moment, Moment]): Standing | undefined {
  const soles = solesAt(of, link);
  if (!soles.length) return undefined;
  const middle = centerOf(of, link);
  const torso = overFloor(floorOn(groundOf(soles, middle), soles).clone().invert());
  const at = (point: Vector3, name: string) => point.applyMatrix4(link(name) ?? new Matrix4()).applyMatrix4(torso);
  const up = (name: string) => at(new Vector3(), name).z;
  const low = of.legs.filter(([hip, knee]) => up(hip) < LOW * up(knee)).length;
  const isDown = ({ link: name, seat, points }: Balanced['touching'][number]) => {
    const least = seat && low ? SEAT : -UNDER_FLOOR;
    return points.some(([x, y, z, radius]) => at(new Vector3(x, y, z), name).z - radius < least);
  };
  if (of.touching.some(isDown)) return undefined;
  const corners = soles.flatMap((sole) => sole.corners.map((corner) => corner.clone().applyMatrix4(torso)));
  const support = around(corners.filter(({ z }) => z <= ON_FLOOR).map(({ x, y }) => new Vector2(x, y)));
  if (!of.masses.length || support.length < 3) return undefined;
  const { x, y } = middle.applyMatrix4(torso);
  const center = new Vector2(x, y);
  const still = margin(support, center);
  // With all hips low and its weight beside its feet it is on a chair, which does not show.
  if (low && low === of.legs.length && still.margin < 0) return undefined;
  const point = moments && zeroMoment(of, moments);
  return { torso, center, support, ...still, zmp: point && { at: point, ...margin(support, point) } };
}

/** The zero moment point at the middle one of three moments, where the torso is then and looks. Nothing if hardly any weight is on the floor. */
function zeroMoment(of: Balanced, moments: [Moment, Moment, Moment]): Vector2 | undefined {
  const [before, now, after] = moments;
  const [first, second] = [now.t - before.t, after.t - now.t];
  const soles = moments.map(({ links }) => solesAt(of, links));
  const ground = groundOf(soles[1]!, centerOf(of, now.links));
  if (soles.some((all) => all.length !== of.soles.length)) return undefined;
  // Over the floor, which does not move.
  const torsos = soles.map((all) => floorOn(ground, all).clone().invert());
  const [force, moment] = [new Vector3(), new Vector3()];
  let mass = 0;
  for (const part of of.masses) {
    const poses = moments.map(({ links }, at) => torsos[at]!.clone().multiply(links(part.link) ?? new Matrix4()));
    const [a, b, c] = poses.map((pose) => new Vector3(...part.center).applyMatrix4(pose)) as [Vector3, Vector3, Vector3];
    const [p, q, r] = poses.map((pose) => new Quaternion().setFromRotationMatrix(pose)) as [Quaternion, Quaternion, Quaternion];
    /** What changes evenly from the middle of one step to that of the other. */
    const change = (one: Vector3, other: Vector3) => other.sub(one).multiplyScalar(2 / (first + second));
    const pushed = change(b.clone().sub(a).divideScalar(first), c.clone().sub(b).divideScalar(second));
    pushed.z += GRAVITY;
    pushed.multiplyScalar(part.mass);
    const [turning, turned] = [turn(p, q).divideScalar(first), turn(q, r).divideScalar(second)];
    const spin = turning.clone().multiplyScalar(second).addScaledVector(turned, first).divideScalar(first + second);
    const faster = change(turning, turned);
    // In the link's frame its inertia does not change.
    const back = q.clone().invert();
    const [w, dw] = [spin.applyQuaternion(back), faster.applyQuaternion(back)];
    const own = times(part.inertia, dw).add(w.clone().cross(times(part.inertia, w)));
    force.add(pushed);
    moment.add(own.applyQuaternion(q)).add(b.clone().cross(pushed));
    mass += part.mass;
  }
  if (force.z <= LEAST_WEIGHT * GRAVITY * mass) return undefined;
  const point = new Vector3(-moment.y / force.z, moment.x / force.z, 0);
  // Under the torso, turned to where it looks.
  const { x, y } = point.applyMatrix4(torsos[1]!.clone().invert()).applyMatrix4(overFloor(torsos[1]!.clone()));
  return new Vector2(x, y);
}

/** The rotation from one orientation to another, as an axis times its angle. */
function turn(from: Quaternion, to: Quaternion): Vector3 {
  const way = to.clone().multiply(from.clone().invert());
  if (way.w < 0) way.set(-way.x, -way.y, -way.z, -way.w);
  const axis = new Vector3(way.x, way.y, way.z);
  const sin = axis.length();
  return axis.multiplyScalar(sin < 1e-9 ? 2 : (2 * Math.atan2(sin, way.w)) / sin);
}

/** An inertia (xx, xy, xz, yy, yz, zz) times a vector. */
function times([xx, xy, xz, yy, yz, zz]: Balanced['masses'][number]['inertia'], { x, y, z }: Vector3): Vector3 {
  return new Vector3(xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z);
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
