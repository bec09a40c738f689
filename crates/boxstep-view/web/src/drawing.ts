// The server's drawing of a diagram: what is drawn of each box and link is kept as long as its text is the same, so that a change of a
// large diagram costs what has changed, and not all that is there.

import { around, Culled, offsetOf, placeOf, type Placed, type Rect } from './cull';

/** What the server writes before and after what is drawn of a box or link. */
const [BEGIN, END] = ['<!--+-->', '<!--/-->'];
/** Begins alike for all parts of a kind: parts of different kinds are drawn over each other in their order. */
const KIND = 16;

/** A box, a link, or the border of one. */
export type Part = {
  element: Element;
  /** Where it stands, without what the groups around it move. */
  own: Rect;
  /** The path of a box. */
  box: string | null;
  ports: Element[];
  link: boolean;
};

/** Elements of texts, which are all read at once. */
function elementsOf(texts: readonly string[]): Element[] {
  const sheet = document.createElement('template');
  sheet.innerHTML = `<svg>${texts.join('')}</svg>`;
  return [...sheet.content.firstElementChild!.children];
}

function partOf(element: Element): Part {
  const shape = element.querySelector('.box');
  const own = shape ? placeOf(shape) : around(element.getAttribute('d') ?? '');
  return { element, own, box: element.getAttribute('data-box'), ports: [...element.querySelectorAll('[data-port]')], link: element.hasAttribute('data-from') };
}

export class Drawing {
  /** What is drawn around the parts, with a group for each run of them. */
  readonly svg: SVGSVGElement | null;
  readonly size: { w: number; h: number };
  readonly boxes = new Map<string, Element>();
  /** Where each box stands in the drawing. */
  readonly places = new Map<string, Rect>();
  /** The diagrams that are drawn, by their paths: a timeline has one for each keyframe. */
  readonly frames: Map<string, Rect>;
  /** The parts that are new, and those that are no more. */
  readonly come: Part[] = [];
  readonly gone: Part[];
  readonly culled: Culled | undefined;
  private readonly parts = new Map<string, Part[]>();

  /** Reads a drawing. What it has in common with the one before is taken from there. */
  constructor(text: string, before?: Drawing) {
    const [frame, runs] = split(text);
    const sheet = document.createElement('template');
    // The server's own drawing: it escapes whatever files say.
    sheet.innerHTML = frame;
    this.svg = sheet.content.firstElementChild as SVGSVGElement | null;
    const side = (name: string) => Number(this.svg?.getAttribute(name) ?? 0);
    this.size = { w: side('width'), h: side('height') };
    this.frames = new Map([...(this.svg?.querySelectorAll('[data-diagram] > .canvas') ?? [])].map((e) => [e.parentElement!.getAttribute('data-diagram')!, placeOf(e)]));
    const kept = new Map([...(before?.parts ?? [])].map(([text, parts]) => [text, [...parts]]));
    const found = runs.map((run) => run.map((text) => kept.get(text)?.shift()));
    const missing = runs.flatMap((run, at) => run.filter((_, n) => !found[at]![n]));
    const read = elementsOf(missing);
    const all: Placed[] = [];
    const layers = [...(this.svg?.querySelectorAll('.run') ?? [])];
    let next = 0;
    for (const [at, run] of runs.entries()) {
      const layer = layers[at]!;
      const [dx, dy] = offsetOf(layer);
      for (const [n, text] of run.entries()) {
        let part = found[at]![n];
        if (!part) {
          part = partOf(read[next++]!);
          this.come.push(part);
        }
        const known = this.parts.get(text);
        if (known) known.push(part);
        else this.parts.set(text, [part]);
        const rect = { ...part.own, x: part.own.x + dx, y: part.own.y + dy };
        all.push({ element: part.element, layer, rect });
        if (part.box !== null) {
          this.boxes.set(part.box, part.element);
          this.places.set(part.box, rect);
        }
      }
    }
    this.gone = [...kept.values()].flat();
    this.culled = Culled.of(all);
    if (!this.culled) for (const { element, layer } of all) layer.append(element);
  }

  /** The ports of the box whose inside is drawn: they are no parts. */
  ownPorts(): Element[] {
    return [...(this.svg?.querySelectorAll('[data-port]') ?? [])].filter((port) => !port.closest('.run'));
  }
}

/** What is drawn around the parts, and the texts of the parts, by runs of the same kind. */
function split(text: string): [string, string[][]] {
  const [first = '', ...rest] = text.split(BEGIN);
  let frame = first;
  const runs: string[][] = [];
  let kind = '';
  for (const piece of rest) {
    const end = piece.indexOf(END);
    const part = piece.slice(0, end);
    const is = part.slice(0, KIND);
    if (is === kind) runs.at(-1)!.push(part);
    else {
      runs.push([part]);
      frame += '<g class="run"></g>';
      kind = is;
    }
    const after = piece.slice(end + END.length).trim();
    if (after) [frame, kind] = [frame + after, ''];
  }
  return [frame, runs];
}
