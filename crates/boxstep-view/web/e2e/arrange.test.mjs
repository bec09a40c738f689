// Where boxes stand while a page edits: where their file says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copied, did, dragged, edited, head, middle } from './editing.mjs';
import { accessible, box, opened, shot } from './helpers.mjs';

/** Where the frames of boxes are on the screen. */
const frames = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('[data-box]')].map((one) => [one.getAttribute('data-box'), (({ x, y, width, height }) => ({ x, y, width, height }))(one.querySelector('.box').getBoundingClientRect())])));
const covers = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test('a box that is dropped on another stays there, and moves no other', async (t) => {
  const { folder } = copied('hello');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').waitFor();
  const before = await frames(page);
  const [from, to] = [await middle(head(page, 'root/Say')), await middle(head(page, 'root/Wave'))];
  await page.keyboard.down('Alt');
  await dragged(page, from, { x: to.x - 25, y: to.y + 18 });
  await page.keyboard.up('Alt');
  await did(page, 'move Say');
  await page.waitForFunction(() => document.querySelector('[data-box="root/Say"]').style.transform === '');
  const after = await frames(page);
  await shot(page, 'edit-overlap');
  assert.ok(covers(after['root/Say'], after['root/Wave']), JSON.stringify(after));
  const between = (all) => Math.round(all['root/Say bye'].x - all['root/Wave'].x);
  assert.equal(between(after), between(before));
  assert.equal(Math.round(after['root/Wave'].y - after['root/Say bye'].y), Math.round(before['root/Wave'].y - before['root/Say bye'].y));
});

test('a copy has a free place, and the other boxes stay', async (t) => {
  const { folder, before: text, now } = copied('hello');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').click();
  const before = await frames(page);
  await box(page, 'root/Wave').press('Control+d');
  await box(page, 'root/Wave (1)').waitFor();
  const after = await frames(page);
  for (const [of, place] of Object.entries(after)) if (of !== 'root/Wave (1)') assert.ok(!covers(place, after['root/Wave (1)']), of);
  const apart = (all) => Object.keys(before).map((of) => [Math.round(all[of].x - all['root/Say'].x), Math.round(all[of].y - all['root/Say'].y)].join());
  assert.deepEqual(apart(after), apart(before));
  assert.equal(now(), text, 'nothing is saved');
});

test('a box that is dragged comes into line with others, unless one holds Alt', async (t) => {
  const { folder } = copied('hello');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').waitFor();
  const start = await middle(head(page, 'root/Say'));
  const top = async () => (await frames(page))['root/Wave'].y - (await frames(page))['root/Say'].y;
  const moved = async (by, alt) => {
    if (alt) await page.keyboard.down('Alt');
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x + 20, start.y + by - 12, { steps: 3 });
    await page.mouse.move(start.x + 20, start.y + by, { steps: 3 });
    const lines = await page.locator('.guide').count();
    await shot(page, `edit-guides-${alt ? 'off' : 'on'}`);
    const is = await top();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    if (alt) await page.keyboard.up('Alt');
    return [lines, is];
  };
  const apart = await top();
  // Their upper edges would be four pixels from each other.
  const [lines, snapped] = await moved(apart + 4, false);
  assert.ok(lines >= 1);
  assert.ok(Math.abs(snapped) < 0.6, String(snapped));
  const [none, free] = await moved(apart + 4, true);
  assert.equal(none, 0);
  assert.ok(Math.abs(Math.abs(free) - 4) < 1, String(free));
  assert.equal(await page.locator('.guide').count(), 0);
  await accessible(page, '.stage');
});
