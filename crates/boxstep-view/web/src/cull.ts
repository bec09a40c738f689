// Large drawings: only what is seen of them is in the page. All else is known by where it stands, and put in when it comes into sight.

export type Rect = { x: number; y: number; width: number; height: number };

/** Drawings with fewer boxes, links and borders of links than this are in the page as they are. */
const MANY = 600;
/** How far around what is seen things are put in, and the side of a field of the index, in the drawing's pixels. */
const AROUND = 250;
const FIELD = 500;

/** Where groups around an element have moved it: drawings only use translations. */
export function offsetOf(element: Element): [number, number] {
  let [x, y] = [0, 0];
  for (let one = element.parentElement; one && one.tagName !== 'svg'; one = one.parentElement) {
    const [, dx, dy] = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(one.getAttribute('transform') ?? '') ?? [];
    if (dx !== undefined) [x, y] = [x + Number(dx), y + Number(dy)];
  }
  return [x, y];
}

const number = (of: Element, name: string) => Number(of.getAttribute(name) ?? 0);

/** Where a box of the drawing stands. */
export function placeOf(shape: Element): Rect {
  const [x, y] = offsetOf(shape);
  return { x: x + number(shape, 'x'), y: y + number(shape, 'y'), width: number(shape, 'width'), height: number(shape, 'height') };
}

/** The rectangle around a path of absolute points, the arms of its curves included. */
export function around(d: string): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  let [x, y] = [0, 0];
  for (const [, sign, rest] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const all = (rest!.match(/-?[\d.]+/g) ?? []).map(Number);
    const low = sign === sign!.toLowerCase();
    const step = sign === 'H' || sign === 'h' || sign === 'V' || sign === 'v' ? 1 : 2;
    const [fromX, fromY] = [x, y];
    for (let at = 0; at < all.length; at += step) {
      if (sign === 'H' || sign === 'h') x = (low ? fromX : 0) + all[at]!;
      else if (sign === 'V' || sign === 'v') y = (low ? fromY : 0) + all[at]!;
      else if (sign !== 'a' && sign !== 'A') [x, y] = [(low ? fromX : 0) + all[at]!, (low ? fromY : 0) + (all[at + 1] ?? 0)];
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
    if (sign === 'a' || sign === 'A') {
      [x, y] = [(low ? fromX : 0) + (all.at(-2) ?? 0), (low ? fromY : 0) + (all.at(-1) ?? 0)];
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Something that is drawn, where it stands, and the group that it is drawn in. */
export type Placed = { element: Element; layer: Element; rect: Rect };

/** The parts of a large drawing, of which those that can be seen are in it. */
export class Culled {
  private fields = new Map<string, Placed[]>();
  private there = new Set<Placed>();

  private constructor() {}

  /** Takes all parts, if there are many; none of them is in the drawing then. */
  static of(parts: readonly Placed[]): Culled | undefined {
    if (parts.length < MANY) return undefined;
    const culled = new Culled();
    for (const part of parts) culled.add(part);
    return culled;
  }

  private add(part: Placed): void {
    const { x, y, width, height } = part.rect;
    for (let column = Math.floor(x / FIELD); column <= Math.floor((x + width) / FIELD); column++) {
      for (let row = Math.floor(y / FIELD); row <= Math.floor((y + height) / FIELD); row++) {
        const key = `${column} ${row}`;
        const field = this.fields.get(key);
        if (field) field.push(part);
        else this.fields.set(key, [part]);
      }
    }
  }

  /** Puts in what can be seen, and takes out the rest. */
  show({ x, y, width, height }: Rect): void {
    const seen = new Set<Placed>();
    for (let column = Math.floor((x - AROUND) / FIELD); column <= Math.floor((x + width + AROUND) / FIELD); column++) {
      for (let row = Math.floor((y - AROUND) / FIELD); row <= Math.floor((y + height + AROUND) / FIELD); row++) {
        for (const part of this.fields.get(`${column} ${row}`) ?? []) seen.add(part);
      }
    }
    for (const part of this.there) if (!seen.has(part)) part.element.remove();
    for (const part of seen) if (!this.there.has(part)) part.layer.append(part.element);
    this.there = seen;
  }
}
