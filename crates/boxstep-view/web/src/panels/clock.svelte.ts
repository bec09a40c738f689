// The run's time, for what says how long something lasts already.

import { wire } from '../wire.svelte';

/** For a component: its `t` is the run's time in nanoseconds, and goes on while the run does. */
export function clock(): { readonly t: number } {
  let ticks = $state(0);
  $effect(() => {
    if (!wire.goes) return;
    const timer = setInterval(() => ticks++, 250);
    return () => clearInterval(timer);
  });
  return {
    get t() {
      // Read again at each tick.
      void ticks;
      return wire.goes ? wire.now() : wire.t;
    },
  };
}
