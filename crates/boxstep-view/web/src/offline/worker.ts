// The module on a thread of its own: large files take a moment, and the page does not wait.

import { Fault, Module } from './module';

export type Wish = { id: number } & ({ do: 'load'; wasm: ArrayBuffer } | { do: 'open'; name: string; content: Uint8Array } | { do: 'ask'; request: Record<string, unknown> } | { do: 'bytes' });
export type Answer = { id: number } & ({ value: string | Uint8Array | undefined } | { refused: string } | { fault: string });

let module: Module | undefined;

async function done(wish: Wish): Promise<string | Uint8Array | undefined> {
  if (wish.do === 'load') {
    module = await Module.of(wish.wasm);
    return undefined;
  }
  if (!module) throw new Fault('it is not loaded');
  switch (wish.do) {
    case 'open':
      return void module.open(wish.name, wish.content);
    case 'ask':
      return module.ask(wish.request);
    case 'bytes':
      return module.bytes();
  }
}

self.onmessage = async ({ data }: MessageEvent<Wish>) => {
  const { id } = data;
  const answer = await done(data).then(
    (value): Answer => ({ id, value }),
    (why: Error): Answer => (why.name === 'Refused' ? { id, refused: why.message } : { id, fault: why.message }),
  );
  postMessage(answer);
};
