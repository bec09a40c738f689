// The sign in the corner of a box: what it does, for those to whom colours say nothing, too.

export type Look = 'failed' | 'hit' | 'waits' | 'running' | '';

const SIGNS: Record<Exclude<Look, ''>, string> = {
  running: 'M-3.5 -5L5 0L-3.5 5z',
  failed: 'M0 -6.5L6.5 5H-6.5z',
  waits: 'M-4.5 -5.5H4.5L0 0L4.5 5.5H-4.5L0 0z',
  hit: 'M-4.5 -5.5h3.4v11h-3.4zM1.1 -5.5h3.4v11h-3.4z',
};
const ORDER = Object.keys({ failed: 0, hit: 0, waits: 0, running: 0 }) as Exclude<Look, ''>[];

/** The one that matters most. */
export const badgeOf = (classes: DOMTokenList): Look => ORDER.find((look) => classes.contains(look)) ?? '';

/** Draws it on the upper right corner of a box, or takes it away. Says whether that was another one before. */
export function putBadge(box: Element, look: Look): boolean {
  let badge = box.querySelector<SVGPathElement>(':scope > .badge');
  if (!badge && !look) return false;
  if (badge?.dataset.look === look) return false;
  if (!badge) {
    const shape = box.querySelector('.box');
    if (!shape) return false;
    const [x, y, width] = ['x', 'y', 'width'].map((name) => Number(shape.getAttribute(name))) as [number, number, number];
    badge = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    badge.setAttribute('transform', `translate(${x + width - 14} ${y + 13})`);
    badge.setAttribute('aria-hidden', 'true');
    box.append(badge);
  }
  badge.dataset.look = look;
  badge.setAttribute('class', `badge ${look}`);
  badge.setAttribute('d', look ? SIGNS[look] : '');
  return true;
}
