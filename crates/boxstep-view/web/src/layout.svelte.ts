// Which regions of the page are there, where, and how large: for each behavior as it was left.

import type { IconName } from './icons';

export type Region = 'diagram' | 'robot' | 'talk' | 'text' | 'timeline' | 'log' | 'memory' | 'resources' | 'calls' | 'behaviors' | 'library' | 'script';
export type Dock = 'main' | 'side' | 'below';
export type Preset = 'Play' | 'Animate' | 'Debug' | 'Character' | 'Talk';

/** In the order in which they stand in the rail. `sign` is what stands for it in what is kept. */
export const REGIONS: Record<Region, { title: string; icon: IconName; home: Dock; sign: string }> = {
  diagram: { title: 'Diagram', icon: 'diagram', home: 'main', sign: 'd' },
  robot: { title: 'Robot', icon: 'robot', home: 'side', sign: 'r' },
  timeline: { title: 'Timeline', icon: 'timeline', home: 'below', sign: 't' },
  talk: { title: 'Talk', icon: 'talk', home: 'side', sign: 'c' },
  script: { title: 'Script', icon: 'script', home: 'main', sign: 'p' },
  text: { title: 'Text', icon: 'pencil', home: 'main', sign: 'x' },
  behaviors: { title: 'Behaviors', icon: 'character', home: 'below', sign: 'b' },
  log: { title: 'Log', icon: 'log', home: 'below', sign: 'l' },
  memory: { title: 'Memory', icon: 'memory', home: 'below', sign: 'm' },
  calls: { title: 'Calls', icon: 'calls', home: 'below', sign: 'a' },
  resources: { title: 'Resources', icon: 'resources', home: 'below', sign: 's' },
  library: { title: 'Library', icon: 'library', home: 'side', sign: 'y' },
};
export const NAMES = Object.keys(REGIONS) as Region[];
export const DOCKS: Dock[] = ['main', 'side', 'below'];

type Docks = Record<Dock, Region[]>;
/** The width of the side and the height of what is below, as parts of the page. */
type Sizes = { side: number; below: number };

export const PRESETS: Record<Preset, { docks: Docks; sizes: Sizes; about: string }> = {
  Play: { docks: { main: ['diagram'], side: ['robot'], below: ['log'] }, sizes: { side: 0.25, below: 0.25 }, about: 'the diagram, the robot and the log' },
  Animate: { docks: { main: ['diagram'], side: ['robot'], below: ['timeline'] }, sizes: { side: 0.34, below: 0.48 }, about: 'a large robot above its timeline' },
  Debug: { docks: { main: ['diagram'], side: ['robot', 'resources'], below: ['log', 'memory'] }, sizes: { side: 0.26, below: 0.4 }, about: 'log, memory and resources beside the diagram' },
  Character: { docks: { main: ['behaviors'], side: ['robot'], below: ['diagram'] }, sizes: { side: 0.27, below: 0.36 }, about: 'what a character does, and why' },
  Talk: { docks: { main: ['talk'], side: ['robot'], below: ['log'] }, sizes: { side: 0.34, below: 0.2 }, about: 'a conversation with the robot' },
};

/** The room that a region wants in its dock, pixels. */
const WANTS = { main: 340, side: 170, below: 380 };
/** The height that the timeline wants, with what changes it, as a part of the page at most. */
const TIMELINE = { high: 360, most: 0.6 };
/** How many behaviors are remembered. */
const REMEMBERED = 24;
const COOKIE = 'boxstep_stage';

const copy = (docks: Docks): Docks => ({ main: [...docks.main], side: [...docks.side], below: [...docks.below] });
const isPreset = (name: string | undefined): name is Preset => name !== undefined && Object.hasOwn(PRESETS, name);
const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** What stands for a behavior: other programs of this computer get the cookie, too. */
export function keyOf(title: string): string {
  let hash = 0x811c9dc5;
  for (const unit of title) hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x01000193);
  return (hash >>> 0).toString(36);
}

/** A layout as it is kept: preset, regions of each dock, sizes in thousandths. */
export function written(preset: Preset, docks: Docks, sizes: Sizes): string {
  const signs = DOCKS.map((dock) => docks[dock].map((name) => REGIONS[name].sign).join('')).join('.');
  return [preset, signs, Math.round(sizes.side * 1000), Math.round(sizes.below * 1000)].join('-');
}

/** The same, read; whatever a cookie says. */
export function read(text: string): { preset: Preset; docks: Docks; sizes: Sizes } | undefined {
  const [preset, signs = '', side, below] = text.split('-');
  if (!isPreset(preset)) return undefined;
  const seen = new Set<Region>();
  const lists = signs.split('.').map((part) =>
    [...part].flatMap((sign) => {
      const name = NAMES.find((name) => REGIONS[name].sign === sign);
      if (!name || seen.has(name)) return [];
      seen.add(name);
      return [name];
    }),
  );
  if (!seen.size) return undefined;
  const size = (text: string | undefined, otherwise: number) => within(Number(text) / 1000 || otherwise, 0.1, 0.8);
  const usual = PRESETS[preset].sizes;
  return {
    preset,
    docks: { main: lists[0] ?? [], side: lists[1] ?? [], below: lists[2] ?? [] },
    sizes: { side: size(side, usual.side), below: size(below, usual.below) },
  };
}

class Layout {
  preset = $state<Preset>('Play');
  docks = $state<Docks>(copy(PRESETS.Play.docks));
  sizes = $state<Sizes>({ ...PRESETS.Play.sizes });
  /** By region: its part of its dock, 1 if nobody has dragged an edge. */
  shares = $state<Partial<Record<Region | 'inspector', number>>>({});
  /** The one that a phone shows. */
  one = $state<Region>('diagram');
  private key = '';
  /** The regions that there are. */
  offers = $state.raw<Region[]>(NAMES);
  /** Nobody has arranged anything for what is shown. */
  private untouched = false;
  /** Somebody has arranged something, now or before. */
  private own = false;
  /** The order in which they were opened: what has been there longest makes room. */
  private opened: Region[] = [];

  /** Takes what was kept for a behavior; else a preset. */
  begin(title: string, otherwise: Preset): void {
    const key = keyOf(title);
    if (key === this.key || this.offers.length < NAMES.length) return;
    this.key = key;
    const kept = this.kept().find(([of]) => of === key);
    const found = kept && read(kept[1]);
    if (found) [this.preset, this.docks, this.sizes, this.shares] = [found.preset, found.docks, found.sizes, {}];
    else this.take(otherwise);
    this.untouched = !found;
    this.own = !!found;
    this.one = this.docks.main[0] ?? 'diagram';
  }

  /** Offers only these regions, of which the first one is seen, and keeps nothing. */
  limit(offers: Region[]): void {
    this.offers = offers;
    this.key = '';
    [this.docks, this.one] = [{ main: offers.slice(0, 1), side: [], below: [] }, offers[0]!];
    this.sizes = { ...PRESETS.Animate.sizes, side: 0.25 };
  }

  private take(preset: Preset): void {
    const { docks, sizes } = PRESETS[preset];
    [this.preset, this.docks, this.sizes, this.shares] = [preset, copy(docks), { ...sizes }, {}];
    this.one = this.docks.main[0] ?? 'diagram';
  }

  /** Takes a preset without the diagram, unless somebody has arranged something: there is none of what is shown. */
  withoutDiagram(preset: Preset): void {
    if (!this.untouched) return;
    this.untouched = false;
    this.take(preset);
    for (const dock of DOCKS) this.docks[dock] = this.docks[dock].filter((one) => one !== 'diagram');
    this.one = this.docks.main[0] ?? 'diagram';
  }

  /** Takes a preset, unless somebody has arranged something: it suits what is shown better. */
  instead(preset: Preset): void {
    if (!this.untouched) return;
    this.untouched = false;
    this.take(preset);
  }

  /** Shows the text of what is edited beside what it does, unless somebody has arranged something. */
  withText(beside: Region): void {
    if (this.own) return;
    this.untouched = false;
    for (const dock of DOCKS) this.docks[dock] = this.docks[dock].filter((one) => one !== 'text' && one !== beside && one !== 'diagram');
    this.docks.main = ['text', beside];
    this.one = 'text';
  }

  choose(preset: Preset): void {
    this.take(preset);
    this.keep();
  }

  dockOf(name: Region): Dock | undefined {
    return DOCKS.find((dock) => this.docks[dock].includes(name));
  }

  /** Shows a region, with as much room as its dock has: one that has been there longest makes room. */
  show(name: Region, room: Record<Dock, number> = { main: Infinity, side: Infinity, below: Infinity }): void {
    this.one = name;
    this.opened = [...this.opened.filter((one) => one !== name), name];
    if (this.dockOf(name)) return;
    const home = REGIONS[name].home;
    const there = this.docks[home];
    const most = Math.max(1, Math.floor(room[home] / WANTS[home]));
    const rank = (one: Region) => this.opened.indexOf(one);
    while (there.length >= most) there.splice(there.indexOf([...there].sort((a, b) => rank(a) - rank(b))[0]!), 1);
    there.push(name);
    if (name === 'timeline' && home === 'below') this.sizes.below = Math.max(this.sizes.below, Math.min(TIMELINE.high / room.side, TIMELINE.most));
    this.keep();
  }

  /** Shows a region that wants height, and gives it that if it is below. */
  enlarge(name: Region, room: Record<Dock, number>): void {
    this.show(name, room);
    if (this.dockOf(name) !== 'below') return;
    this.sizes.below = Math.max(this.sizes.below, Math.min(TIMELINE.high / room.side, TIMELINE.most));
    this.keep();
  }

  hide(name: Region): void {
    for (const dock of DOCKS) this.docks[dock] = this.docks[dock].filter((one) => one !== name);
    this.keep();
  }

  /** Moves a region to another dock, or within it. */
  move(name: Region, to: Dock, before = Infinity): void {
    for (const dock of DOCKS) this.docks[dock] = this.docks[dock].filter((one) => one !== name);
    this.docks[to].splice(before, 0, name);
    this.keep();
  }

  resize(sizes: Partial<Sizes>): void {
    const { side, below } = { ...this.sizes, ...sizes };
    this.sizes = { side: within(side, 0.12, 0.7), below: within(below, 0.1, 0.8) };
    this.keep();
  }

  share(name: Region | 'inspector'): number {
    return this.shares[name] ?? 1;
  }

  private kept(): [string, string][] {
    const cookie = document.cookie.split('; ').find((one) => one.startsWith(`${COOKIE}=`));
    const all = cookie?.slice(COOKIE.length + 1).split('!') ?? [];
    return all.map((one) => one.split('=') as [string, string]).filter((one) => one.length === 2);
  }

  // A cookie, as each start of the program has a port, and so a storage, of its own.
  private keep(): void {
    if (!this.key) return;
    this.untouched = false;
    this.own = true;
    const others = this.kept().filter(([of]) => of !== this.key);
    const all = [[this.key, written(this.preset, this.docks, this.sizes)], ...others].slice(0, REMEMBERED);
    document.cookie = `${COOKIE}=${all.map((one) => one.join('=')).join('!')}; path=/; max-age=31536000; samesite=strict`;
  }
}

export const layout = new Layout();
