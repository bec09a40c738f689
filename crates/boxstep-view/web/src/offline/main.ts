// The page without a program: all that it needs are the files beside it, or in it.

import { mount } from 'svelte';
import Offline from './Offline.svelte';
import '../app.css';
import { file } from './file.svelte';
import { browser, editor } from './host';
import { followEditor } from './scheme';

type Editor = { postMessage: (message: unknown) => void };
declare function acquireVsCodeApi(): Editor;

/** The module: in the page itself if that is all in one file, else beside it. */
async function wasm(): Promise<ArrayBuffer> {
  const inside = document.getElementById('boxstep-wasm')?.textContent;
  if (inside) return Uint8Array.from(atob(inside), (one) => one.charCodeAt(0)).buffer;
  const address = document.body.dataset.wasm ?? 'boxstep.wasm';
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.arrayBuffer();
}

const inEditor = typeof acquireVsCodeApi === 'function';
const host = inEditor ? editor(((api) => (message: unknown) => api.postMessage(message))(acquireVsCodeApi())) : browser;
if (inEditor) followEditor();
file.busy = true;
mount(Offline, { target: document.body, props: { drops: !inEditor } });
wasm().then(
  (bytes) => {
    file.busy = false;
    file.begin(bytes, host);
  },
  (why: Error) => (file.notice = `This page is not complete: ${why.message}`),
);
