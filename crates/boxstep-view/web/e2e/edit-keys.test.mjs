// Keys, menus and pointers in diagrams that can be changed: they are about what is seen to be chosen, and go where they are meant to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, copied, copiedBoxes, did, edited, middle, port, save } from './editing.mjs';
import { box, inspector, opened, region, shot, valued } from './helpers.mjs';

const focused = (page, of) => page.waitForFunction((of) => document.activeElement?.getAttribute('data-box') === of, of);
const chosen = (page, ...paths) =>
  page.waitForFunction((paths) => String([...document.querySelectorAll('.node.chosen')].map((one) => one.getAttribute('data-box')).sort()) === paths, String(paths.sort()));
const gone = (page, path) => box(page, path).waitFor({ state: 'detached' });
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const frame = (page, of) => page.locator(`[data-diagram="${of}"]`);

test('keys are about the box that has the keyboard, or was chosen last', async (t) => {
  const { folder } = copied('hello');
  const page = await opened(t, await edited(t, folder), CLIPBOARD);
  await box(page, 'root/Wave').click();
  await chosen(page, 'root/Wave');
  await page.keyboard.press('Tab');
  await focused(page, 'root/Say bye');
  await page.keyboard.press('Delete');
  await gone(page, 'root/Say bye');
  assert.equal(await box(page, 'root/Wave').count(), 1);
  await page.keyboard.press('Control+z');
  await box(page, 'root/Say bye').waitFor();
  // What was found is meant, not what was clicked before.
  await box(page, 'root/Say').click();
  await page.keyboard.press('Control+f');
  await page.getByRole('combobox', { name: /boxes, ports/ }).waitFor();
  await page.keyboard.type('Wave');
  await page.keyboard.press('Enter');
  await chosen(page, 'root/Wave');
  await focused(page, 'root/Wave');
  await page.keyboard.press('Control+x');
  await gone(page, 'root/Wave');
  assert.equal(await box(page, 'root/Say').count(), 1);
  await page.keyboard.press('Control+z');
  await box(page, 'root/Wave').waitFor();
  // A link is chosen no more once a box has the keyboard.
  const link = page.locator('[data-from="output\tonStopped\troot/Wave"]');
  const clicked = async () => {
    const at = await link.evaluate((path) => {
      const { x, y } = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
      return { x, y };
    });
    await page.mouse.click(at.x, at.y);
    await page.locator('.link.picked').waitFor({ state: 'attached' });
  };
  await box(page, 'root/Say').click();
  await clicked();
  await page.keyboard.press('Delete');
  await link.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await link.waitFor();
  await clicked();
  await box(page, 'root/Say').focus();
  await page.keyboard.press('Delete');
  await gone(page, 'root/Say');
  assert.equal(await link.count(), 1);
});

test('steps add up while the program is slow, and the keyboard stays', async (t) => {
  const { folder, now } = copied('hello');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').click();
  let go;
  const slow = new Promise((done) => (go = done));
  await page.route('**/edit/0', async (route) => (await slow, route.continue()));
  for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  go();
  await did(page, 'move Wave');
  await save(page);
  assert.match(now(), /name="Wave" id="2" .* x="380" y="61"/);
  await focused(page, 'root/Wave');
  const drawn = page.waitForResponse((answer) => answer.url().includes('/level/'));
  await page.keyboard.press('ArrowLeft');
  await drawn;
  await focused(page, 'root/Wave');
  await page.keyboard.press('ArrowLeft');
  await save(page);
  assert.match(now(), /name="Wave" id="2" .* x="360" y="61"/);
});

test('every right click opens the menu, which pastes and adds', async (t) => {
  const { folder } = copied('hello');
  const page = await opened(t, await edited(t, folder), CLIPBOARD);
  await box(page, 'root/Wave').waitFor();
  for (let n = 0; n < 4; n++) {
    await box(page, n % 2 ? 'root/Say' : 'root/Wave').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename…' }).waitFor();
    // Menus of before close late.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.equal(await page.getByRole('menu').count(), 1);
  }
  await page.getByRole('menuitem', { name: 'Copy' }).click();
  await copiedBoxes(page);
  const stage = page.getByRole('application', { name: /^diagram/ });
  await stage.click({ button: 'right', position: { x: 20, y: 20 } });
  await page.getByRole('menuitem', { name: 'Paste' }).click();
  await box(page, 'root/Say (1)').waitFor();
  await chosen(page, 'root/Say (1)');
  await page.evaluate(() => navigator.clipboard.writeText('words'));
  await stage.click({ button: 'right', position: { x: 20, y: 20 } });
  await page.getByRole('menuitem', { name: 'Paste' }).click();
  await page.getByRole('alert').getByText('there are no boxes in the clipboard').waitFor();
  await button(page, 'Add a box').click();
  await page.getByRole('combobox', { name: 'box to add' }).waitFor();
  await page.keyboard.type('python');
  await page.keyboard.press('Enter');
  await chosen(page, 'root/Python Script');
  await inspector(page).getByRole('heading', { name: 'Python Script' }).waitFor();
});

test('what comes is chosen and lies on nothing, and a name keeps its box chosen', async (t) => {
  const { folder } = copied('hello');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').click();
  await page.keyboard.press('Control+d');
  await chosen(page, 'root/Wave (1)');
  await box(page, 'root/Wave').click();
  await page.keyboard.press('Control+d');
  await chosen(page, 'root/Wave (2)');
  const [one, other] = [await middle(box(page, 'root/Wave (1)')), await middle(box(page, 'root/Wave (2)'))];
  assert.ok(Math.hypot(one.x - other.x, one.y - other.y) > 40, 'a copy lies on another');
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'name of the box' }).fill('Swing');
  await page.keyboard.press('Enter');
  await chosen(page, 'root/Swing');
  await focused(page, 'root/Swing');
  await inspector(page).getByRole('heading', { name: 'Swing' }).waitFor();
  // Also while something has the keyboard in which nobody writes.
  await page.getByRole('radio', { name: 'Play' }).focus();
  await page.keyboard.press('Control+z');
  await box(page, 'root/Wave (2)').waitFor();
});

test('boxes go into the keyframe that they are put into, and empty ones are seen', async (t) => {
  const { folder } = copied('timeline-layers');
  const page = await opened(t, await edited(t, folder), CLIPBOARD);
  await box(page, 'root/Dance').waitFor();
  await box(page, 'root/Dance').dblclick();
  const added = async () => {
    await page.getByRole('combobox', { name: 'box to add' }).waitFor();
    await page.keyboard.type('python');
    await page.keyboard.press('Enter');
  };
  const [right, silence] = ['root/Dance/@steps:right', 'root/Dance/@talk:silence'];
  await frame(page, right).waitFor();
  await shot(page, 'edit-keyframes');
  const at = await middle(frame(page, right).locator('.canvas'));
  await page.mouse.move(at.x, at.y);
  await page.keyboard.press('a');
  await added();
  await box(page, `${right}/Python Script`).waitFor();
  // The empty one, entered from the timeline.
  const timeline = await region(page, 'Timeline');
  await timeline.getByRole('button', { name: /^silence, frame/ }).dblclick();
  await page.waitForFunction((of) => {
    const [frame, stage] = [`[data-diagram="${of}"] .canvas`, '.stage'].map((one) => document.querySelector(one)?.getBoundingClientRect());
    return frame && Math.abs(frame.x + frame.width / 2 - stage.x - stage.width / 2) < 3;
  }, silence);
  await button(page, 'Add a box').click();
  await added();
  await box(page, `${silence}/Python Script`).waitFor();
  await chosen(page, `${silence}/Python Script`);
});

test('a timeline without layers says what is to be done', async (t) => {
  const { folder } = copied('hello');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').waitFor();
  await page.getByRole('application', { name: /^diagram/ }).focus();
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'box to add' }).fill('timeline');
  await page.keyboard.press('Enter');
  await focused(page, 'root/Timeline');
  await box(page, 'root/Timeline').dblclick();
  // It has nothing that could be drawn: what it has is shown, and changed, in its region.
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('Add a curve, or store a pose.').waitFor();
  await timeline.getByRole('application', { name: /^timeline of root\/Timeline/ }).waitFor();
  await box(page, 'root/Say').waitFor();
  assert.equal(await page.locator('.stage .tick').count(), 0, 'drawn once');
  assert.equal(await timeline.getByLabel('last frame').getAttribute('placeholder'), 'the last key');
});

test('the timeline has room, and takes whole frames', async (t) => {
  const { folder } = copied('timeline-layers');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Dance').click();
  const timeline = await region(page, 'Timeline');
  const sheet = timeline.getByRole('application');
  await page.waitForFunction(() => document.querySelector('.sheet[role="application"]')?.clientHeight > 100);
  await shot(page, 'edit-timeline-room');
  await sheet.locator('.ruler').waitFor();
  await timeline.getByLabel('fps').fill('12.5');
  await page.keyboard.press('Enter');
  await did(page, 'set frames per second to 13');
  await timeline.getByLabel('fps').fill('');
  await page.keyboard.press('Tab');
  // An empty field goes back to what the file has, once the page knows that.
  await valued(page, 'fps', '13');
});

test('another page removes the diagram that one looks at', async (t) => {
  const { folder } = copied('nested-parameters');
  const url = await edited(t, folder);
  const [page, other] = [await opened(t, url), await opened(t, url)];
  await box(page, 'root/Visit').dblclick();
  await gone(page, 'root/Visit');
  await box(other, 'root/Visit').click();
  await other.keyboard.press('Delete');
  await gone(other, 'root/Visit');
  await page.locator('[data-diagram="root"]').waitFor();
  // Links of what is gone have gone.
  assert.equal(await port(page, 'output onStopped root/Visit').count(), 0);
});
