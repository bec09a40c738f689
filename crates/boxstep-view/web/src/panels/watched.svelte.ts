// Values that somebody has chosen to plot, and the one whose changes are looked for.

import type { Which } from '../wire.svelte';

export const keyOf = (which: Which): string => `${which.about}\t${which.path}\t${which.name}`;

/** What it is called. */
export function nameOf({ about, path, name }: Which): string {
  if (about === 'memory' || about === 'joint') return name;
  if (about === 'variable') return `$${name}`;
  return name ? `${path} · ${name}` : path;
}

class Watched {
  items = $state<Which[]>([]);
  /** Whose next change is looked for. */
  chosen = $state('');

  has(which: Which): boolean {
    const key = keyOf(which);
    return this.items.some((one) => keyOf(one) === key);
  }

  toggle(which: Which): void {
    const key = keyOf(which);
    if (this.has(which)) {
      this.items = this.items.filter((one) => keyOf(one) !== key);
      if (this.chosen === key) this.chosen = this.items[0] ? keyOf(this.items[0]) : '';
    } else {
      this.items = [...this.items, { about: which.about, path: which.path, name: which.name }];
      this.chosen ||= key;
    }
  }

  get wanted(): Which | undefined {
    return this.items.find((one) => keyOf(one) === this.chosen);
  }
}

export const watched = new Watched();
