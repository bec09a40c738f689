// What the server tells of a show, and what it can be asked.

export type LaneState = 'absent' | 'free' | 'preparing' | 'armed' | 'playing' | 'waiting' | 'holding' | 'lost' | 'stopped' | 'refused' | 'over';
export type Lane = { name: string; body: string; state: LaneState; says: string; clock: number | null; trace: string | null };

type Event =
  | { what: 'joined' | 'armed' | 'refused' | 'lost' | 'back' | 'trouble' | 'held' | 'goes_on' | 'stopped' | 'called_off' | 'over' }
  | { what: 'scene'; scene: string; begins: number }
  | { what: 'started' | 'ended'; scene: string }
  | { what: 'cue'; to: number[]; after: number };
export type Entry = { at: number; robot: number | null; text: string } & Event;

type Told = { title: string; live: boolean; stops: boolean; says: string; over: boolean; now: number; lanes: Lane[]; first: number; entries: Entry[] };

/** How often it is asked what is new, milliseconds. */
const OFTEN = 300;
/** How much longer than it was told the time goes on by itself, seconds. */
const AHEAD = 2;
const GONE = 'boxstep does not answer: has it ended?';

class Show {
  title = $state('');
  says = $state('');
  live = $state(false);
  stops = $state(false);
  over = $state(false);
  lanes = $state.raw<Lane[]>([]);
  entries = $state.raw<Entry[]>([]);
  /** Seconds of the account. */
  now = $state(0);
  /** It has been told once. */
  known = $state(false);
  lost = $state(false);
  /** What could not be done. */
  notice = $state('');
  /** Everything was to stop, and has not yet. */
  stopping = $state(false);
  private told = { now: 0, at: 0 };
  private lanesText = '';

  begin() {
    void this.ask();
    setInterval(() => {
      if (!this.live || this.over || this.lost) return;
      this.now = this.told.now + Math.min((performance.now() - this.told.at) / 1000, AHEAD);
    }, 100);
  }

  private async ask() {
    try {
      const answer = await fetch(`/show?entries=${this.entries.length}`);
      this.lost = !answer.ok;
      if (answer.ok) this.take((await answer.json()) as Told);
    } catch {
      this.lost = true;
    }
    if (this.live || this.lost || !this.known) setTimeout(() => void this.ask(), OFTEN);
  }

  private take(told: Told) {
    if (told.first < this.entries.length) this.entries = [];
    if (told.entries.length) this.entries = [...this.entries, ...told.entries];
    const text = JSON.stringify(told.lanes);
    if (text !== this.lanesText) [this.lanes, this.lanesText] = [told.lanes, text];
    [this.title, this.says, this.live, this.stops, this.over] = [told.title, told.says, told.live, told.stops, told.over];
    [this.known, this.now, this.told] = [true, told.now, { now: told.now, at: performance.now() }];
    if (told.over) this.stopping = false;
  }

  private async post(what: string, body: unknown): Promise<string> {
    try {
      const answer = await fetch(what, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      const text = await answer.text();
      this.notice = answer.ok ? '' : text;
      return answer.ok ? text : '';
    } catch {
      this.notice = GONE;
      return '';
    }
  }

  /** Stops all robots at once. */
  async stop() {
    this.stopping = true;
    await this.post('/stop', {});
    if (this.notice === GONE) this.notice = `${GONE} Stop with Ctrl-C in its terminal, or with boxstep fleet stop.`;
    if (this.notice) this.stopping = false;
  }

  /** Opens the trace of a robot, and says where its page is. */
  async trace(robot: number): Promise<string | undefined> {
    const answer = await this.post('/trace', { robot });
    if (!answer) return undefined;
    const { url, refused } = JSON.parse(answer) as { url?: string; refused?: string };
    this.notice = refused ?? '';
    return url;
  }
}

export const show = new Show();
