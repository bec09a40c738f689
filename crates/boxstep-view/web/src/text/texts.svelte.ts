// Texts that the page can edit: topics, characters, tests. The server keeps what is not saved in a draft.

import { SvelteMap } from 'svelte/reactivity';
import { backend } from '../backend';
import { layout } from '../layout.svelte';

export type Kind = 'topic' | 'dialog' | 'character' | 'test';
export type TextFile = { file: string; kind: Kind };

type State = { file: string; text: string; version: number; changed: boolean; kept: boolean; recovered: boolean; conflict?: string };
export type Finding = { line?: number; severity: 'error' | 'warning' | 'note'; code: string; message: string; help?: string };

/** How long after a change the text is kept and checked, milliseconds: others may follow. */
const PAUSE = 400;
const ENDED = 'the program has ended; what was written last may be in the draft beside the file';

const at = (what: string, file: string) => `${what}?file=${encodeURIComponent(file)}`;

async function asked<T>(url: string, body?: unknown): Promise<T | { refused: string }> {
  const post = body === undefined ? undefined : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await backend.fetch(url, post).catch(() => undefined);
  if (!answer) return { refused: ENDED };
  return answer.ok ? ((await answer.json()) as T | { refused: string }) : { refused: await answer.text() };
}

/** A text that is open in the editor. */
export class OpenText {
  readonly file: string;
  readonly kind: Kind;
  state = $state.raw<State | undefined>();
  /** The text as it is in the editor. */
  text = $state('');
  findings = $state.raw<Finding[]>([]);
  refused = $state('');
  conflict = $state('');
  recovered = $state(false);
  /** The line to bring into sight. */
  shown = $state.raw<{ line: number } | undefined>();
  /** What was typed and not yet kept. */
  private dirty = $state(false);
  private waiting: ReturnType<typeof setTimeout> | undefined;
  /** What is under way, so that each request has the version of the one before. */
  private line: Promise<unknown> = Promise.resolve();

  constructor({ file, kind }: TextFile) {
    [this.file, this.kind] = [file, kind];
  }

  get changed(): boolean {
    return this.dirty || (this.state?.changed ?? false);
  }

  /** A reload of the page would lose something. */
  get endangered(): boolean {
    return this.dirty || (this.changed && this.state?.kept === false);
  }

  async open(): Promise<void> {
    if (this.dirty) return;
    this.take(await asked<State>(at('/text', this.file)), true);
    if (this.state) this.recovered = this.state.recovered;
    await this.check();
  }

  write(text: string): void {
    if (text === this.text) return;
    [this.text, this.dirty] = [text, true];
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      void this.send('keep');
      void this.check();
    }, PAUSE);
  }

  save(): Promise<boolean> {
    return this.send('save');
  }

  overwrite(): Promise<boolean> {
    return this.send('overwrite');
  }

  /** Takes what is on the disk. */
  async discard(): Promise<void> {
    clearTimeout(this.waiting);
    this.dirty = false;
    this.take(await asked<State>(at('/text', this.file), { do: 'discard' }), true);
    [this.conflict, this.recovered] = ['', false];
    await this.check();
  }

  private send(what: 'keep' | 'save' | 'overwrite'): Promise<boolean> {
    const work = this.line.then(async () => {
      clearTimeout(this.waiting);
      if (!this.state) return false;
      const { text } = this;
      const answer = await asked<State>(at('/text', this.file), { do: what, version: this.state.version, text });
      if (this.text === text) this.dirty = false;
      this.take(answer, false);
      if (what !== 'keep' && !('refused' in answer)) this.conflict = answer.conflict ?? '';
      return !('refused' in answer) && !answer.conflict;
    });
    this.line = work;
    return work;
  }

  private take(answer: State | { refused: string }, whole: boolean): void {
    if ('refused' in answer) {
      this.refused = answer.refused;
      if (!whole) this.dirty = true;
      return;
    }
    this.refused = '';
    this.state = answer;
    if (whole) this.text = answer.text;
  }

  private async check(): Promise<void> {
    const { text } = this;
    const found = await asked<Finding[]>(at('/text/findings', this.file), { text });
    if (text === this.text && Array.isArray(found)) this.findings = found;
  }
}

class Texts {
  all = $state.raw<TextFile[]>([]);
  /** The one in the editor. */
  now = $state.raw<OpenText | undefined>();
  private opened = new SvelteMap<string, OpenText>();

  async read(): Promise<void> {
    const all = await asked<TextFile[]>('/texts');
    if (Array.isArray(all)) this.all = all;
    if (!this.now && this.all.length) this.open((this.all.find(({ kind }) => kind !== 'dialog') ?? this.all[0]!).file);
  }

  /** The text of a file that a run names: it says only the last part of its path. */
  of(name: string | undefined): TextFile | undefined {
    return name ? this.all.find(({ file }) => file === name || file.endsWith(`/${name}`) || file.endsWith(`\\${name}`)) : undefined;
  }

  /** Shows a text; one that was open stays as it was, with what was written. */
  open(file: string, line?: number): void {
    const known = this.all.find((one) => one.file === file) ?? { file, kind: 'test' as const };
    const text = this.opened.get(file) ?? new OpenText(known);
    this.opened.set(file, text);
    this.now = text;
    void text.open().then(() => line && (text.shown = { line }));
  }

  get endangered(): boolean {
    return [...this.opened.values()].some((one) => one.endangered);
  }

  /** What is written and not saved. */
  get changed(): OpenText[] {
    return [...this.opened.values()].filter((one) => one.changed);
  }
}

export const texts = new Texts();

/** Shows a text in its region, at a line. */
export function editText(file: string, line?: number): void {
  texts.open(file, line);
  layout.show('text');
}
