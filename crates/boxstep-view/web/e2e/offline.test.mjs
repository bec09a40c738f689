// The page without a program: files on a server, or one file. Wants BOXSTEP_OFFLINE, the folder of `cargo xtask offline`, too.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createServer as createVite } from 'vite';
import { addCurve } from './editing.mjs';
import { accessible, box, inspector, opened, ran, root, shot, temp } from './helpers.mjs';

const built = process.env.BOXSTEP_OFFLINE;
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm' };
const hello = join(root, 'examples/hello/behavior.xar');

/** A server of files, in a folder of its own: the page must not be at the root. */
let server;
let origin;
before(async () => {
  server = createServer(({ url }, answer) => {
    const name = url.match(/^\/some\/folder\/([\w.-]*)$/)?.[1];
    try {
      const file = readFileSync(join(built, name || 'index.html'));
      answer.setHeader('content-type', types[(name || 'index.html').split('.').pop()] ?? 'text/plain').end(file);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${server.address().port}/some/folder/`;
});
after(() => server.close());

const button = (page, name) => page.getByRole('button', { name, exact: true });
const scratch = () => mkdtempSync(join(temp, 'offline-'));

/** The page before a file is open, with all that it asks the network for. */
async function begun(t, { url = origin, ...options } = {}) {
  const asked = [];
  const page = await opened(t, 'about:blank', options);
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(url);
  await button(page, 'Choose a file…').and(page.locator(':enabled')).waitFor();
  return { page, asked };
}

/** Drops a file on the page, as a pointer does. */
async function dropped(page, name, content) {
  const data = await page.evaluateHandle(([name, bytes]) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], name));
    return data;
  }, [name, [...content]]);
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** Chooses a file, by keyboard. */
async function chosen(page, path, name = 'Choose a file…') {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, name).press('Enter')]);
  await chooser.setFiles(path);
}

/** The bytes that the page gives. */
async function downloaded(page, name = 'Download') {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

async function rename(page, path, name) {
  await box(page, path).press('F2');
  await page.getByRole('textbox', { name: 'name of the box' }).fill(name);
  await page.keyboard.press('Enter');
}

/** The example, with a value that is too large. */
function wrong() {
  const text = readFileSync(hello, 'utf8');
  const parameter = '<Parameter name="Strength" inherits_from_parent="0" content_type="1" value="150" default_value="50" min="0" max="100" tooltip="" id="90"/>';
  const at = text.indexOf('<Input', text.indexOf('name="Wave"'));
  return Buffer.from(text.slice(0, at) + parameter + text.slice(at));
}

test('without a network a behavior is dropped, seen, checked, changed and downloaded, to the byte as the program changes it', async (t) => {
  const { page, asked } = await begun(t, { acceptDownloads: true });
  assert.deepEqual(asked.filter((url) => !url.startsWith('blob:')).map((url) => url.replace(origin, '')).sort(), ['', 'boxstep.wasm', 'drawing.css', 'offline.css', 'offline.js'].sort(), 'nothing else is asked for');
  await accessible(page);
  await shot(page, 'offline-start');
  await page.context().setOffline(true);
  const given = wrong();
  await dropped(page, 'wave.xar', given);
  await box(page, 'root/Wave').waitFor();
  for (const none of ['Play', 'Save', 'Memory', 'Log']) assert.equal(await button(page, none).count(), 0, none);
  await button(page, '1 finding').click();
  const list = page.getByRole('dialog', { name: 'findings' });
  await list.getByText(/150/).waitFor();
  await accessible(page);
  await shot(page, 'offline-findings');
  await list.getByRole('button', { name: 'root/Wave' }).click();
  await inspector(page).getByText(/150/).waitFor();
  await page.locator('[data-box="root/Wave"].found').waitFor();

  await rename(page, 'root/Wave', 'Greet');
  await box(page, 'root/Greet').waitFor();
  await button(page, 'Undo').click();
  await box(page, 'root/Wave').waitFor();
  await button(page, 'Redo').click();
  await box(page, 'root/Greet').waitFor();
  const { name, bytes } = await downloaded(page);
  assert.equal(name, 'wave.xar');
  const folder = scratch();
  writeFileSync(join(folder, 'wave.xar'), given);
  await ran('edit', join(folder, 'wave.xar'), 'rename', 'root/Wave', 'Greet');
  assert.deepEqual(bytes, readFileSync(join(folder, 'wave.xar')));
  await button(page, 'No changes').waitFor();
  assert.equal(asked.filter((url) => !url.startsWith(origin) && !url.startsWith('blob:')).length, 0);
});

test('boxes of the library are added, scripts are written, and what is copied is pasted', async (t) => {
  const { page } = await begun(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await chosen(page, hello);
  await box(page, 'root/Say').waitFor();
  await page.locator('.stage').focus();
  await page.keyboard.press('a');
  await page.getByLabel('box to add').fill('counter');
  await page.keyboard.press('Enter');
  await page.locator('[data-box^="root/"]').nth(3).waitFor();
  const added = (await page.locator('[data-box^="root/"]').evaluateAll((all) => all.map((one) => one.getAttribute('data-box')))).find((path) => !/Say|Wave/.test(path));
  await box(page, added).click();
  await button(inspector(page), 'Script').click();
  const script = page.getByRole('region', { name: 'Script', exact: true }).locator('.cm-content');
  await script.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('# by hand\n');
  await page.locator('button[aria-label="Undo"][title*="script of"]').waitFor();
  await box(page, 'root/Say').press('Control+d');
  await page.locator('[data-box^="root/"]').nth(4).waitFor();
  await shot(page, 'offline-edited');
});

test('the movements of a timeline are seen and changed, and the robot makes them', async (t) => {
  const { page } = await begun(t);
  await chosen(page, hello);
  await box(page, 'root/Wave').click();
  await button(page, 'Timeline').click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('RShoulderPitch').first().waitFor();
  await button(page, 'Robot').click();
  await page.getByRole('region', { name: 'Robot' }).locator('canvas').waitFor();
  await addCurve(timeline, 'HeadPitch');
  await timeline.getByText('HeadPitch').first().waitFor();
  await page.locator('button[aria-label="Undo"][title*="curve of HeadPitch"]').waitFor();
  await accessible(page);
  await shot(page, 'offline-timeline');
});

test('what is no behavior is refused with its line, and what was open stays', async (t) => {
  const { page } = await begun(t);
  await dropped(page, 'notes.xar', Buffer.from('<?xml version="1.0"?>\n<ChoregrapheProject>\n<Box>'));
  await page.getByRole('alert').filter({ hasText: 'notes.xar was not opened' }).waitFor();
  await shot(page, 'offline-refused');
  await dropped(page, 'behavior.xar', readFileSync(hello));
  await box(page, 'root/Wave').waitFor();
  await rename(page, 'root/Wave', 'Greet');
  await box(page, 'root/Greet').waitFor();
  page.once('dialog', (asks) => asks.accept());
  await dropped(page, 'other.xar', Buffer.from([0xff, 0xfe, 0x00]));
  await page.getByRole('alert').filter({ hasText: 'other.xar was not opened' }).waitFor();
  await box(page, 'root/Greet').waitFor();
  await button(page, 'Undo').and(page.locator(':enabled')).click();
  await box(page, 'root/Wave').waitFor();
  // Whoever has not downloaded a change is asked.
  await button(page, 'Redo').click();
  let question = '';
  page.once('dialog', (asks) => ((question = asks.message()), asks.dismiss()));
  await dropped(page, 'again.xar', readFileSync(hello));
  await page.waitForTimeout(0);
  assert.match(question, /behavior\.xar has changes/);
  await box(page, 'root/Greet').waitFor();
});

test('if the module stops, the file is as it was before, and can be changed and downloaded', async (t) => {
  // A module that stops when a box gets a name: the real one stops for nothing that is known.
  const first = () => {
    const instantiate = 'const real = WebAssembly.instantiate; WebAssembly.instantiate = async (...given) => { const made = await real(...given); const { exports } = made.instance; let last = ""; return { module: made.module, instance: { exports: { ...exports, boxstep_ask: () => { const at = new Uint8Array(exports.memory.buffer); if (new TextDecoder().decode(at).includes("\\"name\\":\\"Stops here\\"")) throw new WebAssembly.RuntimeError("unreachable"); return exports.boxstep_ask(); } } } }; };\n';
    const Real = window.Blob;
    window.Blob = class extends Real {
      constructor(parts, options) {
        super(/javascript/.test(options?.type ?? '') ? [instantiate, ...parts] : parts, options);
      }
    };
  };
  const { page } = await begun(t, { first });
  await chosen(page, hello);
  await box(page, 'root/Wave').waitFor();
  await rename(page, 'root/Wave', 'Greet');
  await box(page, 'root/Greet').waitFor();
  await rename(page, 'root/Greet', 'Stops here');
  await page.getByRole('alert').filter({ hasText: 'has begun again: behavior.xar is as it was before' }).first().waitFor();
  await box(page, 'root/Greet').waitFor();
  await shot(page, 'offline-fault');
  await rename(page, 'root/Say', 'Talk');
  await box(page, 'root/Talk').waitFor();
  const { bytes } = await downloaded(page);
  const folder = scratch();
  await ran('edit', hello, '-o', join(folder, 'one.xar'), 'rename', 'root/Wave', 'Greet');
  await ran('edit', join(folder, 'one.xar'), 'rename', 'root/Say', 'Talk');
  assert.deepEqual(bytes, readFileSync(join(folder, 'one.xar')));
});

test('one file is enough, without a server', async (t) => {
  const { page, asked } = await begun(t, { url: pathToFileURL(join(built, 'boxstep.html')).href });
  await chosen(page, hello);
  await box(page, 'root/Wave').waitFor();
  await rename(page, 'root/Wave', 'Greet');
  await box(page, 'root/Greet').waitFor();
  assert.deepEqual(asked.filter((url) => !/^(file|blob|data):/.test(url)), []);
});

for (const [scheme, width, height] of [['dark', 1280, 800], ['light', 390, 800], ['dark', 390, 800]]) {
  test(`everybody can use it, ${scheme}, ${width} wide`, async (t) => {
    const { page } = await begun(t, { colorScheme: scheme, viewport: { width, height } });
    await accessible(page);
    await shot(page, `offline-start-${scheme}-${width}`);
    await dropped(page, 'wave.xar', wrong());
    await box(page, 'root/Wave').waitFor();
    await box(page, 'root/Wave').click();
    await inspector(page).getByText(/150/).waitFor();
    await accessible(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is beside the page');
    await shot(page, `offline-${scheme}-${width}`);
  });
}

/** Boxes in boxes. */
const nested = (depth) => `<ChoregrapheProject xar_version="3">${'<Box name="b" id="1"><Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>'.repeat(depth)}${'</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box>'.repeat(depth)}</ChoregrapheProject>`;

test('boxes in boxes are opened as deep as files may be, and refused beyond', async (t) => {
  const { page } = await begun(t);
  await dropped(page, 'deeper.xar', Buffer.from(nested(60)));
  await page.getByRole('alert').filter({ hasText: 'deeper.xar was not opened' }).waitFor();
  await dropped(page, 'deep.xar', Buffer.from(nested(39)));
  await box(page, 'b/b').click();
  await inspector(page).getByRole('button', { name: 'Open its inside' }).click();
  await box(page, 'b/b/b').waitFor();
});

/** Runs the module without a browser. */
async function module() {
  const vite = await createVite({ root: join(import.meta.dirname, '..'), logLevel: 'error', server: { middlewareMode: true, ws: false, watch: null }, appType: 'custom' });
  const { Module } = await vite.ssrLoadModule('/src/offline/module.ts');
  await vite.close();
  const wasm = readFileSync(join(built, 'boxstep.wasm'));
  return () => Module.of(wasm);
}

/** All requests that need nothing but a file. */
function everything(one) {
  for (const ask of ['model', 'level', 'state', 'findings', 'library', 'legend', 'text']) one.ask({ ask });
}

test('the module asks for nothing, and stops for no file', async () => {
  const start = await module();
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(join(built, 'boxstep.wasm')))), []);
  const files = ['', '<', '\0'.repeat(1000), `<ChoregrapheProject>${'<a>'.repeat(100_000)}`, `<ChoregrapheProject>${'<a b="c"/>'.repeat(200_000)}</ChoregrapheProject>`, `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(1000)}">]><a>&b;</a>`];
  for (let depth = 1; depth < 60; depth += 3) files.push(nested(depth));
  const real = readFileSync(hello);
  for (let at = 0; at < real.length; at += 97) files.push(Buffer.from(real.map((byte, i) => (i === at ? byte ^ 21 : byte))), real.subarray(0, at));
  let one = await start();
  let opened = 0;
  for (const file of files) {
    try {
      one.open('behavior.xar', Buffer.from(file));
      opened += 1;
      everything(one);
    } catch (why) {
      assert.equal(why.name, 'Refused', `${why}: ${String(file).slice(0, 80)}`);
    }
  }
  assert.ok(opened > 10 && opened < files.length);
});

test('every file of a folder is read as it is, and gives itself back', { skip: !process.env.BOXSTEP_CORPUS && 'BOXSTEP_CORPUS names no folder' }, async () => {
  const start = await module();
  const one = await start();
  const folder = process.env.BOXSTEP_CORPUS;
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.xar'));
  const [refused, slowest] = [[], { time: 0 }];
  for (const name of files) {
    const bytes = readFileSync(join(folder, name));
    const began = performance.now();
    try {
      one.open(name, bytes);
      everything(one);
      assert.ok(bytes.equals(one.bytes()), name);
    } catch (why) {
      assert.equal(why.name, 'Refused', `${name}: ${why}`);
      refused.push(`${name}: ${why.message}`);
    }
    const time = performance.now() - began;
    if (time > slowest.time) Object.assign(slowest, { time, name });
  }
  console.log(`${files.length} files, ${refused.length} refused; the slowest took ${Math.round(slowest.time)} ms\n${refused.join('\n')}`);
});
