// What was is played again: a recording, or the past of a run. It only looks; it changes nothing.

import { wire } from './wire.svelte';

/** No jumps: of a page that was away for longer only so much passes. */
const MOST_MS = 250;

class Playback {
  loop = $state(false);
  private frame = 0;
  private last = 0;
  /** The time that is wanted, finer than what was asked for. */
  private at = 0;
  private asked = -1;

  /** Whether there is something to play back at this time: a recording, or the past. */
  get here(): boolean {
    return !wire.live;
  }

  toggle(): void {
    if (wire.replays) this.pause();
    else this.start();
  }

  start(): void {
    if (wire.t >= wire.end) this.seek(wire.begin);
    this.at = wire.t;
    this.asked = wire.t;
    wire.replays = true;
    this.last = performance.now();
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(this.tick);
  }

  pause(): void {
    wire.replays = false;
    cancelAnimationFrame(this.frame);
  }

  /** Shows a time; what plays goes on from there. */
  seek(t: number): void {
    const to = Math.round(Math.max(t, 0));
    [this.at, this.asked] = [to, to];
    wire.seeks += 1;
    wire.send({ do: 'seek', t: to });
  }

  /** Back to what happens now. */
  live(): void {
    this.pause();
    wire.send({ do: 'live' });
  }

  private tick = (now: number): void => {
    if (!wire.replays) return;
    this.frame = requestAnimationFrame(this.tick);
    const passed = Math.min(Math.max(now - this.last, 0), MOST_MS);
    this.last = now;
    if (wire.live || !wire.connected) return this.pause();
    this.at += passed * 1e6 * wire.replaySpeed;
    // What was asked for last has not come yet.
    if (wire.t !== this.asked) return;
    if (this.at < wire.end) this.seek(this.at);
    else if (wire.t < wire.end) this.seek(wire.end);
    else if (this.loop) this.seek(wire.begin);
    else if (wire.controls) this.live();
    else this.pause();
  };
}

export const playback = new Playback();
