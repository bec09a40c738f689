// The run's time, for what says how long something lasts already.

import { wire } from '../wire.svelte';

/** For a component: its `t` is the run's time in nanoseconds, and goes on while the run does. */
export function clock(): { readonly t: number } {
  let t = $state(wire.now());
  $effect(() => {
    t = wire.t;
    if (!wire.goes) return;
    const timer = setInterval(() => (t = wire.now()), 250);
    return () => clearInterval(timer);
  });
  return {
    get t() {
      return t;
    },
  };
}
