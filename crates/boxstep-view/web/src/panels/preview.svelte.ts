// A posture that is looked at, and not played: of a frame of a timeline, or made by hand.

class Preview {
  /** Radians, by joint; none if nothing is looked at. */
  angles = $state.raw<Map<string, number> | undefined>();
  label = $state('');
  /** Somebody has moved joints. */
  posed = $state(false);

  show(angles: Map<string, number>, label: string): void {
    [this.angles, this.label, this.posed] = [angles, label, false];
  }

  /** Moves a joint of what is looked at, else of how the robot stands. */
  bend(joint: string, angle: number, stands: Map<string, number>): void {
    this.angles = new Map(this.angles ?? stands).set(joint, angle);
    [this.label, this.posed] = ['moved by hand', true];
  }

  end(): void {
    [this.angles, this.posed] = [undefined, false];
  }
}

export const preview = new Preview();
