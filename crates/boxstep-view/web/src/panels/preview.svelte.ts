// A posture that is looked at, and not played: of a frame of a timeline.

class Preview {
  /** Radians, by joint; none if nothing is looked at. */
  angles = $state.raw<Map<string, number> | undefined>();
  label = $state('');

  show(angles: Map<string, number>, label: string): void {
    [this.angles, this.label] = [angles, label];
  }

  end(): void {
    this.angles = undefined;
  }
}

export const preview = new Preview();
