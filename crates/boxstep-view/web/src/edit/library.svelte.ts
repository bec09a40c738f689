// The boxes that can be added: empty ones, those of the library, and those of the user's own folders.

import { backend } from '../backend';
import { edit } from './edit.svelte';

/** A box to add; `add` is that of the operation. */
export type Kind = {
  name: string;
  group: string;
  about: string;
  icon?: string;
  /** The path of the picture that its icon draws. */
  picture?: string;
  add?: unknown;
  /** Of a box of the user's own: by it the server finds its file. */
  key?: string;
  /** The files that it refers to. */
  needs?: string[];
};
type Folder = { name: string; folder: string };
type Kept = { file: string; needs: string[] } | { refused: string; exists?: boolean };

const EMPTY: Kind[] = [
  { name: 'Python Script', group: 'Empty', about: 'A box with a Python script of its own.', add: { empty: 'script' } },
  { name: 'Diagram', group: 'Empty', about: 'A box with boxes in it.', add: { empty: 'diagram' } },
  { name: 'Timeline', group: 'Empty', about: 'Movements of joints, and boxes that start at frames.', add: { empty: 'timeline' } },
];

async function asked<T>(path: string): Promise<T | undefined> {
  const answer = await backend.fetch(path).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as T) : undefined;
}

class Library {
  private ours = $state.raw<Kind[]>([]);
  private own = $state.raw<Kind[]>([]);
  /** The user's own folders, and what could not be read of them. */
  folders = $state.raw<Folder[]>([]);
  unread = $state.raw<string[]>([]);
  private told = false;

  get all(): Kind[] {
    // They look as the library's own.
    const icon = (name: string) => this.ours.find((kind) => kind.name === name)?.icon;
    const empty = EMPTY.map((kind) => ({ ...kind, icon: icon(kind.name === 'Python Script' ? 'Script' : kind.name) }));
    return [...empty, ...this.own, ...this.ours];
  }

  /** Asks the server: for the library once, for folders each time, as files come and go. */
  async read(): Promise<void> {
    const [ours, own] = await Promise.all([
      this.told ? undefined : asked<Omit<Kind, 'add'>[]>('/library'),
      asked<{ boxes: Kind[]; folders: Folder[]; unread: string[] }>('/boxes'),
    ]);
    if (ours) {
      this.told = true;
      this.ours = ours.map((kind) => ({ ...kind, add: { library: kind.name } }));
    }
    if (own) [this.own, this.folders, this.unread] = [own.boxes, own.folders, own.unread];
  }

  /** The pictures of the library's boxes, each once: their paths, and how they are drawn. */
  get pictures(): { path: string; icon: string }[] {
    const known = new Map(this.ours.flatMap(({ picture, icon }) => (picture && icon ? [[picture, icon] as const] : [])));
    return [...known].map(([path, icon]) => ({ path, icon }));
  }

  /** The boxes with all of these words; those first whose names begin with the first one. */
  with(words: string): Kind[] {
    const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
    const hit = ({ name, group, about }: Kind) => parts.every((part) => `${name} ${group} ${about}`.toLowerCase().includes(part));
    const first = ({ name }: Kind) => (name.toLowerCase().startsWith(parts[0] ?? '') ? 0 : 1);
    return this.all.filter(hit).sort((a, b) => (parts.length ? first(a) - first(b) : 0));
  }

  /** Empty boxes that get a name at once: `timeline Nod`; any kind of them, if no box has these words. */
  named(words: string): Kind[] {
    const called = (kind: Kind, name: string): Kind => ({ ...kind, name, group: kind.name });
    const empty = this.all.filter(({ group }) => group === 'Empty');
    const typed = empty.flatMap((kind) => {
      const [, name] = new RegExp(`^\\s*(?:${kind.name}|${kind.name.split(' ').at(-1)!})\\s+(\\S.*)$`, 'i').exec(words) ?? [];
      return name ? [called(kind, name.trim())] : [];
    });
    const name = words.trim();
    return typed.length || !name || this.with(words).length ? typed : empty.map((kind) => called(kind, name));
  }

  /** What the operation takes. */
  async add(kind: Kind): Promise<unknown> {
    if (!kind.key) return kind.add;
    const { xar, refused = 'the program has ended' } = (await asked<{ xar?: string; refused?: string }>(`/boxes/text?key=${encodeURIComponent(kind.key)}`)) ?? {};
    if (xar === undefined) edit.refused = refused;
    return xar === undefined ? undefined : { xar };
  }

  /** Keeps a box of the behavior in a folder. */
  async keep(path: string, folder: number, name: string, replace: boolean): Promise<Kept> {
    const body = JSON.stringify({ box: edit.own(path), folder, name, replace });
    const answer = await backend.fetch(`/keep/${edit.of.model}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(() => undefined);
    if (!answer) return { refused: 'the program has ended' };
    if (!answer.ok) return { refused: await answer.text() };
    const kept = (await answer.json()) as Kept;
    if ('file' in kept) await this.read();
    return kept;
  }
}

export const library = new Library();
