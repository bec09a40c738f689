// The connection to the server, and all items of the picture. What goes over it: docs/reference/view-protocol.md.

import type { Event } from './trace';

export type Item = {
  about: string;
  path: string;
  name: string;
  /** The line of the trace. */
  n: number;
  /** Nanoseconds. */
  t: number;
  times: number;
  value: unknown;
};

/** A line of the log. One of a later version may have any kind and any fields. */
export type Line = Event;
/** The call of a service, and its answer. */
export type Call = {
  asked: Extract<Event, { kind: 'service' }>;
  answered: Extract<Event, { kind: 'service_done' | 'unsupported' }> | null;
};

/** A port, as the end of a link. */
export type LinkEnd = { path: string; port: string };
/** Where a run stops by itself. */
export type Stop =
  | { at: 'box'; path: string }
  | { at: 'port'; path: string; port: string }
  | { at: 'link'; from: LinkEnd; to: LinkEnd }
  | { at: 'state'; path: string; state: string }
  | { at: 'behavior'; name: string }
  | { at: 'error' };
export type Pace = { paused: boolean; hit?: Stop; speed: number; rate: number; breaks: Stop[] };

/** A place where a run stops, for people. */
export function stopName(stop: Stop): string {
  switch (stop.at) {
    case 'box':
      return stop.path;
    case 'port':
      return `${stop.path}, ${stop.port}`;
    case 'link':
      return `${stop.from.path}, ${stop.from.port} → ${stop.to.path}, ${stop.to.port}`;
    case 'state':
      return `${stop.path}, ${stop.state}`;
    case 'behavior':
      return stop.name;
    case 'error':
      return 'an exception';
  }
}

/** Whether a trial run is at what was asked for, on its way there, or was never there. */
export type Sight = 'shows' | 'seeks' | 'never';

type Told =
  | { type: 'hello'; protocol: number; product: string; title: string; live: boolean; restarts?: boolean; edits?: boolean; trials?: boolean; models: string[] }
  | {
      type: 'picture';
      run?: number;
      shown?: number;
      notice?: string;
      whole: boolean;
      t: number;
      begin: number;
      end: number;
      live: boolean;
      over?: Record<string, unknown>;
      pace?: Pace;
      trial?: Sight;
      items: [string, string, string, number, number, number, unknown][];
      told: number;
      lines: number;
    }
  | { type: 'models'; models: string[] }
  | { type: 'refused'; wish: string; why: string }
  | ({ type: keyof Answers } & Record<string, unknown>);

/** What names an item. */
export type Which = { about: string; path: string; name: string };
export type Level = 'debug' | 'info' | 'warning' | 'error' | 'fatal';
export type Way = 'on' | 'back';
/** Time, how many changes; the smallest, largest and last number among them. */
export type Point = [number, number, number?, number?, number?];
/** What goes on, from when, until when, whether it failed, how many these are. */
export type Span = ['scope' | 'loads' | 'waits' | 'runs' | 'stops', number, number | null, boolean, number];

/** What is asked for, by the type of the answer. */
export type Answers = {
  log: { from: number; next: number; way: Way; at: number[]; levels: Level[]; lines: Line[]; words: (string | null)[] };
  series: Which & { from: number; to: number; points: Point[] };
  found: { t: number | null; line: Line | null };
  errors: { times: number[]; events?: number[] };
  calls: { count: number; calls: Call[] };
  doing: { path: string; methods: Extract<Event, { kind: 'call' }>[]; calls: Call['asked'][] };
  talk: { from: number; begin: number; end: number; told: number; lines: Line[] };
  spans: { from: number; to: number; rows: { path: string; delegates: boolean; spans: Span[] }[] };
  behaviors: { behaviors: Behavior[] };
  why: { name: string; why: Why | null; not?: string };
};
export type Behavior = {
  name: string;
  path: string;
  is: string;
  children: string[];
  phase: 'out' | 'entering' | 'in' | 'leaving';
  active: number | null;
  waits: number | null;
  winds_down: number | null;
  by: string | null;
  runs: number;
  wants: boolean | null;
  /** Cooldowns, of which some may be over. */
  cools?: { parent: string; until: number; seconds: number }[];
  ended: { t: number; how: string; why: string | null } | null;
};
/** A character as its file has it: what `/character` answers. Only what the page reads. */
export type Character = { roots: { behavior: string }[]; behaviors: { name: string; kind: string; details: string; children: { to: string }[] }[] };
export type Factor = { what: string; found: string; holds: boolean; parts: Factor[] };
/** Times in seconds. */
export type Why = {
  name: string;
  path: string;
  is: string;
  runs: boolean;
  because: string;
  wants: { since: number; yes: boolean; why: string | null; factors: Factor[] } | null;
  watches: { since: number; factors: Factor[] } | null;
  asked: { by: string; since: number; yes: boolean; why: string | null }[];
  cooldowns: { parent: string; until: number; left: number; seconds: number; timer: string | null }[];
  claims: { resource: string; holder: string | null }[];
  times: number;
  ended: { at: number; how: string; why: string | null } | null;
};

type Asked = { text: string; type: string; shown: number; done: (answer: unknown) => void; failed: (why: Error) => void };
type Heard = (changed: Item[], whole: boolean) => void;

/** The longest pause before the next attempt to connect, milliseconds. */
const LONGEST = 5000;
/** A run that is paused before this time has not begun for those who look at it, nanoseconds. */
const FRESH = 200e6;
/** After so many attempts in vain the program is taken to have ended. */
const GONE = 3;
/** How often a page that nobody sees wants a picture, milliseconds. */
const HIDDEN = 500;
/** A frame of the display takes no longer than this if it is not busy, milliseconds. */
const QUICK = 25;

/** Calls back when what has changed is drawn; if that is slow only when as long again has passed, and other programs had a turn. */
function drawn(then: () => void): void {
  let done = false;
  const once = () => {
    if (!done) then();
    done = true;
  };
  // Of a page that nobody sees there are no frames.
  setTimeout(once, HIDDEN);
  requestAnimationFrame((began) => {
    requestAnimationFrame((next) => {
      const took = next - began;
      if (took <= QUICK) once();
      else setTimeout(once, took);
    });
  });
}

const keyOf = (about: string, path: string, name: string) => `${about}\t${name}\t${path}`;

class Wire {
  connected = $state(false);
  title = $state('');
  product = $state('');
  /** Something plays, and can be changed. */
  controls = $state(false);
  models = $state.raw<string[]>([]);
  /** Nothing was there to be drawn when the page was opened: it is of a robot that waits for behaviors. */
  bare: boolean | undefined;
  /** The behavior to be shown: that was begun first, and when it has ended the next; if nothing was there, each that is begun. */
  begun = $state('');
  /** Follows what happens. */
  live = $state(true);
  t = $state(0);
  /** The first time that can be looked at, and the last. */
  begin = $state(0);
  end = $state(0);
  over = $state<Record<string, unknown> | undefined>();
  /** Whether the run goes on, if that can be changed. */
  pace = $state.raw<Pace | undefined>();
  /** How many lines the log has until the time that is shown, and in all. */
  told = $state(0);
  lines = $state(0);
  notice = $state('');
  /** By name of a behavior: the path of its root, where it plays. */
  plays = $state.raw(new Map<string, string>());
  /** What was is played again, and how fast. */
  replays = $state(false);
  replaySpeed = $state(1);
  /** Counts the runs that have been played at this address. */
  run = $state(0);
  /** Counts the runs and trial runs that have been shown, on this connection and on those before. */
  shown = $state(0);
  /** Another run can begin here. */
  restarts = $state(false);
  /** This page may change the files of what it shows. */
  edits = $state(false);
  /** What is edited can be seen in a trial run. */
  trials = $state(false);
  /** A trial run is shown, and not the run. */
  trial = $state<Sight | undefined>();
  /** Counts how often somebody has gone to another time. */
  seeks = $state(0);
  /** Nothing plays, and nothing will: a behavior is shown as it stands in its file. */
  still = $state(false);
  /** The program has gone, and comes no more. */
  gone = $state(false);
  /** When the last picture came, by this page's clock in milliseconds. */
  heardAt = 0;

  private items = new Map<string, Item>();
  private running = new Set<string>();
  private heard = new Set<Heard>();
  /** What this connection calls the run that is shown. */
  private shownThere: number | undefined;
  private socket: WebSocket | undefined;
  /** The run that this page has let go on, if only for a step. */
  private went = $state(-1);
  /** What the server has said last beside the run. */
  private said: string | undefined;
  private pause = 250;
  /** How often one could not connect since one was connected. */
  private failures = 0;
  /** What has no answer yet, in the order in which it was asked. */
  private asked: Asked[] = [];

  connect(): void {
    const socket = new WebSocket(`ws://${location.host}/ws?ready=true`);
    this.socket = socket;
    socket.onopen = () => {
      this.connected = true;
      this.gone = false;
      [this.pause, this.failures, this.shownThere] = [250, 0, undefined];
    };
    socket.onmessage = (message) => this.hear(JSON.parse(message.data as string) as Told);
    socket.onclose = () => {
      this.connected = false;
      this.replays = false;
      this.trial = undefined;
      this.failures += 1;
      if (this.failures >= GONE) this.gone = true;
      for (const { failed } of this.asked.splice(0)) failed(new Error('not connected'));
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST);
    };
  }

  /** Shows behaviors of which nothing plays, or that they have changed. */
  stand(title: string, models: string[]): void {
    [this.title, this.models, this.connected, this.edits, this.still] = [title, models, true, true, true];
    // Where one is in the file is where one is in the page.
    this.bare = false;
  }

  send(wish: Record<string, unknown>): void {
    this.notice = '';
    if (wish.do === 'go') this.went = this.run;
    this.socket?.send(JSON.stringify(wish));
  }

  /** Asks for something that has an answer of its own. It fails if another run is shown in the meantime. */
  ask<T extends keyof Answers>(type: T, wish: Record<string, unknown>): Promise<Answers[T]> {
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        failed(new Error('not connected'));
        return;
      }
      const text = JSON.stringify(wish);
      this.asked.push({ text, type, shown: this.shown, done: done as (answer: unknown) => void, failed });
      this.socket.send(text);
    });
  }

  /** Plays from the beginning; or as fast as it can to a time, and from there on as usual. */
  restart(from = 0): void {
    this.send({ do: 'restart', run: this.run, from: Math.round(from) });
    if (!this.live) this.send({ do: 'live' });
    this.replays = false;
  }

  stopsAt(stop: Stop): boolean {
    return this.pace?.breaks.some((one) => stopName(one) === stopName(stop) && one.at === stop.at) ?? false;
  }

  toggleStop(stop: Stop): void {
    const others = (this.pace?.breaks ?? []).filter((one) => stopName(one) !== stopName(stop) || one.at !== stop.at);
    this.send({ do: 'breaks', breaks: this.stopsAt(stop) ? others : [...others, stop] });
  }

  /** The run's time: between two pictures of one that goes on it goes on, too. Nanoseconds. */
  now(): number {
    const rate = this.replays ? this.replaySpeed : (this.pace?.rate ?? 0);
    return this.t + (this.goes ? (performance.now() - this.heardAt) * 1e6 * rate : 0);
  }

  /** Time passes in what is shown. */
  get goes(): boolean {
    return this.connected && (this.replays || (this.live && this.controls && !this.over && (this.pace?.rate ?? 0) > 0));
  }

  /** One looks at an earlier time of a run that can be acted on. */
  get past(): boolean {
    return this.controls && !this.live;
  }

  /** What one does has an effect: there is a run that goes on, and one looks at it as it is now. */
  get acts(): boolean {
    return this.connected && this.controls && this.live && !this.over;
  }

  /** A run that waits at its beginning. */
  get fresh(): boolean {
    return this.acts && this.pace?.paused === true && !this.pace.hit && this.end < FRESH && this.went !== this.run;
  }

  /** What happens is seen as it happens, and not searched for: the robot speaks. */
  get follows(): boolean {
    return this.live || this.replays;
  }

  get(about: string, path: string, name = ''): Item | undefined {
    return this.items.get(keyOf(about, path, name));
  }

  all(): Iterable<Item> {
    return this.items.values();
  }

  /** Calls back with what has changed in each picture. */
  listen(heard: Heard): () => void {
    this.heard.add(heard);
    heard([...this.items.values()], true);
    return () => this.heard.delete(heard);
  }

  private hear(told: Told): void {
    switch (told.type) {
      case 'hello':
        this.title = told.title;
        this.product = told.product;
        this.controls = told.live;
        this.restarts = told.restarts ?? false;
        this.edits = told.edits ?? false;
        this.trials = told.trials ?? false;
        this.models = told.models;
        this.bare ??= !told.models.length;
        break;
      case 'models':
        this.models = told.models;
        break;
      case 'picture':
        try {
          this.show(told);
        } finally {
          const socket = this.socket;
          drawn(() => socket?.readyState === WebSocket.OPEN && socket.send('{"do":"ready"}'));
        }
        break;
      case 'refused': {
        const refused = this.asked.findIndex((asked) => asked.text === told.wish);
        if (refused >= 0) this.asked.splice(refused, 1)[0]?.failed(new Error(told.why));
        else this.notice = told.why;
        break;
      }
      default: {
        // Those of a type are answered in the order in which they were asked.
        const answered = this.asked.findIndex((asked) => asked.type === told.type);
        if (answered < 0) break;
        const [asked] = this.asked.splice(answered, 1);
        if (asked?.shown === this.shown) asked.done(told);
        else asked?.failed(new Error('another run is shown'));
      }
    }
  }

  /** The path of the root of a behavior; `own` is the one that it has in its file. */
  placeOf(behavior: string, own: string): string {
    const at = this.plays.get(behavior);
    if (at !== undefined) return at;
    // Where another one plays its boxes will not be.
    return [...this.plays.values()].includes(own) ? `${behavior}/${own}` : own;
  }

  private runs(behavior: string, runs: boolean): void {
    if (runs && !this.running.has(behavior) && (this.bare || !this.running.has(this.begun))) this.begun = behavior;
    this.running[runs ? 'add' : 'delete'](behavior);
  }

  private show(told: Told & { type: 'picture' }): void {
    if (told.whole) {
      this.items.clear();
      this.running.clear();
    }
    const changed = told.items.map(([about, path, name, n, t, times, value]) => {
      const item = { about, path, name, n, t, times, value };
      this.items.set(keyOf(about, path, name), item);
      return item;
    });
    this.run = told.run ?? 0;
    const there = told.shown ?? this.run;
    if (there !== this.shownThere) [this.shownThere, this.shown] = [there, this.shown + 1];
    if (told.notice !== this.said) [this.said, this.notice] = [told.notice, told.notice ?? ''];
    this.t = told.t;
    this.begin = told.begin;
    this.end = told.end;
    this.live = told.live;
    this.over = told.over;
    this.trial = told.trial;
    if (JSON.stringify(this.pace) !== JSON.stringify(told.pace)) this.pace = told.pace;
    this.told = told.told;
    this.lines = told.lines;
    this.heardAt = performance.now();
    for (const { about, path, name, value } of changed) {
      if (about === 'behavior') this.runs(name, value !== 'stopping' && value !== 'unloaded');
      if (about === 'behavior' && this.plays.get(name) !== path) this.plays = new Map(this.plays).set(name, path);
    }
    for (const heard of this.heard) {
      // A recording may say anything: what one of them cannot show is not held from the others.
      try {
        heard(changed, told.whole);
      } catch (error) {
        reportError(error);
      }
    }
  }
}

export const wire = new Wire();
