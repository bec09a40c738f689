// The connection to the server, and all items of the picture. What goes over it: docs/view-protocol.md.

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

export type Line = { n: number; t: number; kind: string; path?: string; [field: string]: unknown };

type Told =
  | { type: 'hello'; protocol: number; product: string; title: string; live: boolean; models: string[] }
  | {
      type: 'picture';
      whole: boolean;
      t: number;
      end: number;
      live: boolean;
      over?: Record<string, unknown>;
      items: [string, string, string, number, number, number, unknown][];
      told: number;
    }
  | { type: 'log'; from: number; lines: Line[] }
  | { type: 'refused'; wish: string; why: string };

type Heard = (changed: Item[], whole: boolean) => void;

/** The longest pause before the next attempt to connect, milliseconds. */
const LONGEST = 5000;
/** Lines of the log that are kept on the page. */
const LINES = 2000;

const keyOf = (about: string, path: string, name: string) => `${about}\t${name}\t${path}`;

class Wire {
  connected = $state(false);
  title = $state('');
  product = $state('');
  /** Something plays, and can be changed. */
  controls = $state(false);
  models = $state<string[]>([]);
  /** Follows what happens. */
  live = $state(true);
  t = $state(0);
  end = $state(0);
  over = $state<Record<string, unknown> | undefined>();
  lines = $state.raw<Line[]>([]);
  notice = $state('');

  private items = new Map<string, Item>();
  private heard = new Set<Heard>();
  private socket: WebSocket | undefined;
  private pause = 250;
  /** Lines of the log: how many there are, and how many have been asked for. */
  private told = 0;
  private asked = 0;

  connect(): void {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      this.connected = true;
      this.pause = 250;
    };
    socket.onmessage = (message) => this.hear(JSON.parse(message.data as string) as Told);
    socket.onclose = () => {
      this.connected = false;
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST);
    };
  }

  send(wish: Record<string, unknown>): void {
    this.notice = '';
    this.socket?.send(JSON.stringify(wish));
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
        this.models = told.models;
        this.begin();
        break;
      case 'picture':
        this.show(told);
        break;
      case 'log':
        this.lines = [...this.lines, ...told.lines].slice(-LINES);
        this.ask();
        break;
      case 'refused':
        this.notice = told.why;
        break;
    }
  }

  private begin(): void {
    this.lines = [];
    this.asked = 0;
  }

  private show(told: Told & { type: 'picture' }): void {
    if (told.whole) this.items.clear();
    const changed = told.items.map(([about, path, name, n, t, times, value]) => {
      const item = { about, path, name, n, t, times, value };
      this.items.set(keyOf(about, path, name), item);
      return item;
    });
    this.t = told.t;
    this.end = told.end;
    this.live = told.live;
    this.over = told.over;
    if (told.told < this.told || told.whole) this.begin();
    this.told = told.told;
    if (this.asked < this.told - LINES) this.asked = this.told - LINES;
    this.ask();
    for (const heard of this.heard) heard(changed, told.whole);
  }

  private ask(): void {
    if (this.asked < this.told) {
      const most = Math.min(this.told - this.asked, 500);
      this.socket?.send(JSON.stringify({ do: 'log', from: this.asked, most }));
      this.asked += most;
    }
  }
}

export const wire = new Wire();
