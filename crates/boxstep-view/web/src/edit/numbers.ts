// Numbers on links, near where they end: in which order they pass on the signals of their port.

import { offsetOf } from '../cull';
import { endOf } from './gestures';
import type { Order } from './order';

const NS = 'http://www.w3.org/2000/svg';
/** How far from its end a link has its number. */
const BEFORE = 30;

/** Draws the numbers, and returns what removes them. */
export function numberLinks(svg: SVGSVGElement | null, links: Element[], order: Order): () => void {
  const signs = links.flatMap((link) => {
    const to = endOf(link, 'data-to');
    const at = order.to.findIndex(({ path, port }) => path === to?.path && port === to.port);
    // Of a large drawing only what is seen is in the page.
    if (at < 0 || !(link instanceof SVGPathElement) || !link.isConnected) return [];
    const long = link.getTotalLength();
    const { x, y } = link.getPointAtLength(Math.max(long - BEFORE, long / 2));
    const [dx, dy] = offsetOf(link);
    const sign = document.createElementNS(NS, 'g');
    sign.setAttribute('class', 'order');
    sign.setAttribute('transform', `translate(${x + dx} ${y + dy})`);
    const circle = document.createElementNS(NS, 'circle');
    circle.setAttribute('r', '8.5');
    const text = document.createElementNS(NS, 'text');
    text.textContent = String(at + 1);
    sign.append(circle, text);
    svg?.append(sign);
    return [sign];
  });
  return () => signs.forEach((sign) => sign.remove());
}
