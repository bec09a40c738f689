// The extension as it is built, in as much of VS Code as it uses, with its page in a real browser.
// Wants BOXSTEP (the program) and CHROMIUM (a browser); `cargo xtask offline` gives both.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { Document, fakeVscode } from './fake-vscode.mjs';

const here = join(import.meta.dirname, '..');
const root = join(here, '../..');
const { chromium } = createRequire(join(root, 'crates/boxstep-view/web/package.json'))('playwright-core');
const hello = readFileSync(join(root, 'examples/hello/behavior.xar'), 'utf8');
const temp = mkdtempSync(join(tmpdir(), 'boxstep-vscode-'));
const types = { js: 'text/javascript', css: 'text/css', wasm: 'application/wasm' };

let browser;
before(async () => (browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] })));
after(async () => {
  await browser.close();
  rmSync(temp, { recursive: true });
});

/** A module of the extension by itself. */
async function loaded(name) {
  const { outputFiles } = await build({ entryPoints: [join(here, `src/${name}.ts`)], bundle: true, format: 'esm', write: false });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** Opens a behavior in the editor. */
async function shown(t, text, options = {}) {
  let html = '';
  const server = createServer(({ url }, answer) => {
    const file = url.match(/^\/extension\/(dist\/page\/[\w.-]+)$/)?.[1];
    answer.setHeader('access-control-allow-origin', '*');
    if (url === '/') answer.setHeader('content-type', 'text/html').end(html);
    else if (file) answer.setHeader('content-type', types[file.split('.').pop()]).end(readFileSync(join(here, file)));
    else answer.writeHead(404).end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, ...options });
  const page = await context.newPage();
  const [errors, asked] = [[], []];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('request', (request) => asked.push(request.url()));
  t.after(async () => {
    await context.close();
    server.close();
    assert.deepEqual(errors, []);
    assert.deepEqual(asked.filter((url) => !url.startsWith(origin) && !url.startsWith('blob:') && !url.startsWith('data:')), []);
  });
  const world = fakeVscode(origin);
  const editor = world.open(new Document('/home/me/behavior.xar', text), (message) => void page.evaluate((message) => postMessage(message), message).catch(() => undefined));
  html = editor.html;
  await page.exposeFunction('fromPage', (message) => editor.heard(message));
  await page.addInitScript(`window.acquireVsCodeApi = () => ({ postMessage: (message) => window.fromPage(message) });`);
  await page.goto(origin);
  return { world, page, editor };
}

const box = (page, path) => page.locator(`[data-box="${path}"]`);
const shot = async (page, name) => process.env.SHOTS && (await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) }));
async function until(what, is) {
  for (let round = 0; round < 200; round++) {
    if (is()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(what);
}
async function rename(page, path, name) {
  await box(page, path).click();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: /name/i }).first().fill(name);
  await page.keyboard.press('Enter');
}

test('a change is an edit of the document, as the program makes it; undo and save are those of VS Code', async (t) => {
  const { world, page, editor } = await shown(t, hello);
  assert.equal(editor.view, 'boxstep.behavior');
  await box(page, 'root/Wave').waitFor();
  for (const none of ['Undo', 'Redo', 'Download', 'Open…']) assert.equal(await page.getByRole('button', { name: none }).count(), 0, none);
  assert.equal(world.document.past.length, 0, 'opening changes nothing');
  await rename(page, 'root/Wave', 'Greet');
  await box(page, 'root/Greet').waitFor();
  await until('the document has the change', () => world.document.text.includes('name="Greet"'));
  assert.equal(world.document.past.length, 1);
  const by = join(temp, 'renamed.xar');
  execFileSync(process.env.BOXSTEP, ['edit', join(root, 'examples/hello/behavior.xar'), '-o', by, 'rename', 'root/Wave', 'Greet'], { stdio: 'ignore' });
  assert.equal(world.document.text, readFileSync(by, 'utf8'));
  await shot(page, 'vscode-light');
  // The page leaves the key to VS Code.
  await page.locator('.stage').click({ position: { x: 20, y: 20 } });
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+s');
  await until('it is saved', () => world.document.saved > 0);
  assert.ok(world.document.text.includes('name="Greet"'));
  world.undo();
  await box(page, 'root/Wave').waitFor();
  assert.equal(world.document.text, hello);
});

test('what others write is shown; what is no behavior is said, and shown again when it is one', async (t) => {
  const { world, page } = await shown(t, hello, { colorScheme: 'dark' });
  await box(page, 'root/Wave').waitFor();
  world.set(hello.replace('name="Wave"', 'name="Other"'));
  await box(page, 'root/Other').waitFor();
  world.set(hello.slice(0, 300));
  await page.getByRole('alert').filter({ hasText: 'behavior.xar was not opened' }).waitFor();
  await shot(page, 'vscode-broken-dark');
  world.set(hello);
  await box(page, 'root/Wave').waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test('a change that VS Code refuses is taken back in the page', async (t) => {
  const { world, page } = await shown(t, hello);
  await box(page, 'root/Wave').waitFor();
  world.refuses = true;
  await rename(page, 'root/Wave', 'Greet');
  await until('it is said', () => world.errors.length);
  await box(page, 'root/Wave').waitFor();
  assert.equal(world.document.text, hello);
});

test('changes that follow each other arrive in order, and those of an older text are dropped', async () => {
  const { Link } = await loaded('link');
  const [told, steps] = [[], []];
  let text = 'a';
  const link = new Link('x', { text: () => text, replace: async (next) => (await null, (text = next), steps.push(next), link.changed(), true), save: async () => steps.push('saved'), failed: () => assert.fail() }, (message) => told.push(message.text));
  link.hear({ type: 'changed', label: '', text: 'too early' });
  link.hear({ type: 'ready' });
  for (const next of ['b', 'c', 'd']) link.hear({ type: 'changed', label: '', text: next });
  link.hear({ type: 'save' });
  await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual(steps, ['b', 'c', 'd', 'saved']);
  assert.deepEqual(told, ['a'], 'the page is not told what it has done itself');
  for (const next of ['e', 'f']) link.hear({ type: 'changed', label: '', text: next });
  text = 'by another';
  link.changed();
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(told.at(-1), text, 'the page shows what the document is in the end');
  assert.ok(!steps.includes('f'));
});

test('a difference is small, and never within a character or a line end', async () => {
  const { difference } = await loaded('difference');
  assert.equal(difference('same', 'same'), undefined);
  assert.deepEqual(difference('<a x="1"/>', '<a x="22"/>'), { start: 6, end: 7, text: '22' });
  const signs = ['a', '\r\n', '\n', '😀', '😁', 'é', '\r'];
  let seed = 7;
  const next = (end) => (seed = (seed * 48271) % 2147483647) % end;
  const word = () => Array.from({ length: next(6) }, () => signs[next(signs.length)]).join('');
  for (let round = 0; round < 20_000; round++) {
    const [before, after] = [word(), word()];
    const change = difference(before, after);
    if (!change) continue;
    assert.equal(before.slice(0, change.start) + change.text + before.slice(change.end), after);
    const document = new Document('/x', before);
    [document.positionAt(change.start), document.positionAt(change.end)];
  }
});
