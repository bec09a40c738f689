// The extension in a real VS Code, which a browser shows. Wants CODE_SERVER, a command that starts code-server, and CHROMIUM.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const here = join(import.meta.dirname, '..');
const root = join(here, '../..');
const command = process.env.CODE_SERVER?.split(' ');
const { chromium } = createRequire(join(root, 'crates/boxstep-view/web/package.json'))('playwright-core');

/** A port that nobody has. */
const free = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/** Starts VS Code with the extension, and opens a folder with a behavior. */
async function vscode(t, settings = {}) {
  const temp = mkdtempSync(join(tmpdir(), 'boxstep-code-'));
  const [data, extensions, folder] = ['data', 'extensions', 'folder'].map((name) => join(temp, name));
  const extension = join(extensions, 'boxstep.boxstep-0.1.0');
  for (const made of [join(data, 'User'), extension, folder]) mkdirSync(made, { recursive: true });
  for (const part of ['package.json', 'language.json', 'xar.tmLanguage.json', 'dist']) cpSync(join(here, part), join(extension, part), { recursive: true });
  const file = join(folder, 'behavior.xar');
  cpSync(join(root, 'examples/hello/behavior.xar'), file);
  const quiet = { 'workbench.startupEditor': 'none', 'files.autoSave': 'off', 'extensions.autoCheckUpdates': false };
  writeFileSync(join(data, 'User/settings.json'), JSON.stringify({ ...quiet, ...settings }));
  const port = await free();
  const args = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--user-data-dir', data, '--extensions-dir', extensions];
  const server = spawn(command[0], [...command.slice(1), ...args, '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust', folder], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HOME: temp } });
  const over = new Promise((done) => server.once('exit', done));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
  t.after(async () => {
    await browser.close();
    server.kill();
    await over;
    rmSync(temp, { recursive: true, force: true });
  });
  await new Promise((done) => server.stdout.on('data', (said) => String(said).includes('listening on') && done()));
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
  // The file is opened as text before VS Code knows its extensions.
  const ready = page.getByRole('treeitem', { name: 'behavior.xar' });
  await ready.waitFor({ timeout: 60_000 });
  const inside = page.frameLocator('iframe.webview').frameLocator('iframe#active-frame');
  const box = (path) => inside.locator(`[data-box="${path}"]`);
  for (let round = 0; round < 10 && !(await page.locator('iframe.webview').count()); round++) {
    await ready.dblclick();
    await page.locator('iframe.webview').waitFor({ timeout: 5000 }).catch(() => page.keyboard.press('Alt+w'));
  }
  await box('root/Wave').waitFor({ timeout: 60_000 });
  return { page, inside, box, now: () => readFileSync(file, 'utf8'), shot: (name) => process.env.SHOTS && page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) }) };
}

async function until(what, is) {
  for (let round = 0; round < 200; round++) {
    if (is()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(what);
}

const skip = !command && 'CODE_SERVER names no command';

test('in VS Code a change is not saved, saved, undone and done again', { skip }, async (t) => {
  const { page, inside, box, now, shot } = await vscode(t);
  const before = now();
  await box('root/Wave').click();
  await page.keyboard.press('F2');
  await inside.getByRole('textbox', { name: 'name of the box' }).fill('Greet');
  await page.keyboard.press('Enter');
  await box('root/Greet').waitFor();
  await page.locator('.tab.dirty').waitFor();
  assert.equal(now(), before);
  await inside.locator('.stage').click({ position: { x: 20, y: 20 } });
  await page.keyboard.press('Control+s');
  await until('it is saved', () => now() === before.replace('name="Wave"', 'name="Greet"'));
  await page.keyboard.press('Control+z');
  await box('root/Wave').waitFor();
  await page.keyboard.press('Control+Shift+z');
  await box('root/Greet').waitFor();
  await shot('vscode-real');
});

test('in VS Code a script has its own undo, and the text beside follows', { skip }, async (t) => {
  const { page, inside, box, shot } = await vscode(t, { 'workbench.colorTheme': 'Default Dark Modern' });
  const back = await inside.locator('.stage').evaluate((stage) => getComputedStyle(stage.ownerDocument.documentElement).backgroundColor);
  assert.ok(back.match(/\d+/g).every((part) => Number(part) < 80), `as dark as VS Code: ${back}`);
  await page.getByRole('button', { name: 'Open as Text' }).click();
  await page.locator('.monaco-editor .view-lines').waitFor();
  await box('root/Say').click();
  await inside.locator('.inspector summary').filter({ hasText: 'script' }).click();
  const script = inside.locator('.cm-content');
  await script.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('# first\n');
  await page.locator('.tab.dirty').first().waitFor();
  await script.filter({ hasText: '# first' }).waitFor();
  await shot('vscode-real-dark');
  // Slow typing is undone in parts.
  for (let round = 0; round < 12 && (await script.textContent()).includes('# f'); round++) await page.keyboard.press('Control+z');
  await script.filter({ hasNotText: '# f' }).waitFor();
  await page.locator('.monaco-editor .view-lines').filter({ hasNotText: '# first' }).waitFor();
});
