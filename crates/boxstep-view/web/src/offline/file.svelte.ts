// The file that is open in a page without a program, and the answers to what the page asks about it.

import { backend } from '../backend';
import { edit } from '../edit/edit.svelte';
import { layout } from '../layout.svelte';
import { wire } from '../wire.svelte';
import { Engine } from './engine';
import type { Host } from './host';
import { Fault, Refused } from './module';

/** Larger files are no behaviors, bytes. */
const MOST = 64 << 20;

const json = (value: unknown) => new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });
const missing = (why = '') => new Response(why, { status: 404 });

class OpenFile {
  name = $state('');
  /** Counts the files that were opened. */
  opened = $state(0);
  busy = $state(false);
  /** Why a file was not opened, or what has happened to it. */
  notice = $state('');
  private engine: Engine | undefined;
  private started: Promise<void> | undefined;
  private host: Host | undefined;
  /** The file as it was after the last change: what is left if the module meets a fault. */
  private kept: Uint8Array<ArrayBuffer> | undefined;
  /** It has changes that are not saved, and the module does not know of them. */
  private before = false;

  /** Answers the page from now on. */
  begin(wasm: ArrayBuffer, host: Host): void {
    this.engine = new Engine(wasm);
    this.host = host;
    backend.fetch = (route, init) => this.answer(route, init);
    backend.saving = host.saving;
    backend.undoes = !host.changed;
    backend.gone = 'the page has met a fault';
    layout.limit(['diagram', 'script', 'timeline', 'robot', 'library']);
    // It is ready when a file comes.
    this.started = this.engine.start();
    host.begin?.((name, content) => void this.open(name, content));
  }

  /** Whether something would be lost. */
  get changed(): boolean {
    return !!this.name && (edit.state?.changed ?? false) && !!this.host?.saving;
  }

  async take(file: File): Promise<void> {
    if (file.size > MOST) this.notice = `${file.name} is too large for a behavior`;
    else await this.open(file.name, new Uint8Array(await file.arrayBuffer()));
  }

  /** Opens a file. If it cannot be read, the one that is open stays. */
  async open(name: string, content: Uint8Array): Promise<void> {
    const { engine } = this;
    if (!engine) return;
    this.busy = true;
    this.notice = '';
    try {
      await this.started;
      await engine.open(name, content);
      const again = name === this.name;
      this.kept = await engine.bytes();
      this.before = false;
      if (!again || !this.host?.changed) this.forget();
      this.name = name;
      await this.signs(engine);
      wire.stand(name, [name.replace(/\.xar$/i, '')]);
    } catch (why) {
      this.notice = `${name} was not opened: ${(why as Error).message}`;
      if (why instanceof Fault) await this.restore();
    } finally {
      this.busy = false;
    }
  }

  /** What the page knew of another file. */
  private forget(): void {
    [edit.state, edit.findings, edit.chosen, edit.refused, edit.later] = [undefined, [], [], '', []];
    wire.models = [];
    this.opened += 1;
  }

  private async signs(engine: Engine): Promise<void> {
    if (backend.legend.startsWith('blob:')) return;
    backend.legend = URL.createObjectURL(new Blob([await engine.text({ ask: 'legend' })], { type: 'image/svg+xml' }));
  }

  /** Begins again with the file as it was before the fault. */
  private async restore(): Promise<void> {
    const { engine, kept, name } = this;
    if (!engine) return;
    this.before ||= edit.state?.changed ?? false;
    this.started = engine.start();
    await this.started;
    if (!name || !kept) return;
    await engine.open(name, kept);
    this.stands();
  }

  private stands(): void {
    wire.stand(this.name, [...wire.models]);
  }

  private async answer(route: string, init?: RequestInit): Promise<Response> {
    const [path = '', query] = route.split('?');
    const what = path.split('/')[1] ?? '';
    const wish = Object.fromEntries(new URLSearchParams(query));
    const drawn = what === 'level' || what === 'postures';
    try {
      switch (what) {
        case 'body':
        case 'model':
        case 'findings':
        case 'library':
          return new Response(await this.ask({ ask: what }));
        case 'level':
        case 'postures':
          return new Response(await this.ask({ ask: what, ...wish }));
        case 'boxes':
          // Folders of the user's own are not in reach.
          return path === '/boxes' ? json({ boxes: [], folders: [], unread: [] }) : missing();
        case 'copy':
          return new Response(await this.ask({ ask: 'copied', ...(JSON.parse(String(init?.body)) as { boxes: string[] }) }));
        case 'said':
          return new Response(await this.ask({ ask: 'said', path: wish.box ?? '' }));
        case 'edit':
          return json(await (init ? this.perform(JSON.parse(String(init.body))) : this.state({ ask: 'state' })));
        default:
          return missing();
      }
    } catch (why) {
      if (why instanceof Refused) return drawn ? missing(why.message) : json({ refused: why.message });
      await this.faulted(why as Error);
      // What has happened is said once.
      return drawn ? missing() : json({ refused: '' });
    }
  }

  private ask(request: Record<string, unknown>): Promise<string> {
    if (!this.engine || !this.name) throw new Refused('no behavior is open');
    return this.engine.text(request);
  }

  private async state(request: Record<string, unknown>): Promise<State> {
    const state = JSON.parse(await this.ask(request)) as State;
    return { ...state, changed: state.changed || this.before };
  }

  private async perform(request: { do: string; label?: string }): Promise<State> {
    const state = await this.state({ ask: 'edit', request });
    const content = await this.engine!.bytes();
    this.kept = content;
    if (request.do === 'save') {
      this.host?.save(this.name, content);
      this.before = false;
      return { ...state, changed: false };
    }
    this.host?.changed?.(request.label ?? request.do, await this.ask({ ask: 'text' }));
    this.stands();
    return state;
  }

  /** Several requests may meet the same fault. */
  private restoring: Promise<void> | undefined;
  private async faulted(why: Error): Promise<void> {
    this.notice = `The page has met a fault of its own and has begun again: ${this.name} is as it was before, but earlier changes cannot be undone. (${why.message})`;
    this.restoring ??= this.restore().finally(() => (this.restoring = undefined));
    await this.restoring.catch((again: Error) => (this.notice += ` It could not be opened again: ${again.message}. Download it as it was before.`));
  }

  /** Saves the file as it was after the last change, whatever the module says. */
  rescue(): void {
    if (this.kept) this.host?.save(this.name, this.kept);
  }
}

type State = { changed: boolean };

export const file = new OpenFile();
