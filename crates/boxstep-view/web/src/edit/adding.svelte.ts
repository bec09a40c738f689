// What the library adds to the diagram that is shown.

import { layout } from '../layout.svelte';
import type { Point } from './gestures';
import type { Kind } from './library.svelte';

/** A diagram that boxes can be added to. */
type Place = {
  /** Whether a point of the window is in it. */
  has: (at: Point) => boolean;
  /** Adds a box there, and beside the one that is chosen. */
  drop: (what: Kind, at: Point) => void;
  beside: (what: Kind) => void;
  /** How large it is shown. */
  zoom: () => number;
};

class Adding {
  private place: Place | undefined;
  private waiting: Kind | undefined;

  /** The diagram that is shown from now on; it goes with the function that is returned. */
  into(place: Place): () => void {
    this.place = place;
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) place.beside(waiting);
    return () => {
      if (this.place === place) this.place = undefined;
    };
  }

  get zoom(): number {
    return this.place?.zoom() ?? 1;
  }

  over(at: Point): boolean {
    return this.place?.has(at) ?? false;
  }

  drop(what: Kind, at: Point): void {
    this.place?.drop(what, at);
  }

  /** Adds a box beside the one that is chosen; the diagram is shown for it. */
  beside(what: Kind): void {
    if (this.place) return this.place.beside(what);
    this.waiting = what;
    layout.one = 'diagram';
    if (!layout.dockOf('diagram')) layout.show('diagram');
  }
}

export const adding = new Adding();
