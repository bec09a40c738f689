// What the tests of changes have in common.

import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { box, root, started, temp } from './helpers.mjs';

/** A copy of an example, and what its file says now. */
export function copied(name) {
  const folder = mkdtempSync(join(temp, 'edit-'));
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  const file = join(folder, 'behavior.xar');
  return { folder, file, before: readFileSync(file, 'utf8'), now: () => readFileSync(file, 'utf8') };
}

export const edited = (t, folder, ...more) => started(t, 'play', folder, '--view', '--edit', '--paused', ...more);
export const button = (page, name) => page.getByRole('button', { name, exact: true });
const saved = (page) => button(page, 'Saved').waitFor();
/** Saves, and waits until the server has: the button may still tell of the time before. */
export const save = async (page) => {
  const done = page.waitForResponse((answer) => answer.request().postData()?.includes('"save"'));
  await page.keyboard.press('Control+s');
  await done;
  await saved(page);
};
/** Waits until boxes are in the clipboard. `waitForFunction` would take the promise of a text for its answer. */
export async function copiedBoxes(page) {
  while (!(await page.evaluate(() => navigator.clipboard.readText())).includes('ChoregrapheBox'));
}
/** The lines that only one of two texts has. */
export function difference(before, now) {
  const [old, young] = [before.split('\n'), now.split('\n')];
  return { gone: old.filter((line) => !young.includes(line)), come: young.filter((line) => !old.includes(line)) };
}
/** Where something is, once it stays: a diagram that has changed is drawn anew. */
export async function middle(of) {
  for (let before = ''; ; ) {
    const box = await of.evaluate((one) => new Promise((done) => requestAnimationFrame(() => ((r) => done(one.isConnected && [r.x + r.width / 2, r.y + r.height / 2]))(one.getBoundingClientRect()))));
    if (box && before === String(box)) return { x: box[0], y: box[1] };
    before = String(box);
  }
}
export async function dragged(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}
/** Goes to something with the Tab key alone: on, or back with Shift. */
export async function tabbed(page, to, { back = false, most = 200 } = {}) {
  for (let times = 0; times < most; times++) {
    if (await to.evaluate((element) => element === document.activeElement)) return times;
    // In an editor Tab indents, unless Escape comes before it.
    if (await page.evaluate(() => !!document.activeElement?.closest('.cm-content'))) await page.keyboard.press('Escape');
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
  }
  throw new Error(`Tab does not lead to ${to}`);
}
export const head = (page, path) => box(page, path).locator('.title').first();
export const port = (page, name) => page.locator(`[data-port="${name.replaceAll(' ', '\t')}"] .port`);

/** Opens the script of a box, and returns its editor. */
export async function script(page, path) {
  await box(page, path).click();
  const pane = page.getByRole('region', { name: 'Inspector' });
  await pane.getByRole('heading', { name: path.slice(path.lastIndexOf('/') + 1) }).waitFor();
  const editor = page.getByRole('textbox', { name: 'script' });
  // It stays open from box to box.
  if (!(await editor.count())) await pane.getByRole('button', { name: 'Script', exact: true }).click();
  await editor.waitFor();
  return editor;
}

/** Adds a curve of a joint to the timeline that is shown. */
export async function addCurve(timeline, joint) {
  await timeline.getByRole('button', { name: 'Add a curve…' }).click();
  const page = timeline.page();
  await page.getByRole('combobox', { name: 'add a curve' }).fill(joint);
  await page.getByRole('option', { name: joint, exact: true }).click();
}

/** The operations that a page sends from now on. */
export function sent(page) {
  const ops = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/edit\/\d+$/.test(request.url())) ops.push(...(request.postDataJSON().ops ?? []));
  });
  return ops;
}

/** Waits until the last change of the file is one with this in its label. */
export const did = (page, what) => page.getByRole('button', { name: 'Undo', exact: true }).and(page.locator(`[title*="${what}"]`)).waitFor();
