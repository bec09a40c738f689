// Frames that are looked at with all that scripts do until then, in a trial run of what is edited; and the postures at the keys beside.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, opened, region, root, shot, started, temp } from './helpers.mjs';

async function animated(t, change = (text) => text, ...more) {
  const folder = mkdtempSync(join(temp, 'trial-'));
  cpSync(join(root, 'examples', 'timeline-layers'), folder, { recursive: true });
  const file = join(folder, 'behavior.xar');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  const url = await started(t, 'play', folder, '--view', '--edit', '--paused', ...more);
  const page = await opened(t, url, { viewport: { width: 1440, height: 900 } });
  await page.getByRole('radio', { name: 'Animate' }).check();
  const timeline = await region(page, 'Timeline');
  await timeline.getByRole('group', { name: 'changes of the timeline' }).waitFor();
  return { page, timeline };
}

const middle = async (of) => (({ x, width }) => x + width / 2)(await of.boundingBox());
/** Where a frame is in the ruler, in pixels of the window, once the page is laid out and moves no more. */
async function ruler(timeline, before = '') {
  const key = (frame) => middle(timeline.locator(`[data-joint="HeadYaw"] [data-frame="${frame}"]`));
  const first = await key(15);
  const k = ((await key(45)) - first) / 30;
  const { x, y } = await timeline.locator('.scrub').boundingBox();
  const now = `${first} ${k} ${x} ${y}`;
  if (now !== before) {
    await timeline.page().evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return ruler(timeline, now);
  }
  return { at: (frame) => x + 8 + (frame - 1) * k, y: y + 10 };
}
const scripts = (timeline) => timeline.getByRole('button', { name: 'With scripts' });
const tells = (page) => page.getByRole('status', { name: 'trial run' });
const logged = (log, text) => log.getByText(text).first();

test('a frame is seen with all that scripts have done until then', async (t) => {
  const { page, timeline } = await animated(t);
  const log = await region(page, 'Log');
  await scripts(timeline).click();
  await tells(page).waitFor();
  const { at, y } = await ruler(timeline);
  await page.mouse.move(at(20), y);
  await page.mouse.down();
  await timeline.getByText('frame 20, 0.76 s: after a trial run with all scripts').waitFor();
  await logged(log, 'a step to the left at frame').waitFor();
  await log.locator('.line.future').getByText('a step to the right at frame').first().waitFor();
  await page.mouse.move(at(60), y, { steps: 12 });
  await page.mouse.up();
  await timeline.getByText('frame 60, 2.36 s: after a trial run').waitFor();
  await log.locator('.line:not(.future)').getByText('a step to the right at frame').first().waitFor();
  await shot(page, 'trial');
  await accessible(page);
  // The slider goes to other times of it, and the cursor with it.
  await page.getByRole('slider', { name: 'time' }).fill('1000000000');
  await timeline.getByText('plays, frame 26,').waitFor();
  assert.match(await tells(page).textContent(), /trial run of what is edited/);
  // The run itself has not begun.
  await tells(page).getByRole('button', { name: 'Back to the run' }).click();
  await tells(page).waitFor({ state: 'hidden' });
  assert.equal(await scripts(timeline).getAttribute('aria-pressed'), 'false');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  assert.equal(await log.getByText('a step to the left at frame').count(), 0);
});

test('a change is seen in the next trial run, before it is saved', async (t) => {
  const { page, timeline } = await animated(t);
  const log = await region(page, 'Log');
  await scripts(timeline).click();
  await tells(page).waitFor();
  const { at, y } = await ruler(timeline);
  await page.mouse.click(at(60), y);
  await logged(log, 'a step to the left at frame').waitFor();
  await page.getByText(/trial run of what is edited: 2\.36 s/).waitFor();
  // It plays twice as fast.
  const rate = timeline.getByRole('spinbutton', { name: 'fps' });
  await rate.fill('50');
  await rate.press('Enter');
  await timeline.getByText('frame 60, 1.18 s: after a trial run').waitFor();
  await page.getByText(/trial run of what is edited: 1\.18 s/).waitFor();
  await logged(log, 'a step to the left at frame').waitFor();
});

test('the keyboard looks at frames, and Escape leads back', async (t) => {
  const { page, timeline } = await animated(t);
  await scripts(timeline).focus();
  await page.keyboard.press('Enter');
  await tells(page).waitFor();
  await timeline.getByRole('application').focus();
  await page.keyboard.press('PageDown');
  await timeline.getByText('frame 26, 1.00 s: after a trial run').waitFor();
  await page.keyboard.press('Escape');
  await tells(page).waitFor({ state: 'hidden' });
});

test('a timeline that never plays is said to be never there', async (t) => {
  // Nothing leads to the timeline any more.
  const { page, timeline } = await animated(t, (text) => text.replace('<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2" />', ''));
  await scripts(timeline).click();
  await timeline.getByText('the trial run ends before').waitFor({ timeout: 60_000 });
  assert.match(await tells(page).textContent(), /ends before the frame/);
});

test('ghosts show the keys beside the frame', async (t) => {
  const { page, timeline } = await animated(t);
  const { at, y } = await ruler(timeline);
  const canvas = page.getByRole('img', { name: /the robot; arrow keys/ });
  const ghosts = timeline.getByRole('button', { name: 'Ghosts' });
  await ghosts.waitFor();
  await page.mouse.click(at(40), y);
  await ghosts.click();
  await page.locator('canvas[data-ghosts="2"]').waitFor();
  await page.getByText('violet: at the key before; green: at the next key').waitFor();
  await shot(page, 'ghosts');
  await accessible(page);
  await page.mouse.click(at(75), y);
  await page.locator('canvas[data-ghosts="1"]').waitFor();
  await ghosts.click();
  await page.locator('canvas[data-ghosts="0"]').waitFor();
  assert.equal(await canvas.count(), 1);
});

test('a run that serves clients has no trial runs', async (t) => {
  const { timeline } = await animated(t, (text) => text, '--serve=127.0.0.1:0');
  assert.equal(await scripts(timeline).count(), 0);
});
