// The files of the behavior's folder, by their paths there.

import { backend } from './backend';
import { wire } from './wire.svelte';

class Files {
  all = $state.raw<string[]>([]);

  /** Reads the list anew. */
  async read(): Promise<void> {
    const answer = await backend.fetch('/files').catch(() => undefined);
    if (answer?.ok) this.all = (await answer.json()) as string[];
  }
}

export const files = new Files();

/** Reads the list now, and when behaviors have come or have been saved. */
export function followFiles(): void {
  void wire.run;
  if (!wire.models.length) return;
  void files.read();
}
