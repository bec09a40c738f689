// The film of the README: a greeting, a timeline that is looked at, a character that is touched.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { film, pixels } from './apng.mjs';
import { box, opened, recorded, started } from './helpers.mjs';

/** Pictures a second. */
const RATE = 4;
const options = { viewport: { width: 840, height: 520 }, colorScheme: 'light' };
// Without SHOTS nobody keeps it: a few pictures show that it can be made.
const whole = process.env.SHOTS !== undefined;

test('a film of twenty seconds', async (t) => {
  const pictures = [];
  const take = async (page) => pictures.push(await page.screenshot());
  /** Shows each picture's time of a recording, and takes it once it is drawn. */
  async function through(page, from, to) {
    const slider = page.getByRole('slider', { name: 'time' });
    for (let at = from; at < to; at += whole ? 1 / RATE : (to - from) / 2) {
      await slider.fill(String(Math.round(at * 1e9)));
      await page.waitForFunction((t) => Math.abs(Number(document.querySelector('[aria-label=time]').value) - t) < 2e6, at * 1e9);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await take(page);
    }
  }
  const hello = await recorded('examples/hello', '--joints', '20');
  const page = await opened(t, await started(t, 'view', hello, 'examples/hello'), options);
  await box(page, 'root/Wave').waitFor();
  await page.getByRole('region', { name: 'Robot' }).locator('canvas[data-frames]').waitFor();
  await through(page, 0, 4.6);
  await page.getByRole('radio', { name: 'Animate' }).check();
  const ruler = page.locator('.scrub');
  await ruler.waitFor();
  const { x, y, width } = await ruler.boundingBox();
  await page.mouse.move(x + 10, y + 12);
  await page.mouse.down();
  const steps = whole ? 5 * RATE : 2;
  for (let step = 0; step <= steps; step++) {
    await page.mouse.move(x + 10 + ((width - 60) * (1 - Math.cos((step / steps) * Math.PI))) / 2, y + 12);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await take(page);
  }
  await page.mouse.up();
  await page.context().close();
  const companion = await recorded('examples/companion', '--joints', '20', '--for', '14', '--event', 'FrontTactilTouched=1@3', '--event', 'MiddleTactilTouched=1@8');
  const other = await opened(t, await started(t, 'view', companion, 'examples/companion/dance.xar'), options);
  await other.getByRole('radio', { name: 'Character' }).check();
  await other.getByRole('group', { name: 'graph of behaviors' }).waitFor();
  await other.getByRole('region', { name: 'Robot' }).locator('canvas[data-frames]').waitFor();
  await through(other, 2, 12);
  const made = film(pictures, RATE);
  // It begins with the first picture, for those who show no films.
  const { rgb } = pixels(made);
  assert.deepEqual(rgb, pixels(pictures[0]).rgb);
  assert.ok(made.length < 4e6, `${made.length} bytes`);
  if (whole) {
    assert.ok(pictures.length >= 19 * RATE, `${pictures.length} pictures`);
    writeFileSync(join(process.env.SHOTS, 'play.png'), made);
  }
});
