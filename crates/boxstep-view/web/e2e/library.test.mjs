// The library beside the diagram, by pointer and by keyboard, and the user's own boxes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, box, opened, region, root, shot, started, temp } from './helpers.mjs';

// The boxes of whoever runs these tests are none of theirs.
process.env.XDG_CONFIG_HOME = join(temp, 'config');
const mine = join(temp, 'config/boxstep/boxes');

function copied() {
  const folder = mkdtempSync(join(temp, 'library-'));
  cpSync(join(root, 'examples/hello'), folder, { recursive: true });
  return { folder, now: () => readFileSync(join(folder, 'behavior.xar'), 'utf8') };
}
const edited = (t, folder, ...more) => started(t, 'play', folder, '--view', '--edit', '--paused', '--scripts', 'off', ...more);
const own = (name) =>
  `<?xml version="1.0" encoding="UTF-8" ?><ChoregrapheBox><Box name="${name}" id="1" localization="8" tooltip="Does ${name}." x="0" y="0"><script language="4"><content><![CDATA[pass]]></content></script><Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/><Parameter name="File" inherits_from_parent="0" content_type="4" value="sounds/a.wav" default_value="" custom_choice="0" tooltip="" id="3"/></Box></ChoregrapheBox>`;
const kind = (where, name) => where.locator('button.kind').filter({ has: where.page().locator('strong').getByText(name, { exact: true }) });
async function center(of) {
  const { x, y, width, height } = await of.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

for (const [scheme, size] of [['light', [1280, 800]], ['dark', [1280, 800]], ['dark', [390, 800]]]) {
  test(`the library is found, searched and folded, ${scheme}, ${size[0]} wide`, async (t) => {
    const { folder } = copied();
    const page = await opened(t, await edited(t, folder), { colorScheme: scheme, viewport: { width: size[0], height: size[1] } });
    await box(page, 'root/Wave').waitFor();
    const loaded = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    const library = await region(page, 'Library');
    await kind(library, 'Say').waitFor();
    assert.ok(loaded.includes('/Library.js'), 'it is loaded when it is wanted');
    await kind(library, 'Say').hover();
    await library.getByText('Says a text and waits until it is said.').last().waitFor();
    await accessible(page);
    await shot(page, `library-${scheme}-${size[0]}`);
    await library.getByRole('button', { name: 'Speech' }).click();
    await kind(library, 'Say').waitFor({ state: 'detached' });
    await library.getByRole('searchbox').fill('eye');
    await kind(library, 'Eye Color').waitFor();
    assert.equal(await kind(library, 'Say').count(), 0);
    await library.getByRole('searchbox').fill('no such box');
    await library.getByText('No box has these words.').waitFor();
  });
}

test('a box is dragged into the diagram as it is zoomed, and Escape lets it go', async (t) => {
  const { folder } = copied();
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').waitFor();
  const library = await region(page, 'Library');
  await library.getByRole('searchbox').fill('wait');
  await kind(library, 'Wait').waitFor();
  const stage = page.getByRole('application');
  await page.getByRole('button', { name: 'zoom in' }).click();
  const [from, { x, y }] = [await center(kind(library, 'Wait')), await stage.boundingBox()];
  const to = { x: x + 120, y: y + 90 };
  const move = async () => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x - 40, from.y, { steps: 3 });
    await page.mouse.move(to.x, to.y, { steps: 6 });
    await page.locator('.ghost.over').waitFor();
  };
  await move();
  await shot(page, 'library-drag');
  await page.keyboard.press('Escape');
  await page.locator('.ghost').waitFor({ state: 'detached' });
  await page.mouse.up();
  // Let go beside the diagram it is not added either.
  await move();
  await page.mouse.move(from.x, from.y, { steps: 3 });
  await page.locator('.ghost:not(.over)').waitFor();
  await page.mouse.up();
  await page.locator('.ghost').waitFor({ state: 'detached' });
  await move();
  await page.mouse.up();
  await box(page, 'root/Wait').waitFor();
  assert.equal(await box(page, 'root/Wait (1)').count(), 0);
  await shot(page, 'library-dropped');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await box(page, 'root/Wait').waitFor({ state: 'detached' });
});

test('by keyboard a box is added beside the chosen one, and others below it', async (t) => {
  const { folder } = copied();
  const page = await opened(t, await edited(t, folder));
  await box(page, 'root/Wave').click();
  const library = await region(page, 'Library');
  const search = library.getByRole('searchbox');
  await search.fill('once');
  await kind(library, 'Once').waitFor();
  await search.press('ArrowDown');
  await search.page().keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await box(page, 'root/Once').waitFor();
  await search.press('Enter');
  await box(page, 'root/Once (1)').waitFor();
  const middle = async (path) => (await center(page.locator(`[data-box="${path}"] .box`).first())).x;
  assert.ok((await middle('root/Once')) > (await middle('root/Wave')));
});

test('on a phone a tap adds to the diagram, which is shown then', async (t) => {
  const { folder } = copied();
  const page = await opened(t, await edited(t, folder), { viewport: { width: 390, height: 800 } });
  await box(page, 'root/Wave').waitFor();
  const library = await region(page, 'Library');
  await library.getByRole('searchbox').fill('once');
  await kind(library, 'Once').click();
  await box(page, 'root/Once').waitFor();
});

test('a page that changes nothing has no library', async (t) => {
  const page = await opened(t, await started(t, 'play', copied().folder, '--view', '--paused', '--scripts', 'off'));
  await box(page, 'root/Wave').waitFor();
  assert.equal(await page.getByRole('toolbar', { name: 'regions' }).getByRole('button', { name: 'Library' }).count(), 0);
});

test('own boxes of three kinds of folders are offered, added, and kept', async (t) => {
  const { folder, now } = copied();
  const named = mkdtempSync(join(temp, 'named-'));
  for (const [at, name] of [[join(folder, 'boxes/Arms'), 'Clap'], [mine, 'Nod'], [named, 'Bow']]) {
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, `${name}.xar`), own(name));
  }
  writeFileSync(join(named, 'broken.xar'), '<ChoregrapheBox>');
  const page = await opened(t, await edited(t, folder, '--boxes', named));
  await box(page, 'root/Wave').waitFor();
  const library = await region(page, 'Library');
  for (const name of ['Clap', 'Nod', 'Bow']) await kind(library, name).waitFor();
  for (const group of ['boxes/Arms', 'My boxes']) await library.getByRole('button', { name: group, exact: true }).waitFor();
  await library.getByText(/broken\.xar: /).waitFor();
  await kind(library, 'Clap').hover();
  await library.getByText('It needs files beside the behavior: sounds/a.wav.').waitFor();
  await shot(page, 'library-own');
  await kind(library, 'Clap').click();
  await box(page, 'root/Clap').waitFor();
  // In the palette, too.
  await page.getByRole('application').focus();
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'box to add' }).fill('nod');
  await page.getByRole('option', { name: /Nod/ }).waitFor();
  await page.keyboard.press('Enter');
  await box(page, 'root/Nod').waitFor();
  // One is kept: in the first folder, unless somebody chooses another; and never over another.
  await box(page, 'root/Clap').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Keep in my boxes…' }).click();
  const form = page.getByRole('dialog', { name: 'keep in my boxes' });
  await form.getByRole('textbox', { name: 'name' }).fill('Bow');
  await form.getByRole('option', { name: /My boxes/ }).waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await form.getByRole('alert').getByText('there is a box of this name').waitFor();
  assert.equal(readFileSync(join(named, 'Bow.xar'), 'utf8'), own('Bow'));
  await shot(page, 'library-keep');
  await form.getByRole('textbox', { name: 'name' }).fill('Clap: loud');
  await form.getByRole('combobox', { name: 'folder' }).selectOption({ index: 1 });
  await page.keyboard.press('Enter');
  await form.getByRole('status').getByText('Clap%3a loud.xar').waitFor();
  await form.getByText('which are not kept with it: sounds/a.wav.').waitFor();
  await accessible(page);
  await page.keyboard.press('Escape');
  await kind(library, 'Clap: loud').waitFor();
  assert.ok(existsSync(join(mine, 'Clap%3a loud.xar')));
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  assert.match(now(), /<Box name="Nod"/);
  // The command line has them, too.
  const added = spawnSync(process.env.BOXSTEP, ['edit', folder, 'add', 'root', 'Bow', '--boxes', named, '--dry-run'], { encoding: 'utf8' });
  assert.match(added.stdout, /\+.*<Box name="Bow"/);
  assert.equal(spawnSync(process.env.BOXSTEP, ['edit', folder, 'add', 'root', 'Nobody', '--dry-run']).status, 2);
  const none = spawnSync(process.env.BOXSTEP, ['edit', folder, 'add', 'root', 'Bow', '--boxes', join(named, 'none')], { encoding: 'utf8' });
  assert.equal(none.status, 2);
});

test('the gallery gives its pages the boxes of its folder', async (t) => {
  const folder = mkdtempSync(join(temp, 'gallery-'));
  cpSync(join(root, 'examples/hello'), join(folder, 'hello'), { recursive: true });
  mkdirSync(join(folder, 'boxes'));
  writeFileSync(join(folder, 'boxes/Shared.xar'), own('Shared'));
  const page = await opened(t, await started(t, 'open', folder, '--edit', '--no-browser'));
  const hello = page.getByRole('article', { name: 'hello', exact: true });
  await hello.getByRole('button', { name: 'play hello' }).click();
  const link = page.getByRole('link', { name: 'watch' });
  await link.waitFor();
  const run = await opened(t, await link.getAttribute('href'));
  await box(run, 'root/Wave').waitFor();
  const library = await region(run, 'Library');
  await kind(library, 'Shared').waitFor();
});
