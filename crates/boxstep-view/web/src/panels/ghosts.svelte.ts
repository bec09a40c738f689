// Where the robot is at the keys beside the frame that is shown: drawn pale beside it.

/** Radians, by joint. */
export type Posture = Map<string, number>;

class Ghosts {
  on = $state(false);
  before = $state.raw<Posture | undefined>();
  after = $state.raw<Posture | undefined>();

  show(before: Posture | undefined, after: Posture | undefined): void {
    [this.before, this.after] = [before, after];
  }
}

export const ghosts = new Ghosts();
