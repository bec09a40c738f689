// The character that plays, as its file has it: what is drawn before it plays, and what its leaves do.

import { backend } from './backend';
import type { Behavior, Character } from './wire.svelte';

/** The behaviors of a file, as they are before anything has happened. */
export function behaviorsOf({ behaviors }: Character): Behavior[] {
  return behaviors.map(({ name, kind, children }) => ({
    name,
    path: name,
    is: kind,
    children: children.map(({ to }) => to),
    phase: 'out',
    active: null,
    waits: null,
    winds_down: null,
    by: null,
    runs: 0,
    wants: null,
    ended: null,
  }));
}

class Known {
  file = $state.raw<Character | undefined>();
  /** What each of its behaviors does, in words: `say “Hello”`. */
  words = $derived(new Map((this.file?.behaviors ?? []).map(({ name, kind, details }) => [name, details ? `${kind} ${details}` : kind])));

  async read(): Promise<void> {
    const answer = await backend.fetch('/character').catch(() => undefined);
    this.file = answer?.status === 200 ? ((await answer.json()) as Character) : undefined;
  }
}

export const character = new Known();
