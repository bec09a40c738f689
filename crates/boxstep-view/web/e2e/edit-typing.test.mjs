// What is typed in the page while a behavior can be changed: it reaches the file, the right place of it, and once.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { button, copied, did, edited, save, script, sent } from './editing.mjs';
import { accessible, box, inspector, opened, scripts, shot, valued } from './helpers.mjs';

const UNDONE = (page) => button(page, 'Undo').and(page.locator(':disabled')).waitFor();
const shows = (page, words) => scripts(page).locator('.cm-content').filter({ hasText: words }).waitFor();

test('the script of one box is never written into another', async (t) => {
  const { folder, before, now } = copied('touch');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/If touched').waitFor();
  const ops = sent(page);
  await script(page, 'root/Say ouch');
  await shows(page, 'def onInput_onStart');
  await (await script(page, 'root/If touched')).click();
  await shows(page, 'self.touches = 0');
  await page.keyboard.press('Control+z');
  await shows(page, 'self.touches = 0');
  // What was written before another box is chosen is in the first one, and nowhere else.
  await page.keyboard.insertText('# mine\n');
  await box(page, 'root/Say ready').click();
  await did(page, 'script of If touched');
  await box(page, 'root/If touched').click();
  await shows(page, '# mine');
  await box(page, 'root/Say ready').click();
  await button(page, 'Undo').click();
  await UNDONE(page);
  await box(page, 'root/If touched').click();
  await shows(page, 'self.touches = 0');
  await box(page, 'root/Say ready').click();
  await save(page);
  assert.deepEqual(ops.map(({ op, box }) => `${op} ${box}`), ['set_script root/If touched']);
  assert.equal(now(), before);
});

test('the editor shows what the file has, whoever changes it', async (t) => {
  const { folder } = copied('touch');
  const url = await edited(t, folder);
  const [page, other] = [await opened(t, url), await opened(t, url)];
  await box(page, 'root/If touched').waitFor();
  await box(other, 'root/If touched').waitFor();
  await (await script(page, 'root/If touched')).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('# first\n');
  await did(page, 'script of If touched');
  // Another step, as the keyboard was elsewhere.
  await page.getByRole('button', { name: 'zoom in' }).focus();
  await page.getByRole('textbox', { name: 'script' }).focus();
  await page.keyboard.insertText('# second\n');
  await did(other, 'script of If touched');
  await (await script(other, 'root/If touched')).click();
  await shows(other, '# second');
  await button(page, 'Undo').click();
  await page.waitForFunction(() => !document.querySelector('.cm-content').textContent.includes('# second'));
  await shows(page, '# first');
  await shows(other, '# first');
  await button(page, 'Undo').click();
  await UNDONE(page);
  await page.waitForFunction(() => !document.querySelector('.cm-content').textContent.includes('# first'));
  await other.keyboard.press('Control+Home');
  await other.keyboard.insertText('# theirs\n');
  await shows(page, '# theirs');
  await accessible(page, '.cm-editor');
});

test('what two pages write in one script at the same time is kept of both', async (t) => {
  const { folder, now } = copied('touch');
  const url = await edited(t, folder);
  const [one, other] = [await opened(t, url), await opened(t, url)];
  await (await script(one, 'root/If touched')).click();
  await (await script(other, 'root/If touched')).click();
  await one.keyboard.press('Control+End');
  await other.keyboard.press('Control+Home');
  // One goes on all the time while the other's line comes.
  for (let line = 0; line < 12; line++) {
    await one.keyboard.type(`\n# one ${line}`, { delay: 40 });
    if (line === 3) await other.keyboard.type('# other\n');
  }
  await Promise.all([one, other].flatMap((page) => [shows(page, '# other'), shows(page, '# one 11')]));
  assert.equal(await one.getByRole('alert').count(), 0);
  await save(one);
  assert.match(now(), /# other\n[^]*# one 0\s*# one 1\n[^]*# one 11/);
});

test('saving saves what is being typed, in scripts, texts and popovers', async (t) => {
  const { folder, file, now } = copied('touch');
  writeFileSync(file, now().replace('value="You touched my head."', 'value="You touched my head, and I have felt it."'));
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/If touched').waitFor();
  await (await script(page, 'root/If touched')).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('# at once\n');
  await save(page);
  assert.match(now(), /# at once/);
  await page.keyboard.insertText('# goes on\n');
  await save(page);
  assert.match(now(), /# goes on/);
  await box(page, 'root/Say ouch').click();
  await inspector(page).locator('textarea').first().fill('Ouch, and that is a long text that needs some lines.');
  await save(page);
  assert.match(now(), /Ouch, and that is a long text/);
  await box(page, 'root/Say ready').locator('.wrench').click();
  const popover = page.getByRole('dialog', { name: 'parameters of Say ready' });
  await popover.getByRole('textbox', { name: 'Text' }).fill('From a popover.');
  await save(page);
  assert.match(now(), /From a popover\./);
});

test('a page that is loaded again has given what was typed', async (t) => {
  const { folder, now } = copied('touch');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/If touched').waitFor();
  await (await script(page, 'root/If touched')).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('# before it is gone\n');
  await page.reload();
  await did(page, 'script of If touched');
  await save(page);
  assert.match(now(), /# before it is gone/);
});

test('Escape leaves a value as it was', async (t) => {
  const { folder, before, now } = copied('touch');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Say ouch').click();
  const ops = sent(page);
  const field = inspector(page).getByRole('textbox', { name: 'Text' });
  await field.click();
  await page.keyboard.type('xyz');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await inspector(page).getByRole('textbox', { name: 'hint of the box' }).click();
  await page.keyboard.type('xyz');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await box(page, 'root/Say ready').locator('.wrench').click();
  const popover = page.getByRole('dialog', { name: 'parameters of Say ready' });
  await popover.getByRole('textbox', { name: 'Text' }).waitFor();
  await page.keyboard.type('xyz');
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
  await box(page, 'root/Say ready').press('F2');
  await page.getByRole('textbox', { name: 'name of the box' }).waitFor();
  await page.keyboard.type('xyz');
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'name of the box' }).waitFor({ state: 'detached' });
  await save(page);
  assert.deepEqual(ops, []);
  assert.equal(now(), before);
});

test('values of the run and of the file are taken from each other', async (t) => {
  const { folder, now } = copied('touch');
  const page = await opened(t, await edited(t, folder, '--set', 'root/Say ouch/Text=Of the run.'));
  await box(page, 'root/Say ouch').click();
  await valued(page, 'Text', 'Of the run.');
  await shot(page, 'edit-run-value');
  await button(page, 'put Text into the file').click();
  await did(page, 'Say ouch: Text');
  await save(page);
  assert.match(now(), /value="Of the run\."/);
  await button(page, 'put Text into the file').waitFor({ state: 'detached' });
});

test('a value of the run is reset to that of the file', async (t) => {
  const { folder } = copied('touch');
  const page = await opened(t, await edited(t, folder, '--set', 'root/Say ouch/Text=Of the run.'));
  await box(page, 'root/Say ouch').click();
  await valued(page, 'Text', 'Of the run.');
  await button(page, 'reset Text').click();
  await valued(page, 'Text', 'You touched my head.');
});

test('an answer that is none ends nothing', async (t) => {
  const { folder } = copied('touch');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Say ouch').click();
  await page.route('**/edit/0', (route) => route.fulfill({ body: 'nonsense' }), { times: 1 });
  await page.keyboard.press('ArrowRight');
  await page.getByRole('alert').getByText('the answer was none').waitFor();
  await page.keyboard.press('ArrowRight');
  await did(page, 'move Say ouch');
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test('the form of a port shows what it is, and changes nothing else', async (t) => {
  const { folder, file, now } = copied('touch');
  // A bitmap comes into a box.
  writeFileSync(file, now().replace('<Input name="onData" type="0"', '<Input name="onData" type="4"'));
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/If touched').click();
  const ops = sent(page);
  await button(page, 'change input onData').click();
  const form = page.getByRole('dialog', { name: 'change input onData' });
  assert.equal(await form.getByLabel('what it does').evaluate((field) => field.selectedOptions[0]?.text), 'calls a method');
  assert.equal(await form.getByLabel('type').inputValue(), 'bitmap');
  await form.getByLabel('hint').fill('A picture.');
  await button(page, 'Change').click();
  await did(page, 'change input onData');
  assert.deepEqual(ops.at(-1).input, { tooltip: 'A picture.' });
  // The ports of the whole behavior: it is chosen where one is.
  await page.getByRole('navigation', { name: 'where' }).getByRole('button', { name: 'root' }).click();
  await button(page, 'change input FrontTactilTouched').click();
  const own = page.getByRole('dialog', { name: 'change input FrontTactilTouched' });
  assert.equal(await own.getByLabel('memory key').inputValue(), 'FrontTactilTouched');
  await own.getByLabel('memory key').fill('MiddleTactilTouched');
  await button(page, 'Change').click();
  await did(page, 'change input FrontTactilTouched');
  assert.deepEqual(ops.at(-1).input, { memory_key: 'MiddleTactilTouched' });
});

test('names that nobody could read are refused, and the difference to another version asks', async (t) => {
  const { folder, file, now } = copied('touch');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Say ouch').click();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'name of the box' }).fill('   ');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('a box needs a name').waitFor();
  await box(page, 'root/Say ouch').click();
  await page.keyboard.press('ArrowDown');
  await did(page, 'move Say ouch');
  writeFileSync(file, now().replace('Waits for a touch of the head.', 'Theirs.'));
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('alertdialog');
  await dialog.locator(':focus').waitFor();
  await box(page, 'root/Say ready').click();
  await page.keyboard.press('ArrowDown');
  await did(page, 'move Say ready');
  assert.ok(await dialog.isVisible());
  await dialog.getByRole('button', { name: 'Not now' }).focus();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});
