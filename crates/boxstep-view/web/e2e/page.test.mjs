// The page of a run in a real browser.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { box, inspector, opened, play, recorded, region, root, shot, started, temp, valued } from './helpers.mjs';

test('a run is seen live: boxes run, links light, ports have values', async (t) => {
  const url = await started(t, 'play', 'examples/hello', '--view');
  const page = await opened(t, url);
  await box(page, 'root/Say bye').waitFor();
  await page.locator('[data-box="root/Wave"].running').waitFor();
  await page.locator('[data-from^="output\tonStopped\troot/Wave"].passed').waitFor({ state: 'attached' });
  await box(page, 'root/Say').click();
  await page.getByRole('heading', { name: /^Say/ }).waitFor();
  await page.getByRole('row', { name: /onStopped/ }).getByText('bang').waitFor();
  await page.getByRole('banner').getByText('ended').waitFor();
  await shot(page, 'hello');
});

/** Waits until the selected box takes signals. */
const loaded = (page) => inspector(page).getByText('loaded', { exact: true }).waitFor();

test('an input is stimulated from the page', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view');
  const page = await opened(t, url);
  await box(page, 'root/Say ouch').click();
  await loaded(page);
  await page.getByRole('button', { name: 'send to onStart' }).click();
  await page.locator('[data-port="input\tonStart\troot/Say ouch"].passed').waitFor({ state: 'attached' });
  await page.getByRole('listbox', { name: 'log' }).getByText('signal').first().waitFor();
});

test('a page that the browser draws no frames of follows the run all the same', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view');
  // As in a tab that nobody looks at.
  const page = await opened(t, url, { first: () => (window.requestAnimationFrame = () => 0) });
  await box(page, 'root/If touched').click();
  await loaded(page);
  const released = page.getByRole('button', { name: 'send to released' });
  await released.click();
  for (const times of ['×2', '×3', '×4']) {
    await released.click();
    await inspector(page).getByText(times).waitFor();
  }
});

test('a behavior that a script starts is drawn beside the one that plays, and is not taken for it', async (t) => {
  const url = await started(t, 'play', 'crates/boxstep-view/web/e2e/files/duet', '--behavior', 'lead', '--view');
  const page = await opened(t, url);
  const [lead, second] = ['root/Sing', 'duet/second/root/Sing'];
  await page.getByRole('combobox', { name: 'behavior' }).waitFor();
  await box(page, lead).click();
  const value = (text) => inspector(page).locator('.value', { hasText: text });
  await page.getByRole('button', { name: 'send to sung' }).waitFor();
  assert.equal(await value('la').count(), 0);
  await page.getByRole('combobox', { name: 'behavior' }).selectOption('duet/second');
  await box(page, second).click();
  await value('la').waitFor();
  await page.getByRole('textbox', { name: 'value for sung' }).fill('lo');
  await page.getByRole('button', { name: 'send to sung' }).click();
  await value('lo').waitFor();
  assert.equal(await box(page, lead).count(), 0);

  const trace = await recorded('crates/boxstep-view/web/e2e/files/duet', '--behavior', 'lead', '--for', '2');
  const file = ['crates/boxstep-view/web/e2e/files/duet', '--behavior', 'lead'];
  const again = await opened(t, await started(t, 'view', trace, ...file));
  await again.getByRole('combobox', { name: 'behavior' }).selectOption('duet/second');
  await box(again, second).waitFor();
});

test('a box is run alone, on a page of its own', async (t) => {
  const url = await started(t, 'play', 'examples/nested-parameters', '--view', '--paused');
  const page = await opened(t, url);
  await box(page, 'root/Visit').dblclick();
  await box(page, 'root/Visit/Politely').click();
  const [alone] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('button', { name: 'Run alone' }).click()]);
  await alone.getByRole('heading', { name: 'nested-parameters: root/Visit/Politely alone' }).waitFor();
  await alone.getByRole('banner').getByText('ended').waitFor();
  const log = alone.getByRole('listbox', { name: 'log' });
  await log.getByText('Good morning, Ada').first().waitFor();
  assert.equal(await log.getByText('Grace').count(), 0, 'only that box');
  await box(alone, 'root/Greet').click();
  await alone.getByRole('button', { name: 'Run alone' }).waitFor();
  await shot(alone, 'alone');
  // The whole behavior still stands where it stood; and the next box ends the one before.
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  const first = await page.getByRole('link', { name: 'its page' }).getAttribute('href');
  await alone.close();
  const [again] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('button', { name: 'Run alone' }).click()]);
  await again.getByRole('banner').getByText('ended').waitFor();
  await assert.rejects(fetch(first), 'the first one has ended');
  await again.close();
});

test('a box alone with nothing inside shows its ports', async (t) => {
  const url = await started(t, 'play', 'examples/hello', '--box', 'root/Say', '--view');
  const page = await opened(t, url);
  await box(page, 'root').click();
  await page.getByRole('row', { name: /onStopped/ }).getByText('bang').waitFor();
  await page.getByRole('banner').getByText('ended').waitFor();
  await shot(page, 'alone-script');
});

test('a recording of a box alone is drawn as that box', async (t) => {
  const trace = await recorded('examples/nested-parameters', '--box', 'root/Visit/Politely');
  const url = await started(t, 'view', trace, 'examples/nested-parameters');
  const page = await opened(t, url);
  await box(page, 'root/Greet').click();
  await page.getByRole('heading', { name: /^Greet/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Run alone' }).count(), 0, 'nothing plays');
});

test('a run is paused, stepped, and stops where it is told to', async (t) => {
  const url = await started(t, 'play', 'examples/hello', '--view', '--paused');
  const page = await opened(t, url);
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  assert.equal(await page.locator('.running').count(), 0);
  await box(page, 'root/Say').click();
  await page.getByRole('button', { name: 'stop at root/Say, onStopped' }).click();
  await page.getByText('breakpoints (1)').waitFor();
  await page.getByRole('button', { name: 'step signal' }).click();
  await page.locator('[data-from^="input\tonStart\troot"].passed').first().waitFor({ state: 'attached' });
  assert.equal(await page.locator('[data-box="root/Say"].running').count(), 0, 'one signal, and no more');
  await page.getByLabel('speed').selectOption('10');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('stopped at root/Say, onStopped').waitFor();
  await page.locator('[data-box="root/Say"].hit').waitFor();
  await box(page, 'root/Say').locator('.badge.hit').waitFor();
  assert.equal(await page.locator('[data-box="root/Say bye"].running').count(), 0);
  await shot(page, 'stopped');
  await page.getByRole('button', { name: 'stop at root/Say, onStopped' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('banner').getByText('ended').waitFor();
});

test('a run stops where a signal passes on a link', async (t) => {
  const url = await started(t, 'play', 'examples/hello', '--view', '--paused');
  const page = await opened(t, url);
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  // Both boxes are started by the behavior's own input: this is one of its two links.
  const link = page.locator('.link[data-from="input\tonStart\troot"][data-to="input\tonStart\troot/Wave"]');
  await link.dispatchEvent('click');
  await link.and(page.locator('.stops')).waitFor({ state: 'attached' });
  await page.getByText('breakpoints (1)').waitFor();
  await play(page);
  await page.getByText('stopped at root, onStart → root/Wave, onStart').waitFor();
  await link.and(page.locator('.hit')).waitFor({ state: 'attached' });
  assert.equal(await page.locator('[data-from="output\tonStopped\troot/Wave"].passed').count(), 0);
});

test('an exception is red up through the boxes around it, with its traceback', async (t) => {
  const url = await started(t, 'play', 'crates/boxstep-view/web/e2e/files/fails.xar', '--view');
  const page = await opened(t, url);
  await page.locator('[data-box="root/Outer"].failed').waitFor();
  await box(page, 'root/Outer').dblclick();
  await page.locator('[data-box="root/Outer/Divide"].failed').click();
  const side = inspector(page);
  await side.locator('strong').getByText("NameError: name 'nobody' is not defined").waitFor();
  await side.getByText('traceback', { exact: true }).click();
  await side.locator('pre').filter({ hasText: 'self.onStopped(nobody)' }).first().waitFor();
  await shot(page, 'exception');
});

test('in a recording the slider relights what ran then', async (t) => {
  const trace = await recorded('examples/hello');
  const url = await started(t, 'view', trace, 'examples/hello');
  const page = await opened(t, url);
  const slider = page.getByRole('slider', { name: 'time' });
  const at = async (ns) => slider.evaluate((range, value) => {
    range.value = value;
    range.dispatchEvent(new Event('input', { bubbles: true }));
  }, String(ns));
  await box(page, 'root/Wave').waitFor();
  await at(1_000_000_000);
  await page.locator('[data-box="root/Wave"].running').waitFor();
  await at(60_000_000_000);
  await page.locator('[data-box="root/Wave"]:not(.running)').waitFor();
  await at(1_000_000_000);
  await page.locator('[data-box="root/Wave"].running').waitFor();
});

test('errors are marked below the slider, and a click and the ways to the next lead to them', async (t) => {
  const file = 'crates/boxstep-view/web/e2e/files/mishaps.xar';
  const url = await started(t, 'view', await recorded(file), file);
  const page = await opened(t, url);
  const slider = page.getByRole('slider', { name: 'time' });
  const shows = (seconds) => page.getByRole('banner').getByText(`${seconds} s`).waitFor();
  const marks = page.locator('.slider .mark');
  await marks.nth(1).waitFor();
  assert.equal(await marks.count(), 2);
  // One error is a fifth of the way, the other three; a pixel is less than 10 ms.
  for (const [number, seconds] of [1, 3].entries()) {
    const { x, width } = await marks.nth(number).boundingBox();
    const { y, height } = await slider.boundingBox();
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForFunction((t) => Math.abs(document.querySelector('[aria-label=time]').value - t) < 5e7, seconds * 1e9);
  }
  await slider.fill('0');
  await shows('0.00');
  await page.getByRole('button', { name: 'next error' }).click();
  await shows('1.00');
  await page.keyboard.press('e');
  await shows('3.00');
  await page.keyboard.press('e');
  await page.getByText('no later error').waitFor();
  await page.keyboard.press('E');
  await shows('1.00');
});

test('boxes are entered, and left by the way to them', async (t) => {
  const trace = await recorded('examples/nested-parameters');
  const url = await started(t, 'view', trace, 'examples/nested-parameters');
  const page = await opened(t, url);
  const inner = page.locator('[data-box].inside, .inside [data-box], [data-box].node.inside').first();
  const path = await inner.getAttribute('data-box');
  await inner.dblclick();
  await page.getByRole('navigation', { name: 'where' }).getByRole('button', { name: path.split('/').at(-1), exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator(`[data-box="${path}"]`).waitFor();
});

for (const [name, options] of Object.entries({
  'desktop-dark': { colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 } },
})) {
  test(`the page is whole: ${name}`, async (t) => {
    const trace = await recorded('examples/hello');
    const url = await started(t, 'view', trace, 'examples/hello');
    const page = await opened(t, url, options);
    await box(page, 'root/Wave').waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0, 'nothing is wider than the display');
    await shot(page, name);
  });
}

test('the last value of an output stands beside it', async (t) => {
  const trace = await recorded('examples/loop-counter');
  const url = await started(t, 'view', trace, 'examples/loop-counter');
  const page = await opened(t, url);
  await page.locator('[data-port]').first().waitFor({ state: 'attached' });
  await page.getByRole('slider', { name: 'time' }).fill('100000000000');
  await page.locator('[data-port^="output"] .last').filter({ hasText: /\d/ }).first().waitFor({ state: 'attached' });
  await shot(page, 'values');
});

test('an event of the memory is raised', async (t) => {
  const url = await started(t, 'play', 'examples/touch', '--view');
  const page = await opened(t, url);
  await page.locator('[data-box="root/Say ready"].running').waitFor();
  await page.locator('[data-box="root/Say ready"]:not(.running)').waitFor();
  await region(page, 'Memory');
  await page.getByLabel('event to raise').fill('FrontTactilTouched');
  await page.getByLabel('its value').fill('1');
  await page.getByRole('button', { name: 'raise' }).click();
  await page.locator('[data-box="root/Say ouch"].running').waitFor();
  await box(page, 'root/Say ouch').click();
  await page.getByText('has Speech').waitFor();
});

test('a script that is taken while it plays is shown, and so is a value; what is not taken stays as it plays', async (t) => {
  const file = join(mkdtempSync(join(temp, 'reload-')), 'behavior.xar');
  const source = readFileSync(join(root, 'crates/boxstep-view/web/e2e/files/fails.xar'), 'utf8');
  // A box that is started and stops at once; the behavior goes on.
  const save = (word, wish, more = '') => {
    const script = `self.log("${word}")\n        self.onStopped()`;
    const parameter = `<Parameter name="Wish" inherits_from_parent="0" content_type="3" value="${wish}" default_value="" id="5" /></Box>`;
    const text = source.replace('self.onStopped(nobody)', script).replaceAll(/<Link inputowner="0".*/g, '').replace('</Box>', parameter + more);
    writeFileSync(file, text);
  };
  save('before', 'tea');
  const page = await opened(t, await started(t, 'play', file, '--view', '--watch'));
  await box(page, 'root/Outer').dblclick();
  await box(page, 'root/Outer/Divide').click();
  const panel = inspector(page);
  await panel.getByRole('button', { name: 'Script', exact: true }).click();
  const script = page.getByRole('region', { name: 'Script' }).locator('.cm-content');
  await script.filter({ hasText: 'before' }).waitFor();
  // What does not compile does not play.
  save('")', 'tea');
  const log = page.getByRole('listbox', { name: 'log' });
  await log.getByText('the new script does not compile').waitFor();
  await script.filter({ hasText: 'before' }).waitFor();
  save('after', 'coffee', '<Box name="Later" id="2" localization="8" tooltip="" x="320" y="60" />');
  await script.filter({ hasText: 'after' }).waitFor();
  // The box that is new counts when the diagram around it is loaded next.
  await log.getByText('what is new inside counts when it is loaded next').waitFor();
  await valued(page, 'Wish', 'coffee');
  // So it is on a page that is loaded again, which is where it was.
  await page.reload();
  await box(page, 'root/Outer/Divide').waitFor();
  await panel.getByRole('button', { name: 'Script', exact: true }).click();
  await script.filter({ hasText: 'after' }).waitFor();
  await valued(page, 'Wish', 'coffee');
  assert.equal(await box(page, 'root/Outer/Later').count(), 0);
});

test('a behavior of a character that is saved while it plays is drawn as it plays next', async (t) => {
  const folder = mkdtempSync(join(temp, 'character-'));
  const source = readFileSync(join(root, 'crates/boxstep-view/web/e2e/files/fails.xar'), 'utf8');
  const save = (name, wish) => {
    const parameter = `<Parameter name="Wish" inherits_from_parent="0" content_type="3" value="${wish}" default_value="" id="5" /></Box>`;
    const [from, begin] = ['outputowner="1" indexofoutput="4"', 'outputowner="0" indexofoutput="2"'];
    // The box ends as it begins, so that it is played again and again.
    writeFileSync(join(folder, 'one.xar'), source.replace('name="Divide"', `name="${name}"`).replace('</Box>', parameter).replace(from, begin));
  };
  save('Divide', 'tea');
  writeFileSync(join(folder, 'character.yaml'), 'character: Repeats\nbehaviors:\n  main: { repeat: { sequence: [{ play: one.xar }, { wait: 0.5 }] } }\n');
  const url = await started(t, 'play', join(folder, 'character.yaml'), '--view', '--watch', '--scripts', 'off', '--for', '300');
  const page = await opened(t, url);
  await page.locator('[data-box$="/Outer"]').dblclick();
  await page.locator('[data-box$="/Outer/Divide"]').click();
  await valued(page, 'Wish', 'tea');
  save('Divide', 'coffee');
  await valued(page, 'Wish', 'coffee');
  save('Part', 'milk');
  await page.locator('[data-box$="/Outer/Part"]').click();
  await valued(page, 'Wish', 'milk');
  assert.equal(await page.locator('[data-box$="/Outer/Divide"]').count(), 0);
});
