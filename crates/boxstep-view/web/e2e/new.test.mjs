// From nothing: what is begun in an empty folder, and the first steps in its page.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, asked, box, inspector, opened, shot, started, temp } from './helpers.mjs';

const empty = () => mkdtempSync(join(temp, 'new-'));
const kind = (page, name) => page.getByRole('group', { name: 'what to begin' }).locator('button', { has: page.getByText(name, { exact: true }) });
/** Begins something; the page in which it opens. */
async function begun(page, what, name) {
  await kind(page, what).click();
  await page.getByLabel('name', { exact: true }).fill(name);
  const [other] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
  return other;
}

test('in an empty folder a behavior is begun, built along the first steps, played and saved', async (t) => {
  const folder = empty();
  const page = await opened(t, await started(t, 'open', folder, '--edit', '--no-browser'));
  await page.getByText('There is nothing here yet').waitFor();
  await accessible(page);
  await shot(page, 'new-empty');
  const other = await begun(page, 'Behavior', 'wave');
  const guide = other.getByRole('complementary', { name: 'first steps' });
  const next = (step) => guide.locator('[aria-current=step]').getByText(step).waitFor();
  await next('Add a box');
  await accessible(other, 'aside');
  await shot(other, 'new-guide');
  await other.locator('.stage').focus();
  await other.keyboard.press('a');
  await other.getByRole('combobox', { name: 'box to add' }).fill('say');
  await other.keyboard.press('Enter');
  await next('Link it');
  await box(other, 'root/Say').waitFor();
  await box(other, 'root/Say').focus();
  await other.keyboard.press('l');
  await other.getByRole('dialog', { name: 'draw a link' }).getByLabel('from', { exact: true }).selectOption({ label: 'in: onStart' });
  await other.keyboard.press('Enter');
  await other.locator('[data-to="input\tonStart\troot/Say"]').waitFor({ state: 'attached' });
  await next('Give it a text');
  await shot(other, 'new-guide-text');
  await box(other, 'root/Say').click();
  const field = inspector(other).getByLabel('Text', { exact: true });
  await field.fill('Good morning');
  await field.press('Enter');
  await next('Play it');
  await other.getByRole('button', { name: 'Play', exact: true }).click();
  await next('Save it');
  await other.keyboard.press('Control+s');
  await guide.getByText('That was all').waitFor();
  await other.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  assert.ok(readFileSync(join(folder, 'wave/behavior.xar'), 'utf8').includes('Good morning'));
  await guide.getByRole('button', { name: 'put the first steps away' }).click();
  await guide.waitFor({ state: 'detached' });
  // It stays away, and comes again with help.
  await other.reload();
  await other.locator('[data-box="root/Say"]').waitFor();
  assert.equal(await guide.count(), 0);
  await other.keyboard.press('?');
  await guide.waitFor();
  await other.getByRole('button', { name: 'Help' }).click();
  await guide.waitFor({ state: 'detached' });
});

for (const [colorScheme, width] of [['dark', 1280], ['light', 390]])
  test(`the first steps are no wall (${colorScheme}, ${width})`, async (t) => {
    const page = await opened(t, await started(t, 'open', empty(), '--edit', '--no-browser'), { colorScheme, viewport: { width, height: 800 } });
    await page.getByText('There is nothing here yet').waitFor();
    await shot(page, `new-empty-${colorScheme}-${width}`);
    const other = await begun(page, 'Behavior', 'wave');
    await other.getByRole('complementary', { name: 'first steps' }).waitFor();
    await accessible(other, 'aside');
    await shot(other, `new-guide-${colorScheme}-${width}`);
    assert.equal(await other.evaluate(() => document.documentElement.scrollWidth), width);
  });

test('a dialog and a character are begun beside what there is, and opened; a test is listed', async (t) => {
  const folder = empty();
  const page = await opened(t, await started(t, 'open', folder, '--edit', '--no-browser'));
  await page.getByText('There is nothing here yet').waitFor();
  assert.ok(await kind(page, 'Test').isDisabled());
  const dialog = await begun(page, 'Dialog', 'small talk');
  await dialog.getByRole('region', { name: 'Text', exact: true }).getByText('How are you?').waitFor();
  await dialog.getByRole('region', { name: 'Talk', exact: true }).waitFor();
  // A draft is beside what is open.
  assert.deepEqual(readdirSync(join(folder, 'small talk')).filter((name) => !name.startsWith('.')).sort(), ['small talk.dlg', 'small talk_enu.top']);
  await page.getByRole('article', { name: 'small talk' }).locator('.facts').getByText('dialog').waitFor();
  const add = page.getByRole('button', { name: 'New', exact: true });
  await add.click();
  await begun(page, 'Character', 'guide');
  await page.getByRole('article', { name: 'guide' }).getByRole('img').waitFor();
  await add.click();
  await kind(page, 'Test').click();
  await page.getByLabel('what it tests').selectOption({ label: 'guide' });
  await page.getByLabel('name', { exact: true }).fill('greets');
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: 'guide' }).getByText('greets.test.toml').waitFor();
  assert.ok(existsSync(join(folder, 'guide/greets.test.toml')));
  const editor = page.getByRole('region', { name: 'test guide/greets.test.toml' });
  await editor.getByRole('textbox').fill('behavior = "character.yaml"\n\n[[test]]\nname = "greets"\ngiven.for = 10\nexpect.said = ["Hello"]\n');
  await editor.getByRole('button', { name: 'Save and run' }).click();
  await editor.getByRole('status', { name: 'what the test says' }).getByText('1 passed').waitFor();
  await editor.getByRole('textbox').fill('behavior = "nothing.yaml"\n');
  await editor.getByRole('list', { name: 'findings' }).getByText('there is no').waitFor();
  await accessible(page, 'section.test');
  await shot(page, 'new-test');
  await editor.getByRole('button', { name: 'close the test' }).click();
  await shot(page, 'new-listed');
});

test('a name that cannot be, or is taken, says why; what was typed stays', async (t) => {
  const folder = empty();
  const page = await opened(t, await started(t, 'open', folder, '--edit', '--no-browser'));
  await page.getByText('There is nothing here yet').waitFor();
  await kind(page, 'Behavior').click();
  const name = page.getByLabel('name', { exact: true });
  for (const bad of ['../wave', 'con', '.hidden']) {
    await name.fill(bad);
    await Promise.all([page.waitForEvent('popup').then((other) => other.waitForEvent('close')), name.press('Enter')]);
    await page.getByRole('alert').getByText(bad).waitFor();
    assert.equal(await name.inputValue(), bad);
  }
  await shot(page, 'new-refused');
  assert.deepEqual(readdirSync(folder), []);
});

test('only a page that may begins something, and only in the folder', async (t) => {
  const ask = (url, body, headers = { 'content-type': 'application/json' }) => asked(url, '/new', { method: 'POST', headers, body: JSON.stringify(body) });
  const [folder, outside] = [empty(), empty()];
  const plain = await started(t, 'open', folder, '--no-browser');
  assert.equal((await ask(plain, { kind: 'behavior', name: 'wave' })).status, 403);
  const page = await opened(t, plain);
  await page.getByText('boxstep open --edit').waitFor();
  assert.equal(await page.getByRole('button', { name: 'New', exact: true }).count(), 0);
  symlinkSync(outside, join(folder, 'linked'));
  const url = await started(t, 'open', folder, '--edit', '--no-browser');
  assert.equal((await fetch(new URL('/new', url), { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"kind":"behavior","name":"wave"}' })).status, 401);
  assert.equal((await ask(url, { kind: 'behavior', name: 'wave' }, { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await ask(url, { kind: 'program', name: 'wave' })).status, 422);
  for (const name of ['../wave', '/tmp/wave', 'a/b', '..', 'linked', ''] ) {
    const { refused } = await (await ask(url, { kind: 'behavior', name })).json();
    assert.ok(refused, name);
  }
  assert.ok((await (await ask(url, { kind: 'test', name: 'wave', of: 7 })).json()).refused);
  assert.deepEqual(readdirSync(folder), ['linked']);
  assert.deepEqual(readdirSync(outside), []);
});
