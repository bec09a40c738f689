// The module's thread, as the page sees it: one request after another, and another thread if it has met a fault.

import { Fault, Refused } from './module';
import type { Answer, Wish } from './worker';
import Thread from './worker?worker&inline';

/** Whoever waits longer than this waits in vain, milliseconds. */
const LONGEST = 60_000;

type Waiting = { done: (value: string | Uint8Array | undefined) => void; failed: (why: Error) => void; late: ReturnType<typeof setTimeout> };
type Without<T> = T extends unknown ? Omit<T, 'id'> : never;

export class Engine {
  private thread: Worker | undefined;
  private waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(private readonly wasm: ArrayBuffer) {}

  /** Begins with a thread that has nothing open. */
  async start(): Promise<void> {
    this.end('it has begun again');
    const thread = new Thread();
    this.thread = thread;
    thread.onmessage = ({ data }: MessageEvent<Answer>) => this.hear(data);
    thread.onerror = (event) => this.end(event.message || 'its thread has ended');
    await this.ask({ do: 'load', wasm: this.wasm });
  }

  async open(name: string, content: Uint8Array): Promise<void> {
    await this.ask({ do: 'open', name, content });
  }

  async text(request: Record<string, unknown>): Promise<string> {
    return (await this.ask({ do: 'ask', request })) as string;
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.ask({ do: 'bytes' })) as Uint8Array<ArrayBuffer>;
  }

  private ask(wish: Without<Wish>): Promise<string | Uint8Array | undefined> {
    return new Promise((done, failed) => {
      const id = ++this.last;
      const late = setTimeout(() => this.end('it does not answer'), LONGEST);
      this.waiting.set(id, { done, failed, late });
      this.thread?.postMessage({ ...wish, id } as Wish);
    });
  }

  private hear(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    clearTimeout(waiting?.late);
    if ('value' in answer) waiting?.done(answer.value);
    else if ('refused' in answer) waiting?.failed(new Refused(answer.refused));
    else {
      waiting?.failed(new Fault(answer.fault));
      this.end(answer.fault);
    }
  }

  private end(why: string): void {
    this.thread?.terminate();
    this.thread = undefined;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { failed, late } of all) {
      clearTimeout(late);
      failed(new Fault(why));
    }
  }
}
