// The robot of the page: what is known of it, read once.

import { backend } from '../backend';
import type { Body } from './body';

class Known {
  body = $state.raw<Body | undefined>();

  /** It can be drawn; until it is known it is taken to be. */
  get there(): boolean {
    return !this.body || this.body.links.length > 0;
  }

  async read(): Promise<void> {
    try {
      const answer = await backend.fetch('/body');
      if (answer.ok) this.body = (await answer.json()) as Body;
    } catch {
      // The program has gone; there is nothing to draw.
    }
  }
}

export const robot = new Known();
