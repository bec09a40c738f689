// What the page changes of the behavior's file: operations, undo, saving. The server does them in the order in which they come.

import { wire } from '../wire.svelte';
import { guide } from './guide.svelte';

/** An operation: docs/schemas/edit.schema.json. */
export type Op = { op: string } & Record<string, unknown>;

type State = {
  file: string;
  version: number;
  changed: boolean;
  undo: string[];
  redo: string[];
  lines: { start: number; end: number }[];
  counts: string[];
  recovered?: string;
  conflict?: string;
};

/** Something that is wrong; `box` is the path of a box in the file, `line` one of its script. */
export type Finding = { box: string; line?: number; severity: 'error' | 'warning' | 'note'; code: string; message: string; help?: string };

/** How long after a change the file is checked, milliseconds: others may follow. */
const CHECKED = 400;

class Edit {
  /** The number of the behavior, and the path of its root in the run and in its file. */
  of = $state.raw({ model: 0, run: '', file: '' });
  state = $state.raw<State | undefined>();
  /** What was refused last, and why. */
  refused = $state('');
  /** What has been done while the run goes on, and counts only later. */
  later = $state.raw<string[]>([]);
  /** The difference to what another program has written. */
  conflict = $state('');
  /** What was found of changes that were not saved, until it is put away. */
  recovered = $state('');
  /** Boxes that are chosen together, by their paths in the run. */
  chosen = $state.raw<string[]>([]);
  /** What is wrong with the file as it is now. */
  findings = $state.raw<Finding[]>([]);
  private gestures = 0;
  /** What is under way, so that each request sees what the one before has done. */
  private line: Promise<unknown> = Promise.resolve();

  /** Whether the page can change what it shows. */
  get on(): boolean {
    return wire.edits && !!this.state;
  }

  /** The path of a box in its file. */
  own(path: string): string {
    return path === this.of.run ? this.of.file : path.startsWith(`${this.of.run}/`) ? this.of.file + path.slice(this.of.run.length) : path;
  }

  /** A name for operations that are undone together. */
  gesture(): string {
    return `${performance.timeOrigin}.${++this.gestures}`;
  }

  async follow(): Promise<void> {
    if (!wire.edits) return;
    const { model } = this.of;
    const answer = await fetch(`/edit/${model}`).catch(() => undefined);
    if (!answer || model !== this.of.model) return;
    const first = !this.state;
    const state = answer.ok ? ((await answer.json()) as State | { refused: string }) : undefined;
    this.state = state && 'version' in state ? state : undefined;
    if (first) this.recovered = this.state?.recovered ?? '';
    this.check();
  }

  /** The path in the run of a box of the file. */
  run(own: string): string {
    return own === this.of.file ? this.of.run : own.startsWith(`${this.of.file}/`) ? this.of.run + own.slice(this.of.file.length) : own;
  }

  private checking: ReturnType<typeof setTimeout> | undefined;
  private check(): void {
    clearTimeout(this.checking);
    this.checking = setTimeout(async () => {
      const { model } = this.of;
      const answer = await fetch(`/findings/${model}`).catch(() => undefined);
      const found = answer?.ok ? ((await answer.json()) as Finding[] | { refused: string }) : [];
      if (model === this.of.model) this.findings = Array.isArray(found) ? found : [];
    }, CHECKED);
  }

  apply(label: string, ops: Op[], gesture?: string): Promise<boolean> {
    return this.ask({ do: 'apply', label, gesture, ops });
  }

  undo(): Promise<boolean> {
    return this.ask({ do: 'undo' });
  }

  redo(): Promise<boolean> {
    return this.ask({ do: 'redo' });
  }

  save(): Promise<boolean> {
    return this.ask({ do: 'save' });
  }

  /** Ends a conflict with what another program has written. */
  settle(how: 'merge' | 'overwrite' | 'discard'): Promise<boolean> {
    this.conflict = '';
    return this.ask({ do: how });
  }

  async copied(paths: string[]): Promise<string | undefined> {
    const boxes = JSON.stringify(paths.map((path) => this.own(path)));
    const answer = await fetch(`/copy/${this.of.model}?boxes=${encodeURIComponent(boxes)}`).catch(() => undefined);
    const { clip, refused = 'the program has ended' } = answer?.ok ? ((await answer.json()) as { clip?: string; refused?: string }) : {};
    if (clip === undefined) this.refused = refused;
    return clip;
  }

  private ask(request: Record<string, unknown>): Promise<boolean> {
    const { model } = this.of;
    const work = this.line.then(() => this.send(model, request));
    this.line = work;
    return work;
  }

  private async send(model: number, request: Record<string, unknown>): Promise<boolean> {
    this.refused = '';
    const answer = await fetch(`/edit/${model}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) }).catch(() => undefined);
    if (!answer) {
      this.refused = 'the program has ended; what was changed is in its draft beside the file';
      return false;
    }
    const state = answer.ok ? ((await answer.json()) as State | { refused: string }) : { refused: await answer.text() };
    if ('refused' in state) {
      this.refused = state.refused;
      return false;
    }
    if (model === this.of.model) this.state = state;
    this.conflict = state.conflict ?? '';
    // Whoever goes on has seen what was found.
    this.recovered = '';
    if (request.do !== 'save') this.later = state.counts;
    if (!state.conflict) guide.asked(request);
    return !state.conflict;
  }
}

export const edit = new Edit();
