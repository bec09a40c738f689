// On which corners a robot rests if its soles are not in one plane: the rules of boxstep-dynamics (facet).

import { Vector2, Vector3 } from 'three';
import { around, margin } from './area';

/** A point that is not lower than this under a facet is on it. */
const EXACT = 1e-9;
/** On the border several facets are as good. A place there is moved inward by this share of the way to the middle; closer to the border than this, in metres, it is on it. */
const INWARD = 1e-6;
/** The most triangles that are tried. */
const MOST = 64;

type Three<T> = [T, T, T];

/** The three points whose plane no point is under and which are around a place, seen from above, and whether the place is inside of all points. If it is not, they are around the nearest place that is. */
export function under(points: Vector3[], place: Vector2): { triangle: Three<number>; inside: boolean } | undefined {
  const flat = points.map(({ x, y }) => new Vector2(x, y));
  const outline = around(flat);
  if (outline.length < 3) return undefined;
  const { margin: within } = margin(outline, place);
  const middle = outline.reduce((sum, corner) => sum.add(corner), new Vector2()).divideScalar(outline.length);
  const at = within > INWARD ? place : nearest(outline, place).lerp(middle, INWARD);
  /** How far inside of a triangle the place is. */
  const inside = (triangle: Three<number>) => Math.min(...(shares(triangle.map((number) => flat[number]!) as Three<Vector2>, at) ?? [-Infinity]));
  const best = (triangles: Three<number>[]) => triangles.reduce((one, other) => (inside(other) >= inside(one) ? other : one));
  const [first, ...others] = outline.map((corner) => {
    const there = flat.flatMap((point, number) => (point.equals(corner) ? [number] : []));
    return there.reduce((one, other) => (points[other]!.z < points[one]!.z ? other : one));
  });
  let triangle = best(others.slice(1).map((last, number) => [first!, others[number]!, last]));
  for (let times = 0; times < MOST; times++) {
    const corners = triangle.map((number) => flat[number]!) as Three<Vector2>;
    let [lowest, depth] = [0, 0];
    for (const [number, point] of points.entries()) {
      const parts = shares(corners, flat[number]!);
      if (!parts) continue;
      const height = point.z - parts.reduce((sum, part, index) => sum + part * points[triangle[index]!]!.z, 0);
      if (height < depth) [lowest, depth] = [number, height];
    }
    if (depth > -EXACT) break;
    const [a, b, c] = triangle;
    triangle = best([
      [lowest, b, c],
      [a, lowest, c],
      [a, b, lowest],
    ]);
  }
  return { triangle, inside: within >= 0 };
}

/** The barycentric coordinates of a point in a triangle that has an area. */
function shares([a, b, c]: Three<Vector2>, point: Vector2): Three<number> | undefined {
  const [ab, ac, way] = [b.clone().sub(a), c.clone().sub(a), point.clone().sub(a)];
  const area = ab.cross(ac);
  const [second, third] = [way.cross(ac) / area, ab.cross(way) / area];
  return Math.abs(area) > EXACT ? [1 - second - third, second, third] : undefined;
}

/** The place on the border that is nearest to a point. */
function nearest(outline: Vector2[], point: Vector2): Vector2 {
  const places = outline.map((a, index) => {
    const edge = outline[(index + 1) % outline.length]!.clone().sub(a);
    const share = point.clone().sub(a).dot(edge) / Math.max(edge.lengthSq(), 1e-24);
    return a.clone().addScaledVector(edge, Math.min(Math.max(share, 0), 1));
  });
  return places.reduce((one, other) => (other.distanceTo(point) < one.distanceTo(point) ? other : one));
}
