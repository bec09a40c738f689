// A line of a script that somebody wants to see.

class Spot {
  at = $state.raw<{ path: string; line: number } | undefined>();
  /** Counts how often the keyboard was to go to the script. */
  keyboard = $state(0);
}

export const spot = new Spot();
