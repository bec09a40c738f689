// Changes of a behavior in the page: by pointer, by keys, by two pages; undone, saved, found again.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { button, copied, copiedBoxes, difference, dragged, edited, head, middle, port, save } from './editing.mjs';
import { begun, box, inspector, opened, root, shot, started } from './helpers.mjs';

test('a box is dragged: its line changes, and undo gives the file back', async (t) => {
  const { folder, before, now } = copied('hello');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').waitFor();
  const from = await middle(head(page, 'root/Wave'));
  await dragged(page, from, { x: from.x + 60, y: from.y + 90 });
  await button(page, 'Undo').and(page.locator(':enabled')).waitFor();
  await page.waitForFunction((y) => document.querySelector('[data-box="root/Wave"] .title').getBoundingClientRect().y > y + 60, from.y - 10);
  await shot(page, 'edit-moved');
  assert.equal(now(), before, 'nothing is written until it is saved');
  await save(page);
  const { gone, come } = difference(before, now());
  assert.equal(gone.length, 1);
  assert.match(come[0], /<Box name="Wave" id="2" .* x="\d+" y="\d+">/);
  await page.keyboard.press('Control+z');
  await save(page);
  assert.equal(now(), before);
});

test('links are drawn from port to port, refused in words, and removed', async (t) => {
  const { folder, now } = copied('hello');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').waitFor();
  await dragged(page, await middle(port(page, 'output onStopped root/Say')), await middle(port(page, 'input onStop root/Wave')));
  const drawn = page.locator('[data-from="output\tonStopped\troot/Say"][data-to="input\tonStop\troot/Wave"]');
  await drawn.waitFor({ state: 'attached' });
  // From the other end it is the same link, and there already.
  await dragged(page, await middle(port(page, 'input onStop root/Wave')), await middle(port(page, 'output onStopped root/Say')));
  await page.getByRole('alert').getByText('it is there already').waitFor();
  await shot(page, 'edit-refused');
  await button(page, 'put the refusal away').click();
  await drawn.dispatchEvent('click');
  await page.locator('.link.picked').waitFor({ state: 'attached' });
  await page.locator('.stage').press('Delete');
  await drawn.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await drawn.waitFor({ state: 'attached' });
  await save(page);
  assert.match(now(), /<Link inputowner="2" indexofinput="3" outputowner="1" indexofoutput="4" \/>/);
});

test('from an empty file a behavior is built with the keyboard alone, and plays', async (t) => {
  const { folder, file, now } = copied('hello');
  writeFileSync(file, now().replace(/<Diagram scale="100">[\s\S]*<\/Diagram>/, '<Diagram scale="100" />'));
  const page = await opened(t, await edited(t, folder));
  await page.getByRole('application').waitFor();
  /** Goes on with Tab until something has the keyboard. */
  const tabbed = async (of) => {
    for (let tries = 0; !(await of.evaluate((one) => one === document.activeElement)); tries++) {
      assert.ok(tries < 150, String(of));
      await page.keyboard.press('Tab');
    }
  };
  const focused = (of) => page.waitForFunction((of) => document.activeElement?.getAttribute('data-box') === of, of);
  await tabbed(page.getByRole('application'));
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'box to add' }).waitFor();
  await page.keyboard.type('python');
  await shot(page, 'edit-palette');
  await page.keyboard.press('Enter');
  await focused('root/Python Script');
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'name of the box' }).waitFor();
  await page.keyboard.type('Greet');
  await page.keyboard.press('Enter');
  await focused('root/Greet');
  await inspector(page).getByRole('heading', { name: 'Greet' }).waitFor();
  await page.keyboard.press('l');
  const form = page.getByRole('dialog', { name: 'draw a link' });
  await form.waitFor();
  await page.keyboard.press('Enter');
  await page.locator('[data-from="output\tonStopped\troot/Greet"][data-to="output\tonStopped\troot"]').waitFor({ state: 'attached' });
  // The box around it: its start leads in.
  await focused('root/Greet');
  await page.keyboard.press('l');
  await form.waitFor();
  await page.keyboard.type('in: onStart');
  await page.keyboard.press('Enter');
  const start = page.locator('[data-from="input\tonStart\troot"][data-to="input\tonStart\troot/Greet"]');
  await start.waitFor({ state: 'attached' });
  // A link that is removed, and comes back.
  await focused('root/Greet');
  await page.keyboard.press('l');
  await tabbed(form.getByRole('button', { name: 'remove the link onStart → Greet . onStart' }));
  await page.keyboard.press('Enter');
  await start.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await start.waitFor({ state: 'attached' });
  await tabbed(inspector(page).getByRole('button', { name: 'Script', exact: true }));
  await page.keyboard.press('Enter');
  const editor = page.getByRole('textbox', { name: 'script' });
  await editor.waitFor();
  // Whoever opens a script goes on there.
  await page.waitForFunction(() => !!document.activeElement?.closest('.cm-editor'));
  await page.keyboard.press('Control+a');
  await shot(page, 'edit-script');
  await page.keyboard.insertText("class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        ALProxy('ALTextToSpeech').say('built here')\n        self.onStopped()");
  await save(page);
  assert.match(now(), /built here/);
  // Out of the list of completions, and out of the editor.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await tabbed(page.getByRole('button', { name: 'Play', exact: true }));
  await page.keyboard.press('Enter');
  await page.getByRole('banner').getByText('ended').waitFor();
  await page.getByRole('listbox', { name: 'log' }).getByText('built here').first().waitFor();
  await shot(page, 'edit-built');
});

test('values and links count at once, a box when its part is loaded next, and the page says so', async (t) => {
  const { folder } = copied('touch');
  const page = await opened(t, await started(t, 'play', folder, '--view', '--edit'));
  await box(page, 'root/Say ready').waitFor();
  await box(page, 'root/Say ouch').click();
  const field = inspector(page).getByRole('textbox', { name: 'Text' });
  await field.fill('That hurt!');
  await field.press('Enter');
  await page.getByRole('listbox', { name: 'log' }).getByText(/Text.*That hurt!/).first().waitFor();
  await box(page, 'root/Say ouch').press('Control+d');
  await box(page, 'root/Say ouch (1)').waitFor();
  // A new box counts when what is around it is loaded next.
  await page.getByText('What is new in root counts when it is loaded next').waitFor();
  await shot(page, 'edit-waits');
  await button(page, 'Restart this part').click();
  await page.getByText('What is new in root counts when it is loaded next').waitFor({ state: 'detached' });
  const log = page.getByRole('listbox', { name: 'log' });
  await log.getByText('has its new inside, and begins again').first().waitFor();
  await box(page, 'root/Say ouch (1)').click();
  await inspector(page).getByRole('button', { name: /send to onStart/ }).click();
  await log.getByText(/Say ouch \(1\)/).first().waitFor();
  // Links count at once.
  await box(page, 'root/Say ready').focus();
  await page.keyboard.press('l');
  const form = page.getByRole('dialog', { name: 'draw a link' });
  await form.getByLabel('to', { exact: true }).selectOption({ label: 'Say ouch (1) . onStart' });
  await page.keyboard.press('Enter');
  await log.getByText('has its new links').first().waitFor();
  // The ports of the whole behavior count when it plays again.
  await shot(page, 'edit-later');
});

test('what is wrong is said beside the box and in its script', async (t) => {
  const { folder } = copied('hello');
  const page = await opened(t, await edited(t, folder));
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.locator('.stage').focus();
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'box to add' }).fill('python script');
  await page.keyboard.press('Enter');
  await page.locator('[data-box="root/Python Script"].found').waitFor();
  await box(page, 'root/Python Script').click();
  await inspector(page).getByText('no signal reaches the box "Python Script"').waitFor();
  await button(inspector(page), 'Script').click();
  const editor = page.getByRole('textbox', { name: 'script' });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('    def broken(self)\n        pass\n');
  await page.locator('.cm-lint-marker-error').waitFor();
  await page.locator('[data-box="root/Python Script"].found-error').waitFor();
  await shot(page, 'edit-findings');
});

test('two pages see each other’s changes, and a crash loses none', async (t) => {
  const { folder, before, now } = copied('hello');
  const first = await begun(t, 'play', folder, '--view', '--edit', '--paused');
  const [one, other] = [await opened(t, first.url), await opened(t, first.url)];
  await box(one, 'root/Wave').waitFor();
  await box(other, 'root/Say').waitFor();
  await box(one, 'root/Wave').click();
  await box(one, 'root/Wave').press('F2');
  await one.getByRole('textbox', { name: 'name of the box' }).fill('Swing');
  await one.keyboard.press('Enter');
  await box(other, 'root/Swing').waitFor();
  await other.getByRole('button', { name: 'Undo' }).and(other.locator('[title*="rename Wave to Swing"]')).waitFor();
  await box(other, 'root/Say').click();
  await box(other, 'root/Say').press('ArrowRight');
  await one.getByRole('button', { name: 'Undo' }).and(one.locator('[title*="move Say"]')).waitFor();
  // A page that comes later has them, too.
  await other.reload();
  await box(other, 'root/Swing').waitFor();
  assert.equal(now(), before);

  // Nobody else edits the file in the meantime, and a program that is killed leaves what was changed.
  const second = spawnSync(process.env.BOXSTEP, ['play', folder, '--view', '--edit'], { encoding: 'utf8' });
  assert.match(second.stderr, /another Boxstep edits it/);
  await Promise.all([one, other].map((page) => page.context().close()));
  first.program.kill('SIGKILL');
  await first.over;
  const page = await opened(t, await edited(t, folder));
  await page.getByText('2 changes were not saved last time').waitFor();
  await box(page, 'root/Swing').waitFor();
});

test('another program’s version is shown before it is replaced', async (t) => {
  const { folder, file, before, now } = copied('hello');
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').click();
  await box(page, 'root/Wave').press('ArrowDown');
  await button(page, 'Undo').and(page.locator(':enabled')).waitFor();
  writeFileSync(file, before.replace('Says hello, waves, says good-bye.', 'Theirs.'));
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('alertdialog', { name: 'another version of the file' });
  await dialog.getByText('-    <Box name="root" id="-1" localization="8" tooltip="Theirs."').waitFor();
  await shot(page, 'edit-conflict');
  await dialog.getByRole('button', { name: 'Make my changes on its version' }).click();
  await save(page);
  const { come } = difference(before, now());
  assert.equal(come.length, 2);
  assert.ok(come.some((line) => line.includes('Theirs.')) && come.some((line) => line.includes('name="Wave"')), come.join('\n'));
});

test('several boxes are chosen, copied, put into a diagram', async (t) => {
  const { folder } = copied('hello');
  const url = await edited(t, folder);
  const page = await opened(t, url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await box(page, 'root/Wave').waitFor();
  await box(page, 'root/Say bye').click();
  await box(page, 'root/Wave').click({ modifiers: ['Shift'] });
  await page.waitForFunction(() => document.querySelectorAll('.node.chosen').length === 2);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.keyboard.press('Control+c');
  await copiedBoxes(page);
  await page.keyboard.press('Control+v');
  await box(page, 'root/Say bye (1)').waitFor();
  await page.locator('[data-from="output\tonStopped\troot/Wave (1)"][data-to="input\tonStart\troot/Say bye (1)"]').waitFor({ state: 'attached' });
  await box(page, 'root/Say bye').click();
  await box(page, 'root/Wave').click({ modifiers: ['Shift'] });
  await page.locator('.stage').press('Control+g');
  await box(page, 'root/Diagram').waitFor();
  await shot(page, 'edit-wrapped');
  await box(page, 'root/Diagram').dblclick();
  await box(page, 'root/Diagram/Wave').waitFor();
  await page.keyboard.press('Escape');
  await box(page, 'root/Diagram').click({ button: 'right' });
  await shot(page, 'edit-menu');
  await page.getByRole('menuitem', { name: 'Replace by its boxes' }).click({ timeout: 5000 });
  await box(page, 'root/Wave').waitFor();
});

test('the gallery lets behaviors be changed, and plays what cannot be', async (t) => {
  const { folder, now } = copied('hello');
  cpSync(join(root, 'examples/companion'), join(folder, 'companion'), { recursive: true });
  const gallery = await opened(t, await started(t, 'open', folder, '--edit', '--no-browser'));
  const hello = gallery.getByRole('article').filter({ hasText: '3 boxes' }).first();
  await hello.getByRole('button', { name: /^look/i }).click();
  const page = await opened(t, await hello.getByRole('link', { name: 'watch' }).getAttribute('href'));
  await box(page, 'root/Wave').click();
  await box(page, 'root/Wave').press('ArrowUp');
  await save(page);
  assert.match(now(), /name="Wave" id="2" .* y="50"/);
  await page.close();
  const companion = gallery.getByRole('article', { name: 'companion' }).first();
  await companion.getByRole('button', { name: /^play/i }).click();
  const other = await opened(t, await companion.getByRole('link', { name: 'watch' }).first().getAttribute('href'));
  await other.getByRole('banner').waitFor();
  assert.equal(await button(other, 'Undo').count(), 0);
  await other.close();
});

test('without --edit nothing can be changed', async (t) => {
  const { folder } = copied('hello');
  const url = await started(t, 'play', folder, '--view', '--paused');
  const page = await opened(t, url);
  await box(page, 'root/Wave').waitFor();
  assert.equal(await button(page, 'Undo').count(), 0);
  const { origin, searchParams } = new URL(url);
  const answer = await fetch(`${origin}/edit/0`, { method: 'POST', headers: { authorization: `Bearer ${searchParams.get('token')}`, 'content-type': 'application/json' }, body: '{"do":"undo"}' });
  assert.equal(answer.status, 403);
});
