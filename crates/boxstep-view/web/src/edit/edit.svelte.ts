// What the page changes of the behavior's file: operations, undo, saving. The server does them in the order in which they come.

import { backend } from '../backend';
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
  waits?: string[];
  recovered?: string;
  /** Why a crash would lose what is not saved. */
  unkept?: string;
  conflict?: string;
};

/** Something that is wrong; `box` is the path of a box in the file, `line` one of its script. */
export type Finding = { box: string; line?: number; severity: 'error' | 'warning' | 'note'; code: string; message: string; help?: string };

/** How long after a change the file is checked, milliseconds: others may follow. */
const CHECKED = 400;
/** What browsers send for pages that are gone, at most, with some room for characters of several bytes. */
const KEPT = 16000;

class Edit {
  /** The number of the behavior, and the path of its root in the run and in its file. */
  of = $state.raw({ model: 0, run: '', file: '' });
  state = $state.raw<State | undefined>();
  /** What was refused last, and why. */
  refused = $state('');
  /** What has been done while the run goes on, and counts only later. */
  later = $state.raw<string[]>([]);
  /** Boxes whose new inside waits until it is loaded next, by their paths in the run. */
  waits = $state.raw<string[]>([]);
  /** The difference to what another program has written. */
  conflict = $state('');
  /** What was found of changes that were not saved, until it is put away. */
  recovered = $state('');
  /** Boxes that are chosen together, by their paths in the run. */
  chosen = $state.raw<string[]>([]);
  /** A keyframe whose diagram is wanted: the box of its timeline, and its number there. */
  aim = $state.raw<{ path: string; number: number } | undefined>();
  /** What is wrong with the file as it is now. */
  findings = $state.raw<Finding[]>([]);
  private gestures = 0;
  /** What is under way, so that each request sees what the one before has done. */
  private line: Promise<unknown> = Promise.resolve();
  /** The last change has not arrived: it is only in the page. */
  lost = false;
  /** The page is being left. */
  private leaves = false;

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
    const answer = await backend.fetch(`/edit/${model}`).catch(() => undefined);
    if (!answer || model !== this.of.model) return;
    const first = !this.state;
    const state = answer.ok ? ((await answer.json().catch(() => undefined)) as State | { refused: string } | undefined) : undefined;
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
      const answer = await backend.fetch(`/findings/${model}`).catch(() => undefined);
      const found = answer?.ok ? ((await answer.json()) as Finding[] | { refused: string }) : [];
      if (model === this.of.model) this.findings = Array.isArray(found) ? found : [];
    }, CHECKED);
  }

  /** Does operations; in another behavior than the one that is shown now, if they were begun there. */
  apply(label: string, ops: Op[], gesture?: string, model?: number): Promise<boolean> {
    return this.ask({ do: 'apply', label, gesture, ops }, model);
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
    const body = JSON.stringify({ boxes: paths.map((path) => this.own(path)) });
    const answer = await backend.fetch(`/copy/${this.of.model}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(() => undefined);
    const { clip, refused = answer ? `the program answered ${answer.status}` : backend.gone } = answer?.ok ? ((await answer.json()) as { clip?: string; refused?: string }) : {};
    if (clip === undefined) this.refused = refused;
    return clip;
  }

  private ask(request: Record<string, unknown>, model = this.of.model): Promise<boolean> {
    // Who leaves the page cannot wait.
    const work = this.leaves ? this.send(model, request) : this.line.then(() => this.send(model, request));
    this.line = work;
    return work;
  }

  /** Has all that is being written given to the file. */
  flush(leaves = false): void {
    this.leaves = leaves;
    // A field gives what it has when it is left.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    this.leaves = false;
  }

  private async send(model: number, request: Record<string, unknown>): Promise<boolean> {
    this.refused = '';
    const body = JSON.stringify(request);
    // Small ones arrive even if the page is gone by then.
    const answer = await backend.fetch(`/edit/${model}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, keepalive: body.length < KEPT }).catch(() => undefined);
    this.lost = !answer;
    if (!answer) {
      this.refused = backend.gone;
      return false;
    }
    // Whatever it is, what comes after it is done.
    const state = await answer.text().then((text) => (answer.ok ? (JSON.parse(text) as State | { refused: string }) : { refused: text })).catch((error: unknown) => ({ refused: `the answer was none: ${String(error)}` }));
    if ('refused' in state) {
      this.refused = state.refused || `the program answered ${answer.status}`;
      return false;
    }
    if (model === this.of.model) this.state = state;
    // It is there until somebody has decided, whatever else is done.
    if (state.conflict || request.do === 'save') this.conflict = state.conflict ?? '';
    // Whoever goes on has seen what was found.
    this.recovered = '';
    if (request.do !== 'save') [this.later, this.waits] = [state.counts, state.waits ?? []];
    if (!state.conflict) guide.asked(request);
    return !state.conflict;
  }
}

export const edit = new Edit();
