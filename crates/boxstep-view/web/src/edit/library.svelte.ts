// The boxes that can be added.

import { backend } from '../backend';

/** A box to add; `add` is that of the operation. */
export type Kind = { name: string; group: string; about: string; icon?: string; add: unknown };

const EMPTY: Kind[] = [
  { name: 'Python Script', group: 'Empty', about: 'A box with a Python script of its own.', add: { empty: 'script' } },
  { name: 'Diagram', group: 'Empty', about: 'A box with boxes in it.', add: { empty: 'diagram' } },
  { name: 'Timeline', group: 'Empty', about: 'Movements of joints, and boxes that start at frames.', add: { empty: 'timeline' } },
];

class Library {
  all = $state.raw<Kind[]>(EMPTY);
  private asked = false;

  /** Asks the server once. */
  async read(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    const answer = await backend.fetch('/library').catch(() => undefined);
    if (!answer?.ok) return;
    const boxes = (await answer.json()) as Omit<Kind, 'add'>[];
    this.all = [...EMPTY, ...boxes.map((kind) => ({ ...kind, add: { library: kind.name } }))];
  }
}

export const library = new Library();
