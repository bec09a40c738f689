// Texts of what plays, written in the page: topics with a conversation beside them, characters with their graph.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, asked, begun, opened, region, root, shot, started, temp } from './helpers.mjs';

const TOPIC = 'topic: ~talk()\r\nlanguage: enu\r\n\r\n# Who is there.\r\nu:(hello) Hello, human!\r\n';

/** A dialog in a folder of its own. */
function talk() {
  const folder = mkdtempSync(join(temp, 'topic-'));
  writeFileSync(join(folder, 'talk.dlg'), 'multilanguage:talk\nenu:talk_enu.top\n');
  const file = join(folder, 'talk_enu.top');
  writeFileSync(file, TOPIC);
  return { folder, file, dialog: join(folder, 'talk.dlg'), now: () => readFileSync(file, 'utf8') };
}
const edited = (t, file, ...more) => started(t, 'play', file, '--view', '--edit', ...more);
const text = (page) => page.getByRole('region', { name: 'Text', exact: true });
const field = (page) => text(page).getByRole('textbox', { name: /\.(top|yaml)$/ });
const button = (of, name) => of.getByRole('button', { name, exact: true });
/** Writes at the end of the text. */
async function written(page, words) {
  await field(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(words);
}
/** Waits until the server has what was written. */
const kept = (page) => page.waitForResponse((answer) => answer.request().postData()?.includes('"keep"') ?? false);

test('a topic is written beside its conversation, which begins anew with what is saved', async (t) => {
  const { dialog, now } = talk();
  const page = await opened(t, await edited(t, dialog));
  await field(page).getByText('Hello, human!').waitFor();
  const conversation = await region(page, 'Talk');
  await shot(page, 'topic-edit');
  const done = kept(page);
  await written(page, 'u:(bye) See you, ^nothing()\n');
  await done;
  await text(page).getByRole('list', { name: 'findings' }).getByText('nothing').first().waitFor();
  await text(page).locator('.cm-lint-marker').first().waitFor();
  await shot(page, 'topic-edit-finding');
  assert.equal(now(), TOPIC, 'nothing is written before it is saved');
  // Undo is that of the editor.
  await field(page).focus();
  await page.keyboard.press('Control+z');
  await text(page).getByText('no findings').waitFor();
  await written(page, 'u:(bye) See you soon.\n');
  await page.keyboard.press('Control+s');
  await button(text(page), 'Saved').waitFor();
  assert.equal(now(), `${TOPIC}u:(bye) See you soon.\r\n`, 'lines that stay keep their bytes');
  const say = conversation.getByRole('textbox', { name: 'say something to the robot' });
  await say.fill('hello');
  await page.keyboard.press('Enter');
  await conversation.getByText('Hello, human!').waitFor();
  await button(text(page), 'Play again').click();
  await conversation.getByText('Nobody has said anything yet.').waitFor();
  await conversation.getByText('focus').first().waitFor();
  await say.fill('bye');
  await page.keyboard.press('Enter');
  await conversation.getByText('See you soon.').waitFor();
  // A rule leads to its line.
  await conversation.getByRole('button', { name: 'talk_enu.top:6' }).click();
  await text(page).locator('.cm-line.cm-shown').getByText('See you soon.').waitFor();
});

test('what was not saved is there again after a reload, and after the program was killed', async (t) => {
  const { folder, dialog, now } = talk();
  const first = await begun(t, 'play', dialog, '--view', '--edit');
  const page = await opened(t, first.url, { errs: true });
  const done = kept(page);
  await field(page).waitFor();
  await written(page, 'u:(more) Even more.\n');
  await done;
  await page.reload();
  await field(page).getByText('Even more.').waitFor();
  await button(text(page), 'Save').waitFor();
  first.program.kill('SIGKILL');
  await first.over;
  assert.equal(now(), TOPIC);
  const again = await opened(t, await edited(t, dialog));
  await field(again).getByText('Even more.').waitFor();
  await text(again).getByText('it is here again').waitFor();
  await button(text(again), 'Take the file instead').click();
  await button(text(again), 'Saved').waitFor();
  assert.equal(await field(again).getByText('Even more.').count(), 0);
  assert.ok(readdirSync(folder).includes('talk_enu.top'));
});

test('another version on the disk is shown before it is replaced', async (t) => {
  const { file, dialog, now } = talk();
  const page = await opened(t, await edited(t, dialog));
  await field(page).waitFor();
  const done = kept(page);
  await written(page, 'u:(mine) Mine.\n');
  await done;
  writeFileSync(file, `${TOPIC}u:(theirs) Theirs.\n`);
  await page.keyboard.press('Control+s');
  const conflict = page.getByRole('alertdialog', { name: 'another version of the file' });
  await conflict.getByText('-u:(theirs) Theirs.').waitFor();
  assert.ok(!(await conflict.textContent()).includes('-u:(hello)'), 'only what differs');
  assert.ok(now().includes('Theirs'));
  await accessible(page, '.text');
  await shot(page, 'topic-edit-conflict');
  await button(conflict, 'Save mine over it').click();
  await button(text(page), 'Saved').waitFor();
  assert.equal(now(), `${TOPIC}u:(mine) Mine.\r\n`);
});

for (const [colorScheme, width] of [['light', 1280], ['dark', 1280], ['light', 390]])
  test(`a character is written beside its graph (${colorScheme}, ${width})`, async (t) => {
    const folder = mkdtempSync(join(temp, 'character-'));
    cpSync(join(root, 'examples/companion'), folder, { recursive: true });
    const page = await opened(t, await edited(t, folder, '--paused'), { colorScheme, viewport: { width, height: 800 } });
    await field(page).waitFor();
    await text(page).getByText('no findings').waitFor();
    await written(page, '\nwrong: 1\n');
    await text(page).getByRole('list', { name: 'findings' }).getByText('wrong').first().waitFor();
    await accessible(page, '.text');
    await shot(page, `character-edit-${colorScheme}-${width}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    if (width > 720) await page.getByRole('region', { name: 'Behaviors' }).getByRole('button', { name: 'character.yaml' }).waitFor();
  });

test('only the texts of what plays are read and written, by a page that may', async (t) => {
  const { folder, dialog } = talk();
  writeFileSync(join(folder, 'secret.top'), 'topic: ~secret()\n');
  const ask = (url, file, body, headers = { 'content-type': 'application/json' }) =>
    asked(url, `/text?file=${encodeURIComponent(file)}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
  const plain = await started(t, 'play', dialog, '--view');
  assert.deepEqual(await (await asked(plain, '/texts')).json(), []);
  assert.equal((await ask(plain, 'talk_enu.top')).status, 403);
  assert.equal((await ask(plain, 'talk_enu.top', { do: 'save', version: 1, text: '' })).status, 403);
  const url = await edited(t, dialog);
  assert.deepEqual((await (await asked(url, '/texts')).json()).map(({ file }) => file), ['talk.dlg', 'talk_enu.top']);
  for (const file of ['secret.top', '../talk_enu.top', '/etc/passwd', './talk_enu.top', '']) {
    assert.ok((await (await ask(url, file)).json()).refused, file);
    assert.ok((await (await ask(url, file, { do: 'overwrite', version: 1, text: 'x' })).json()).refused, file);
  }
  assert.equal((await ask(url, 'talk_enu.top', { do: 'discard' }, { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await fetch(new URL('/text?file=talk_enu.top', url))).status, 401);
  assert.equal(readFileSync(join(folder, 'secret.top'), 'utf8'), 'topic: ~secret()\n');
});

test('a topic that a link leads to from elsewhere is not edited', async (t) => {
  const [{ folder, dialog, file }, other] = [talk(), talk()];
  writeFileSync(dialog, 'multilanguage:talk\nenu:talk_enu.top\nfrf:linked.top\n');
  symlinkSync(other.file, join(folder, 'linked.top'));
  const listed = await (await asked(await edited(t, dialog), '/texts')).json();
  assert.deepEqual(listed.map((one) => one.file), ['talk.dlg', 'talk_enu.top']);
  assert.ok(readFileSync(file, 'utf8'));
});
