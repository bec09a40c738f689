// A line of a script that somebody wants to see.

class Spot {
  at = $state.raw<{ path: string; line: number } | undefined>();
}

export const spot = new Spot();
