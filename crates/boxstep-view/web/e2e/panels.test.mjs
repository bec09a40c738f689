// The panels at the foot of the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, box, opened, recorded, region, shot, started } from './helpers.mjs';

/** Plays in virtual time, and shows the recording. */
async function shown(t, file, more = [], options = {}) {
  const trace = await recorded(file, ...more);
  const url = await started(t, 'view', trace, file.endsWith('companion') ? `${file}/dance.xar` : file);
  return opened(t, url, { viewport: { width: 1280, height: 900 }, ...options });
}

const list = (page, name) => page.getByRole('listbox', { name });
const at = (page, seconds) =>
  page.getByRole('slider', { name: 'time' }).evaluate((range, value) => {
    range.value = value;
    range.dispatchEvent(new Event('input', { bubbles: true }));
  }, String(seconds * 1e9));

test('the log is filtered by severity and words, and a line leads to its box and time', async (t) => {
  const page = await shown(t, 'examples/hello');
  const log = list(page, 'log');
  await log.getByText('ALTextToSpeech.say').first().waitFor();
  await page.getByLabel('severity').selectOption('warning');
  await log.getByRole('option').first().waitFor({ state: 'detached' });
  await page.getByLabel('severity').selectOption('debug');
  await page.getByLabel('filter the log').fill('released right arm');
  await log.getByRole('option').first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 1);
  await log.getByRole('option').click();
  await page.getByRole('heading', { name: /^Wave/ }).waitFor();
  await page.getByRole('banner').getByText('3.76 s').waitFor();
  await page.getByRole('region', { name: 'selected line' }).getByText('caused by').waitFor();
  await shot(page, 'log');
});

test('the log of a run that goes on is followed to its end, until somebody reads on', async (t) => {
  const url = await started(t, 'play', 'examples/companion', '--view');
  const page = await opened(t, url);
  // A character has no log at first.
  await page.getByRole('radio', { name: 'Play', exact: true }).check();
  const log = list(page, 'log');
  const rest = () => log.evaluate((rows) => rows.scrollHeight - rows.scrollTop - rows.clientHeight);
  const lines = async () => Number((await page.getByText(/^\d+ lines$/).innerText()).split(' ')[0]);
  await page.waitForFunction(() => document.querySelector('[role=listbox]')?.scrollTop > 200);
  const then = await lines();
  await page.waitForFunction((then) => parseInt(document.querySelector('.count').textContent) > then, then);
  await page.waitForFunction(() => {
    const rows = document.querySelector('[role=listbox]');
    return rows.scrollHeight - rows.scrollTop - rows.clientHeight < 2;
  });
  await log.evaluate((rows) => (rows.scrollTop = 0));
  const now = await lines();
  await page.waitForFunction((now) => parseInt(document.querySelector('.count').textContent) > now, now);
  assert.ok((await rest()) > 200, 'what somebody reads stays');
});

test('a run stops where a behavior of a character gets control', async (t) => {
  const url = await started(t, 'play', 'examples/companion', '--view', '--paused', '--event', 'LeftBumperPressed=1@1');
  const page = await opened(t, url);
  // Its behaviors are known once it has begun.
  await page.getByRole('button', { name: 'step frame' }).click();
  await region(page, 'Behaviors');
  await page.getByRole('group', { name: 'graph of behaviors' }).getByRole('button', { name: /ouch/ }).click();
  await page.getByRole('button', { name: 'stop at companion/ouch' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('group', { name: 'graph of behaviors' }).getByRole('button', { name: /ouch runs/ }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
});

test('regions are reached by arrow keys, shown and hidden by Enter', async (t) => {
  const page = await shown(t, 'examples/hello');
  const rail = page.getByRole('toolbar', { name: 'regions' });
  await rail.getByRole('button', { name: 'Diagram' }).focus();
  for (const name of ['Robot', 'Timeline', 'Talk', 'Script', 'Behaviors', 'Log', 'Memory', 'Calls', 'Resources', 'Diagram']) {
    await page.keyboard.press('ArrowDown');
    await page.locator(`[role=toolbar] button:focus:has-text("${name}")`).waitFor();
  }
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Resources' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Resources' }).waitFor({ state: 'detached' });
});

test('the cursor of a timeline is where the run is', async (t) => {
  const page = await shown(t, 'examples/hello');
  await region(page, 'Timeline');
  const cursor = page.locator('.cursor').first();
  const x = async () => (await cursor.boundingBox()).x;
  await at(page, 1);
  await page.getByText('plays, frame 26').waitFor();
  const early = await x();
  await at(page, 2);
  await page.getByText('plays, frame 51').waitFor();
  assert.ok((await x()) > early + 50);
  await shot(page, 'timelines');
});

test('values are plotted, saved as a table, and their changes are found', async (t) => {
  const page = await shown(t, 'examples/timeline-layers', ['--joints', '10']);
  await region(page, 'Memory');
  await at(page, 1);
  await page.getByLabel('which values').selectOption('joint');
  await page.getByRole('checkbox', { name: 'plot HeadYaw' }).check();
  await page.locator('figure canvas').waitFor();
  const [table] = await Promise.all([page.waitForEvent('download'), page.getByText('CSV').click()]);
  const lines = await (await table.createReadStream()).toArray();
  assert.match(Buffer.concat(lines).toString(), /^seconds,about,path,name,value\r\n0\.\d{9},joint,,HeadYaw,/);
  await page.getByRole('button', { name: 'change before' }).click();
  await page.getByRole('banner').getByText('0.90 s').waitFor();
  await page.keyboard.press('c');
  await page.getByRole('banner').getByText('1.00 s').waitFor();
  await shot(page, 'memory');
});

test('calls and resources are those of the time that is shown', async (t) => {
  const page = await shown(t, 'examples/hello');
  await region(page, 'Calls');
  await at(page, 1);
  const calls = list(page, 'service calls');
  await calls.getByText('since 1.00 s').first().waitFor();
  await at(page, 2);
  await calls.getByText('1.49 s').waitFor();
  await shot(page, 'calls');
  await region(page, 'Resources');
  await page.getByRole('row', { name: /Right arm/ }).getByText('root/Wave').waitFor();
  await at(page, 4);
  await page.getByRole('row', { name: /Right arm/ }).waitFor({ state: 'detached' });
});

test('a behavior says why it does not run', async (t) => {
  const page = await shown(t, 'examples/companion', ['--for', '40', '--event', 'FrontTactilTouched=1@4']);
  await page.getByRole('radio', { name: 'Character' }).check();
  await at(page, 5);
  await page.getByLabel('what', { exact: true }).selectOption('behaviors');
  const tree = list(page, 'behaviors');
  await tree.getByRole('option', { name: /stroked\s+runs/ }).waitFor();
  await tree.getByText('lonely', { exact: true }).click();
  const why = page.getByRole('region', { name: 'why' });
  await why.getByText('does not run').waitFor();
  await why.getByText('timer company from 20 s').waitFor();
  await shot(page, 'behaviors');
});

test('what a character plays is lit where it plays it', async (t) => {
  const page = await shown(t, 'examples/companion', ['--for', '20', '--event', 'MiddleTactilTouched=1@4']);
  await at(page, 5);
  await box(page, 'companion/dance/root/Moves').and(page.locator('.running')).waitFor();
  await region(page, 'Timeline');
  await page.getByText('plays, frame 26').waitFor();
  await region(page, 'Resources');
  const arms = page.getByRole('row', { name: /Arms/ });
  await arms.getByRole('button', { name: 'companion/dance/root/Moves' }).click();
  await page.getByRole('heading', { name: /^Moves/ }).waitFor();
  await at(page, 15);
  await box(page, 'companion/dance/root/Moves').and(page.locator(':not(.running)')).waitFor();
});

test('the panels are whole on a phone in the dark', async (t) => {
  const page = await shown(t, 'examples/hello', [], { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  for (const name of ['Diagram', 'Robot', 'Timeline', 'Talk', 'Script', 'Behaviors', 'Log', 'Memory', 'Calls', 'Resources']) {
    const one = await region(page, name);
    await one.waitFor();
    assert.equal(await page.locator('section.region').count(), 1, 'one at a time');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0, `${name} is wider than the display`);
    await shot(page, `phone-${name}`);
  }
});

for (const [scheme, size] of [['light', [1440, 900]], ['dark', [1920, 1080]], ['light', [390, 800]]]) {
  test(`a behavior that is not chosen again yet says how long, ${scheme}, ${size[0]} wide`, async (t) => {
    const page = await opened(t, await started(t, 'play', 'examples/companion', '--view', '--event', 'FrontTactilTouched=1@0.2'), { colorScheme: scheme, viewport: { width: size[0], height: size[1] } });
    // Beside a diagram the page arranges itself for a character.
    if (size[0] > 720) await page.getByRole('radio', { name: 'Character', checked: true }).waitFor();
    const panel = await region(page, 'Behaviors');
    const graph = panel.getByRole('group', { name: 'graph of behaviors' });
    await graph.getByRole('button', { name: /stroked cools down, .* left/ }).waitFor();
    assert.equal(await graph.locator('.node.cools', { hasText: 'stroked' }).locator('.cold').count(), 1);
    await shot(page, `behaviors-cool-${scheme}-${size[0]}`);
    await panel.getByLabel('what').selectOption('behaviors');
    await panel.getByRole('option').filter({ hasText: /stroked.*cools down/ }).waitFor();
    // After three seconds it may be chosen again.
    await panel.getByRole('option').filter({ hasText: /stroked.*cools down/ }).waitFor({ state: 'detached' });
    await panel.getByLabel('what').selectOption('graph');
    assert.equal(await graph.locator('.node.cools', { hasText: 'stroked' }).count(), 0);
  });

  test(`a behavior tree is seen as it plays, ${scheme}, ${size[0]} wide`, async (t) => {
    const page = await opened(t, await started(t, 'play', 'examples/patrol/tree.xml', '--view'), { colorScheme: scheme, viewport: { width: size[0], height: size[1] } });
    // There is no diagram, so the graph has its place.
    const panel = page.getByRole('region', { name: 'Behaviors', exact: true });
    const graph = panel.getByRole('group', { name: 'graph of behaviors' });
    await graph.locator('.node.runs').first().waitFor();
    assert.equal(await page.getByRole('region', { name: 'Diagram', exact: true }).count(), 0);
    await graph.getByRole('button', { name: /^▶? *Patrol runs/ }).waitFor({ state: 'attached' });
    await graph.getByRole('button', { name: /sequence 2/ }).first().waitFor({ state: 'attached' });
    // What runs is in sight.
    await page.waitForFunction(() => {
      const stage = document.querySelector('[aria-label="graph of behaviors"]').getBoundingClientRect();
      const all = [...document.querySelectorAll('.node.runs')].map((node) => node.getBoundingClientRect());
      const last = all.sort((a, b) => b.left - a.left)[0];
      return last && last.left >= stage.left && last.right <= stage.right + 1 && last.top >= stage.top && last.bottom <= stage.bottom + 1;
    });
    await shot(page, `behaviors-tree-${scheme}-${size[0]}`);
    await accessible(page, '[aria-label="graph of behaviors"]');
  });
}
