// Scripts in the editor: what has failed and what waits is marked, and one gets there from wherever a line is told of.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, box, inspector, opened, region, root, scripts, shot, started, temp } from './helpers.mjs';

const fails = join(root, 'crates/boxstep-view/web/e2e/files/fails.xar');
const editor = (page) => scripts(page).locator('.cm-editor');
const marked = (page, kind) => editor(page).locator(`.cm-line.cm-${kind}`);

/** A behavior whose one box has this script. */
function scripted(name, body) {
  const file = join(mkdtempSync(join(temp, 'script-')), `${name}.xar`);
  const source = readFileSync(fails, 'utf8').replaceAll(/<Link inputowner="0".*/g, '');
  writeFileSync(file, source.replace('        self.onStopped(nobody)', body.map((line) => `        ${line}`).join('\n')));
  return file;
}

for (const [scheme, size] of [['light', [1440, 900]], ['dark', [1920, 1080]], ['light', [390, 800]], ['dark', [390, 800]]]) {
  test(`the line that has failed says why, ${scheme}, ${size[0]} wide`, async (t) => {
    const page = await opened(t, await started(t, 'play', fails, '--view'), { colorScheme: scheme, viewport: { width: size[0], height: size[1] } });
    await page.getByRole('alert', { name: 'failure' }).getByRole('button', { name: 'Divide' }).click();
    await marked(page, 'failed').getByText("NameError: name 'nobody' is not defined").waitFor();
    assert.match(await marked(page, 'failed').textContent(), /^ {8}self\.onStopped\(nobody\)/);
    assert.equal(await editor(page).locator('.cm-lineNumbers .cm-failed').textContent(), '3');
    await accessible(page, '.cm-editor');
    await shot(page, `script-failed-${scheme}-${size[0]}`);
  });
}

test('a traceback and a line of the log lead to the script', async (t) => {
  const page = await opened(t, await started(t, 'play', fails, '--view'), { viewport: { width: 1440, height: 900 } });
  const log = await region(page, 'Log');
  await log.getByRole('option').filter({ hasText: 'NameError' }).first().click();
  const shown = log.getByRole('region', { name: 'selected line' });
  for (const way of [shown.getByRole('button', { name: 'line 3 of its script' }), shown.getByRole('button', { name: /^File .*line 3/ })]) {
    await inspector(page).getByRole('button', { name: 'close' }).click();
    if (await scripts(page).count()) await scripts(page).getByRole('button', { name: 'close Script' }).click();
    await way.click();
    await marked(page, 'failed').waitFor();
    await editor(page).locator('.cm-cursor').waitFor({ state: 'attached' });
  }
  await inspector(page).getByText('traceback', { exact: true }).click();
  await scripts(page).getByRole('button', { name: 'close Script' }).click();
  await inspector(page).getByRole('button', { name: /^File .*line 3/ }).click();
  await marked(page, 'failed').waitFor();
});

test('a line whose call has no reply yet is marked, and so it was in the past', async (t) => {
  const file = scripted('waits', ['self.log("a")', 'ALProxy("ALTextToSpeech").say("one two three four five six seven")', 'self.onStopped()']);
  const page = await opened(t, await started(t, 'play', file, '--view', '--paused'));
  await box(page, 'root/Outer').dblclick();
  await box(page, 'root/Outer/Divide').click();
  await inspector(page).getByRole('button', { name: 'Script', exact: true }).click();
  await editor(page).waitFor();
  assert.equal(await marked(page, 'waits').count(), 0);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const waits = marked(page, 'waits').getByText('⧗ no reply yet: ALTextToSpeech.say');
  await waits.waitFor();
  assert.equal(await editor(page).locator('.cm-lineNumbers .cm-waits').textContent(), '4');
  // Also where a narrow region does not show the end of the line.
  await scripts(page).getByText('line 4: ⧗ no reply yet: ALTextToSpeech.say', { exact: true }).waitFor();
  await shot(page, 'script-waits');
  await waits.waitFor({ state: 'detached' });
  assert.equal(await marked(page, 'waits').count(), 0);
  await page.getByRole('slider', { name: 'time' }).fill('1000000000');
  await waits.waitFor();
});

test('a script that waits in no call of a service is marked where its method begins', async (t) => {
  const file = scripted('sleeps', ['import time', 'time.sleep(600)', 'self.onStopped()']);
  const page = await opened(t, await started(t, 'play', file, '--view'));
  await box(page, 'root/Outer').dblclick();
  await box(page, 'root/Outer/Divide').click();
  await inspector(page).getByRole('button', { name: 'Script', exact: true }).click();
  await marked(page, 'waits').getByText('⧗ has not returned').waitFor();
  assert.match(await marked(page, 'waits').textContent(), /def onInput_onStart/);
});

test('a script is read and searched by keyboard, and not written in', async (t) => {
  const page = await opened(t, await started(t, 'play', scripted('keys', Array.from({ length: 60 }, (_, at) => `value_${at} = ${at}`)), '--view', '--paused'));
  await box(page, 'root/Outer').dblclick();
  await box(page, 'root/Outer/Divide').click();
  await inspector(page).getByRole('button', { name: 'Script', exact: true }).click();
  const text = page.getByRole('textbox', { name: 'script' });
  await text.focus();
  assert.equal(await text.getAttribute('aria-readonly'), 'true');
  const before = await text.textContent();
  await page.keyboard.type('xyz');
  assert.equal(await text.textContent(), before);
  await page.keyboard.press('Control+f');
  assert.equal(await page.getByRole('dialog', { name: 'find' }).count(), 0, 'that of the editor');
  await page.keyboard.type('value_55');
  await page.keyboard.press('Enter');
  await editor(page).locator('.cm-searchMatch-selected').getByText('value_55').waitFor();
  await accessible(page, '.cm-editor');
  await shot(page, 'script-search');
  await page.keyboard.press('Escape');
  await editor(page).locator('.cm-search').waitFor({ state: 'detached' });
  await editor(page).getByText('value_55 = 55').waitFor();
  assert.equal(await box(page, 'root/Outer/Divide').count(), 1, 'Escape has not led out of the diagram');
});

test('the chunk of the editor is loaded with the first script', async (t) => {
  const page = await opened(t, await started(t, 'play', fails, '--view', '--scripts', 'off'));
  const loaded = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await box(page, 'root/Outer').dblclick();
  await box(page, 'root/Outer/Divide').click();
  await inspector(page).getByRole('button', { name: 'Script', exact: true }).waitFor();
  assert.ok(!loaded.includes('/editor.js'));
  await inspector(page).getByRole('button', { name: 'Script', exact: true }).click();
  await editor(page).waitFor();
  assert.ok(loaded.includes('/editor.js'));
});

for (const [how, open] of [
  ['a double click', (page) => box(page, 'root/Outer/Divide').dblclick()],
  ['Enter', async (page) => {
    await box(page, 'root/Outer/Divide').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
  }],
]) {
  test(`${how} on a box opens its script, large, and the keyboard goes on there`, async (t) => {
    const page = await opened(t, await started(t, 'play', scripted('large', ['self.onStopped(nobody)']), '--view', '--edit', '--paused', '--scripts', 'off'), { viewport: { width: 1440, height: 900 } });
    await box(page, 'root/Outer').dblclick();
    await box(page, 'root/Outer/Divide').waitFor();
    await open(page);
    await editor(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('.cm-editor'));
    const { width, height } = await editor(page).boundingBox();
    assert.ok(width > 440 && height > 400, `${width} × ${height}`);
    assert.equal(await page.getByRole('textbox', { name: 'script' }).textContent().then((text) => text.includes('nobody')), true, 'the key is not typed into it');
    await shot(page, `script-large-${how.replaceAll(' ', '-')}`);
  });
}

test('on a phone the script is a region of the bar, and what the failure says leads there', async (t) => {
  const page = await opened(t, await started(t, 'play', fails, '--view'), { viewport: { width: 390, height: 800 } });
  await page.getByRole('alert', { name: 'failure' }).getByText('NameError').click();
  await marked(page, 'failed').waitFor();
  assert.equal(await page.getByRole('toolbar', { name: 'regions' }).getByRole('button', { name: 'Script', exact: true }).getAttribute('aria-pressed'), 'true');
  const { width, height } = await editor(page).boundingBox();
  assert.ok(width > 370 && height > 300, `${width} × ${height}`);
  await shot(page, 'script-phone');
});
