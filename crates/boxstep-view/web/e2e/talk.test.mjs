// Conversations with the robot, in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened, recorded, region, shot, started } from './helpers.mjs';

const greet = 'crates/boxstep-view/web/e2e/files/greet.top';
const screen = 'crates/boxstep-view/web/e2e/files/screen/behavior.xar';

/** The conversation, in the middle of the page; on a phone it is alone. */
async function talk(page) {
  const arrangement = page.getByRole('radio', { name: 'Talk' });
  if (await arrangement.count()) await arrangement.check();
  return region(page, 'Talk');
}

/** Says something in the line. */
async function say(page, panel, text) {
  await panel.getByLabel('say something to the robot').fill(text);
  await page.keyboard.press('Enter');
}

const bubble = (panel, name) => panel.getByRole('button', { name, exact: true });
/** Where the slider is, in seconds. */
const time = async (page) => Number(await page.getByRole('slider', { name: 'time' }).inputValue()) / 1e9;

const SAID = ['hello', 'I am Ann', 'what is my name', 'tell me my name', 'please get me a cup of tea', 'dance', 'secret', 'hi robot'];
/** Says all that, each when the robot has answered the one before. */
const talked = () => recorded(greet, ...SAID.flatMap((text) => ['--hear', text]), '--for', '60');

test('what is said is heard, answered, and it is told by which rule', async (t) => {
  const page = await opened(t, await started(t, 'play', greet, '--view'));
  const panel = await talk(page);
  await panel.getByText('Nobody has said anything yet').waitFor();
  await say(page, panel, 'hello');
  await bubble(panel, 'Hi! What is your name?').waitFor();
  await panel.getByText('greet.top:6').first().waitFor();
  await panel.getByText('greet', { exact: true }).first().waitFor();
  await say(page, panel, 'I am Ann');
  await bubble(panel, 'Nice to meet you, Ann.').waitFor();
  await panel.getByText('$1 Ann').waitFor();
  await panel.getByText('$name = Ann').waitFor();
  await panel.getByLabel('variables, focus').uncheck();
  await panel.getByText('$name = Ann').waitFor({ state: 'detached' });
  await say(page, panel, 'tell me my name');
  await panel.getByText('no rule answers').click();
  await panel.getByText('it needs').first().waitFor();
  await shot(page, 'talk');
  // What has been said comes back by keys.
  const line = panel.getByLabel('say something to the robot');
  await line.focus();
  for (const text of ['tell me my name', 'I am Ann', 'hello', 'hello']) {
    await page.keyboard.press('ArrowUp');
    assert.equal(await line.inputValue(), text);
  }
  await page.keyboard.press('ArrowDown');
  assert.equal(await line.inputValue(), 'I am Ann');
  // A bubble leads to its time, where nothing is heard; and one comes back to now.
  await bubble(panel, 'hello').click();
  await page.getByRole('status', { name: 'the past' }).waitFor();
  assert.ok(await line.isDisabled());
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await page.getByRole('status', { name: 'the past' }).waitFor({ state: 'detached' });
  await say(page, panel, 'what is my name');
  await bubble(panel, 'You are Ann.').waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await panel.getByPlaceholder('The run is over').waitFor();
  assert.ok(await line.isDisabled());
});

test('a recorded conversation is shown at any time of it, and hears nothing', async (t) => {
  const page = await opened(t, await started(t, 'view', await talked()), { viewport: { width: 1280, height: 900 } });
  const panel = await talk(page);
  assert.ok(await panel.getByPlaceholder('A recording hears nothing').isDisabled());
  await bubble(panel, 'I am Ann').click();
  const then = await time(page);
  await panel.locator('.future').getByRole('button', { name: 'what is my name', exact: true }).waitFor();
  assert.equal(await panel.locator('.future').getByRole('button', { name: 'hello', exact: true }).count(), 0);
  await panel.getByText('sub-rules open').first().waitFor();
  // Arrow keys go on to the answer.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction((then) => Number(document.querySelector('input[type=range]').value) >= then * 1e9, then);
  await panel.getByText('answers without words').waitFor();
  await panel.getByText('nothing of the answer can be said').waitFor();
  await bubble(panel, 'tell me my name').click();
  // The log says it in words.
  await region(page, 'Log');
  await page.getByLabel('filter the log').fill('answers by greet.top:7');
  await page.getByRole('listbox', { name: 'log' }).getByText('answers by greet.top:7, u1:({"my name is" "I am"} _*) with $1=Ann').waitFor();
  // And variables have their values.
  await region(page, 'Memory');
  await page.getByLabel('which values').selectOption('variable');
  await page.getByRole('checkbox', { name: 'plot $name' }).waitFor();
});

test('words that are listened for are buttons', async (t) => {
  const page = await opened(t, await started(t, 'play', screen, '--body', 'pepper', '--view'));
  const panel = await talk(page);
  await panel.getByRole('group', { name: 'what it listens for' }).getByRole('button', { name: 'banana' }).click();
  await panel.getByText('recognized: banana').waitFor();
  assert.equal(await panel.getByText('no rule answers').count(), 0);
});

for (const [name, options] of Object.entries({
  'talk-recorded': {},
  'talk-dark': { colorScheme: 'dark' },
  'talk-phone': { viewport: { width: 390, height: 844 } },
})) {
  test(`a conversation has its place: ${name}`, async (t) => {
    const page = await opened(t, await started(t, 'view', await talked(), greet), { ...options });
    const panel = await talk(page);
    await panel.getByText('no rule answers').first().click();
    await bubble(panel, 'dance').click();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0, 'nothing is wider than the display');
    await panel.scrollIntoViewIfNeeded();
    await shot(page, name);
  });
}
