// The first steps of somebody who has a behavior without boxes: which of them have been done, and whether they are shown.

export const STEPS = {
  box: { title: 'Add a box', how: 'Press A, or right-click the diagram, and choose Say.' },
  link: { title: 'Link it', how: 'Drag from the start of the diagram, at its left edge, to the start of the box; or press L at the box, and choose “in: onStart”.' },
  text: { title: 'Give it a text', how: 'Choose the box: the inspector has its text and its parameters.' },
  play: { title: 'Play it', how: 'Press Play at the foot of the page, and watch the robot.' },
  save: { title: 'Save it', how: 'Press Ctrl-S, or Save at the top. Nothing is written before.' },
} as const;
export type Step = keyof typeof STEPS;
export const NAMES = Object.keys(STEPS) as Step[];

const COOKIE = 'boxstep_guide';
const DONE = 'boxstep.guide';

/** Which step an operation on the behavior is. */
const OPS: Record<string, Step> = { add: 'box', paste: 'box', connect: 'link', set_text: 'text', set_parameter: 'text' };

class Guide {
  /** What the person has done. */
  done = $state.raw<ReadonlySet<Step>>(new Set(JSON.parse(sessionStorage.getItem(DONE) ?? '[]') as Step[]));
  shown = $state(false);
  private offered = false;

  get next(): Step | undefined {
    return NAMES.find((step) => !this.done.has(step));
  }

  /** Shows it by itself, once, to those who have not put it away. */
  offer(): void {
    if (this.offered) return;
    this.offered = true;
    // A cookie, as each start of the program has a port, and so a storage, of its own.
    this.shown = !document.cookie.split('; ').includes(`${COOKIE}=away`);
  }

  putAway(): void {
    this.shown = false;
    document.cookie = `${COOKIE}=away; path=/; max-age=31536000; samesite=strict`;
  }

  toggle(): void {
    this.offered = true;
    if (this.shown) this.putAway();
    else this.shown = true;
  }

  did(step: Step): void {
    if (this.done.has(step)) return;
    this.done = new Set([...this.done, step]);
    sessionStorage.setItem(DONE, JSON.stringify([...this.done]));
  }

  /** What was asked of the editor, and has been done. */
  asked(request: Record<string, unknown>): void {
    if (request.do === 'save' || request.do === 'overwrite') this.did('save');
    for (const { op } of (request.ops as { op: string }[] | undefined) ?? []) {
      const step = OPS[op];
      if (step) this.did(step);
    }
  }
}

export const guide = new Guide();
