// Signals in a drawing: what lights up as one passes, and the last value of each port. A picture of a large diagram has thousands of
// them, so each costs a look-up unless something changes for the eye.

import type { Part } from './drawing';
import { wire, type Item } from './wire.svelte';

type Port = { element: Element; shape: SVGGraphicsElement | null; about: string; text: SVGTextElement | null; said: string };
type Wire = { links: SVGElement[]; port: Port | undefined; passed: boolean; until: number; fading: Animation[] };

/** How long a light lasts after the last signal, milliseconds, and how long it takes to fade. */
const LONG = 350;
const FADE = 500;
/** How many fade at a time: more nobody can follow, and each has the browser draw for as long as it takes. */
const MOST = 60;
/** How much of a value stands beside an output. */
const SHORT = 14;

const LINK: Keyframe[] = [{ stroke: 'var(--light)', strokeWidth: '5px' }, { strokeWidth: '1.8px' }];

export class Lights {
  private wires = new Map<string, Wire>();
  private lit = new Set<Wire>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes what a drawing has that the one before had not, and forgets what it has no more. */
  change({ come, gone, own }: { come: readonly Part[]; gone: readonly Part[]; own: readonly Element[] }): void {
    for (const part of gone) {
      for (const element of part.ports) this.forgetPort(element);
      if (!part.link) continue;
      const wire = this.wires.get(part.element.getAttribute('data-from')!);
      if (wire) wire.links = wire.links.filter((link) => link !== part.element);
    }
    for (const element of [...own, ...come.flatMap((part) => part.ports)]) {
      const shape = element.querySelector<SVGGraphicsElement>('.port');
      const about = element.querySelector('title')?.textContent ?? '';
      this.of(element.getAttribute('data-port')!).port = { element, shape, about, text: null, said: '' };
    }
    for (const { element, link } of come) if (link) this.of(element.getAttribute('data-from')!).links.push(element as SVGElement);
  }

  private forgetPort(element: Element): void {
    const wire = this.wires.get(element.getAttribute('data-port')!);
    if (wire?.port?.element === element) wire.port = undefined;
  }

  /** All links, whether they are seen or not. */
  links(): SVGElement[] {
    return [...this.wires.values()].flatMap((wire) => wire.links);
  }

  private of(key: string): Wire {
    let wire = this.wires.get(key);
    if (!wire) {
      wire = { links: [], port: undefined, passed: false, until: 0, fading: [] };
      this.wires.set(key, wire);
    }
    return wire;
  }

  /** Begins a picture. */
  begin(whole: boolean): void {
    if (!whole) return;
    for (const wire of this.lit) this.put(wire, false);
    this.lit.clear();
    for (const wire of this.wires.values()) {
      if (!wire.passed) continue;
      wire.passed = false;
      wire.port?.element.classList.remove('passed');
      for (const link of wire.links) link.classList.remove('passed');
      if (wire.port?.text) {
        wire.port.text.textContent = '';
        wire.port.said = '';
      }
    }
  }

  /** A signal was there. `lights`: just now. */
  signal(item: Item, lights: boolean): void {
    const wire = this.wires.get(`${item.about}\t${item.name}\t${item.path}`);
    if (!wire) return;
    if (!wire.passed) {
      wire.passed = true;
      wire.port?.element.classList.add('passed');
      for (const link of wire.links) link.classList.add('passed');
    }
    if (wire.port && item.about === 'output' && item.value !== null) this.say(wire.port, item.value);
    if (lights) this.light(wire);
  }

  /** While signals keep coming the light stays on, and the browser has nothing to draw. */
  private light(wire: Wire): void {
    wire.until = performance.now() + LONG;
    if (this.lit.has(wire)) return;
    this.lit.add(wire);
    wire.fading.forEach((one) => one.cancel());
    this.put(wire, true);
    this.timer ??= setTimeout(() => this.fade(), LONG);
  }

  private fade(): void {
    const now = performance.now();
    const over = [...this.lit].filter((wire) => wire.until <= now);
    for (const wire of over) {
      this.lit.delete(wire);
      this.put(wire, false);
    }
    const timing = { duration: FADE, easing: 'ease-out' };
    for (const wire of over.length <= MOST ? over : []) {
      const all = wire.port?.shape ? [...wire.links, wire.port.shape] : wire.links;
      wire.fading = all.map((one) => one.animate(LINK, timing));
    }
    this.timer = this.lit.size ? setTimeout(() => this.fade(), LONG / 3) : undefined;
  }

  private put(wire: Wire, lit: boolean): void {
    for (const link of wire.links) link.classList.toggle('lit', lit);
    wire.port?.element.classList.toggle('lit', lit);
  }

  /** A value beside an output. */
  private say(port: Port, value: unknown): void {
    const whole = typeof value === 'number' ? String(value) : JSON.stringify(value);
    const short = whole.length > SHORT ? `${whole.slice(0, SHORT)}…` : whole;
    if (short === port.said) return;
    port.said = short;
    if (!port.text && port.shape) {
      // Beside its name, which stands ten pixels from the port; it may not be in the page to be measured.
      const label = port.element.querySelector('text');
      const [x, y] = [Number(label?.getAttribute('x') ?? 0), Number(label?.getAttribute('y') ?? 0)];
      const outside = !label?.classList.contains('end');
      port.text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
      port.text.setAttribute('class', 'last');
      port.text.setAttribute('x', String(outside ? x - 2 : x + 18));
      port.text.setAttribute('y', String(y - 10));
      port.element.append(port.text);
    }
    if (port.text) port.text.textContent = short;
  }

  /** The tooltip of a port has its last value once somebody looks. */
  told(target: Element): void {
    const key = target.closest('[data-port]')?.getAttribute('data-port');
    const port = key && this.wires.get(key)?.port;
    if (!port) return;
    const [about, name, path] = key.split('\t') as [string, string, string];
    const last = wire.get(about, path, name);
    const title = port.element.querySelector('title');
    const said = !last ? '' : `\nlast: ${last.value === null ? 'bang' : JSON.stringify(last.value)}`;
    if (title) title.textContent = port.about + said;
  }
}
