// What a pointer does in a diagram that can be changed: boxes are moved and chosen, links are drawn.

import { offsetOf, type Rect } from '../cull';
import { around, snapped, type Line } from './snap';

/** The end of a link: `output`, `onStopped`, and the path of its box. */
export type End = { about: string; port: string; path: string };
export type Point = { x: number; y: number };

/** Pixels of a drawing for one of a file. */
export const SCALE = 1.5;
/** The pointer has moved, and has not only trembled. */
const MOVED = 4;
/** How near boxes have to be to a line to come into it, in pixels of the screen. */
const SNAPS = 6;

export type Diagram = {
  stage: HTMLElement;
  /** The drawing, and how large it is shown. */
  svg: () => SVGSVGElement | null;
  zoom: () => number;
  /** A point of the window in the drawing. */
  inside: (x: number, y: number) => Point;
  boxes: () => Map<string, Element>;
  /** Where they stand in the drawing. */
  places: () => Map<string, Rect>;
  chosen: () => string[];
  choose: (paths: string[]) => void;
  move: (paths: string[], by: Point) => Promise<unknown>;
  connect: (from: End, to: End) => void;
  /** A link that was let go where nothing is. */
  lead: (from: End, at: Point) => void;
};

const NS = 'http://www.w3.org/2000/svg';

export const endOf = (element: Element | null, name: 'data-port' | 'data-from' | 'data-to'): End | undefined => {
  const [about, port, path] = element?.getAttribute(name)?.split('\t') ?? [];
  return about && port !== undefined && path !== undefined ? { about, port, path } : undefined;
};

/** How near to a port a link begins, in pixels of the screen; its name is a part of the box. */
const NEAR = 11;

function portNear({ target, clientX, clientY }: PointerEvent): Element | null {
  const port = (target as Element).closest('[data-port]');
  const shape = port?.querySelector('.port')?.getBoundingClientRect();
  if (!port || !shape) return null;
  return Math.hypot(clientX - shape.x - shape.width / 2, clientY - shape.y - shape.height / 2) <= NEAR ? port : null;
}

/** Follows a pointer that has been pressed until it is let go; `false` for one that is taken away. */
export function held(first: PointerEvent, moved: (at: PointerEvent) => void, done: (at: PointerEvent, whole: boolean) => void): void {
  const over = new AbortController();
  const { signal } = over;
  const only = (act: (event: PointerEvent) => void) => (event: PointerEvent) => event.pointerId === first.pointerId && act(event);
  addEventListener('pointermove', only(moved), { signal });
  addEventListener('pointerup', only((event) => (over.abort(), done(event, true))), { signal });
  addEventListener('pointercancel', only((event) => (over.abort(), done(event, false))), { signal });
  addEventListener('keydown', (event) => event.key === 'Escape' && (event.stopPropagation(), event.preventDefault(), over.abort(), done(first, false)), { signal, capture: true });
}

/** The click that follows a gesture is not about what is there. */
export function withoutClick(): void {
  const over = new AbortController();
  addEventListener('click', (event) => event.stopPropagation(), { capture: true, signal: over.signal });
  setTimeout(() => over.abort());
}

/** A link as it is while it is drawn or its boxes move. */
const curve = (from: Point, to: Point) => {
  const bend = Math.max(30, Math.abs(to.x - from.x) / 2);
  return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
};

/** Where a port is, in the drawing. */
function placeOf(port: Element): Point {
  const { x, y, width, height } = port.querySelector<SVGGraphicsElement>('.port')!.getBBox();
  const [dx, dy] = offsetOf(port.querySelector('.port')!);
  return { x: x + width / 2 + dx, y: y + height / 2 + dy };
}

/** The lines that show with what a box is in line. */
class Guides {
  private lines: SVGLineElement[] = [];
  constructor(private svg: SVGSVGElement | null) {}

  show(lines: Line[]): void {
    for (const line of this.lines.splice(0)) line.remove();
    for (const { x1, y1, x2, y2 } of lines) {
      const line = document.createElementNS(NS, 'line');
      line.setAttribute('class', 'guide');
      for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value.toFixed(1));
      this.svg?.append(line);
      this.lines.push(line);
    }
  }
}

export class Gestures {
  /** What puts boxes that were let go to where the drawing has them: once it has them at their new places. */
  private left: (() => void)[] = [];

  constructor(private diagram: Diagram) {}

  /** The diagram is drawn anew. */
  settle(): void {
    for (const back of this.left.splice(0)) back();
  }

  /** A pointer is pressed; true if that begins a gesture, so that nothing else is to come of it. */
  press(event: PointerEvent): boolean {
    if (event.button) return false;
    const target = event.target as Element;
    if (target.closest('.over, .wrench')) return false;
    const port = portNear(event);
    if (port) return this.draw(event, port);
    const box = target.closest('[data-box]')?.getAttribute('data-box');
    if (box) return this.drag(event, box);
    if (event.shiftKey) return this.band(event);
    return false;
  }

  private draw(first: PointerEvent, port: Element): boolean {
    const [svg, end] = [this.diagram.svg(), endOf(port, 'data-port')];
    if (!svg || !end) return false;
    const path = document.createElementNS(NS, 'path');
    path.setAttribute('class', 'link drawn');
    const from = placeOf(port);
    let over: Element | null = null;
    let last: Point = { x: first.clientX, y: first.clientY };
    held(
      first,
      (at) => {
        last = { x: at.clientX, y: at.clientY };
        if (!path.parentNode) svg.append(path);
        const to = this.diagram.inside(at.clientX, at.clientY);
        // One that is drawn from its end is the same link.
        path.setAttribute('d', outgoing(end, this.diagram) ? curve(from, to) : curve(to, from));
        const next = this.aimed(at);
        if (next !== over) [over?.classList.remove('aimed'), next?.classList.add('aimed')];
        over = next;
      },
      (_, whole) => {
        const drawn = !!path.parentNode;
        path.remove();
        over?.classList.remove('aimed');
        const other = endOf(over, 'data-port');
        if (!whole || !drawn || over === port) return;
        if (!other) {
          const under = document.elementFromPoint(last.x, last.y);
          // On a box without a port nothing is meant.
          if (!under?.closest('.stage') || under.closest('[data-box], .over') || !outgoing(end, this.diagram)) return;
          withoutClick();
          // What opens now would be closed as the button is let go.
          setTimeout(() => this.diagram.lead(end, last));
          return;
        }
        if (outgoing(end, this.diagram)) this.diagram.connect(end, other);
        else this.diagram.connect(other, end);
      },
    );
    return true;
  }

  /** The port that a link ends at: also by its name. */
  private aimed({ clientX, clientY }: PointerEvent): Element | null {
    return document.elementFromPoint(clientX, clientY)?.closest('[data-port]') ?? null;
  }

  private drag(first: PointerEvent, box: string): boolean {
    const { chosen, choose, boxes, zoom } = this.diagram;
    const several = first.shiftKey || first.ctrlKey || first.metaKey;
    if (several) {
      choose(chosen().includes(box) ? chosen().filter((one) => one !== box) : [...chosen(), box]);
      return true;
    }
    const moved = chosen().includes(box) ? chosen() : [box];
    const elements = moved.flatMap((path) => boxes().get(path) ?? []) as SVGGElement[];
    const links = this.linksOf(moved);
    const places = this.diagram.places();
    const frame = around(moved.flatMap((path) => places.get(path) ?? []));
    const others = [...places].filter(([path]) => !moved.includes(path)).map(([, place]) => place);
    const guides = new Guides(this.diagram.svg());
    let by: Point | undefined;
    held(
      first,
      (at) => {
        const [x, y] = [(at.clientX - first.clientX) / zoom(), (at.clientY - first.clientY) / zoom()];
        if (!by && Math.hypot(at.clientX - first.clientX, at.clientY - first.clientY) < MOVED) return;
        if (!by && moved.length === 1) choose(moved);
        const snap = frame && !at.altKey ? snapped({ ...frame, x: frame.x + x, y: frame.y + y }, others, SNAPS / zoom()) : { x: 0, y: 0, lines: [] };
        guides.show(snap.lines);
        by = { x: x + snap.x, y: y + snap.y };
        for (const element of elements) element.style.transform = `translate(${by.x}px, ${by.y}px)`;
        for (const link of links) link.follow(by);
      },
      (_, whole) => {
        guides.show([]);
        if (!by) return;
        withoutClick();
        const back = () => {
          for (const element of elements) element.style.transform = '';
          for (const link of links) link.rest();
        };
        if (!whole) return back();
        this.left.push(back);
        void this.diagram.move(moved, { x: by.x / SCALE, y: by.y / SCALE }).then((done) => done || back());
      },
    );
    return true;
  }

  /** The links of boxes, as they follow these. */
  private linksOf(paths: string[]): { follow: (by: Point) => void; rest: () => void }[] {
    const svg = this.diagram.svg();
    const ports = new Map([...(svg?.querySelectorAll('[data-port]') ?? [])].map((port) => [port.getAttribute('data-port'), port]));
    return [...(svg?.querySelectorAll<SVGPathElement>('[data-from]') ?? [])].flatMap((link) => {
      const [from, to] = [endOf(link, 'data-from'), endOf(link, 'data-to')];
      const [begins, ends] = [paths.includes(from?.path ?? ''), paths.includes(to?.path ?? '')];
      const [a, b] = [ports.get(link.getAttribute('data-from')), ports.get(link.getAttribute('data-to'))];
      if ((!begins && !ends) || !a || !b) return [];
      const [start, end, d] = [placeOf(a), placeOf(b), link.getAttribute('d')!];
      const moved = (of: Point, is: boolean, by: Point) => (is ? { x: of.x + by.x, y: of.y + by.y } : of);
      const [dx, dy] = offsetOf(link);
      const halo = link.previousElementSibling?.classList.contains('halo') ? link.previousElementSibling : null;
      const set = (to: string) => [link.setAttribute('d', to), halo?.setAttribute('d', to)];
      const own = (of: Point) => ({ x: of.x - dx, y: of.y - dy });
      return [{ follow: (by: Point) => void set(curve(own(moved(start, begins, by)), own(moved(end, ends, by)))), rest: () => void set(d) }];
    });
  }

  private band(first: PointerEvent): boolean {
    const { stage, boxes, choose, chosen } = this.diagram;
    const frame = stage.getBoundingClientRect();
    const band = document.createElement('div');
    band.className = 'band';
    const before = chosen();
    held(
      first,
      (at) => {
        if (!band.parentNode) stage.append(band);
        const [left, right] = [Math.min(first.clientX, at.clientX), Math.max(first.clientX, at.clientX)];
        const [top, bottom] = [Math.min(first.clientY, at.clientY), Math.max(first.clientY, at.clientY)];
        Object.assign(band.style, { left: `${left - frame.left}px`, top: `${top - frame.top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
        const within = [...boxes()].filter(([, element]) => {
          const box = element.getBoundingClientRect();
          return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
        });
        choose([...new Set([...before, ...within.map(([path]) => path)])]);
      },
      (_, whole) => {
        if (!whole) choose(before);
        if (band.parentNode) withoutClick();
        band.remove();
      },
    );
    return true;
  }
}

/** Whether signals come from a port into the diagram: outputs of boxes, and inputs of the one around it. */
export function outgoing(end: End, diagram: Pick<Diagram, 'boxes'>): boolean {
  const inner = diagram.boxes().has(end.path);
  return inner ? end.about === 'output' : end.about === 'input';
}
