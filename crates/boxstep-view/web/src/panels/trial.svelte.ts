// A trial run of what is edited: the frames that are looked at are seen with all that scripts, layers and the robot have done until then.

import { edit } from '../edit/edit.svelte';
import { wire } from '../wire.svelte';

/** How long after a change the run is made anew, milliseconds: others may follow. */
const LATER = 400;

type Place = { model: number; path: string; frame: number; fps: number };

class Trial {
  on = $state(false);
  private wanted: Place | undefined;
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows a frame; of several that are wanted until the display draws again the last one. */
  show(place: Place): void {
    this.wanted = place;
    this.on = true;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (this.on && this.wanted) wire.send({ do: 'trial', ...this.wanted });
    });
  }

  /** The file has changed: it is run anew. */
  again(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.on && this.wanted && this.show(this.wanted), LATER);
  }

  /** Back to the run. */
  end(): void {
    if (!this.on) return;
    this.left();
    wire.send({ do: 'live' });
  }

  /** The page shows the run again. */
  left(): void {
    [this.on, this.wanted] = [false, undefined];
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }
}

export const trial = new Trial();

/** Keeps the trial run what the file is; for a component. */
export function followFile(): void {
  $effect(() => {
    void edit.state?.version;
    trial.again();
  });
  // Somebody went back to the run, or the run has begun anew.
  let seen = false;
  $effect(() => {
    const there = wire.trial !== undefined;
    if (seen && !there) trial.left();
    seen = there;
  });
}
