// A convex area on the floor: the rules of boxstep-dynamics (support).

import { Vector2 } from 'three';

/** The smallest convex area around points, counter-clockwise. */
export function around(points: Vector2[]): Vector2[] {
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

/** How far a point is inside of the border, in metres, negative outside, and to where it would leave it. */
export function margin(support: Vector2[], at: Vector2): { margin: number; side: string } {
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
