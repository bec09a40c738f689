// A project is changed in the page of its folder: what would change is seen first, is done, and is undone.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, asked, opened, root, shot, started, temp } from './helpers.mjs';

const EMPTY = readFileSync(join(root, 'examples/hello/behavior.xar'), 'utf8');
const PML = `<?xml version="1.0" encoding="UTF-8" ?>
<Package name="app" format_version="4">
    <Manifest src="manifest.xml" />
    <BehaviorDescriptions>
        <BehaviorDescription name="behavior" src="first" xar="behavior.xar" />
        <BehaviorDescription name="behavior" src="second" xar="behavior.xar" />
    </BehaviorDescriptions>
    <Dialogs />
    <Resources />
    <Topics />
    <IgnoredPaths />
</Package>
`;
const MANIFEST = `<?xml version='1.0' encoding='UTF-8'?>
<package version="0.0.1" uuid="app-d3b1">
 <names>
  <name lang="en_US">App</name>
 </names>
 <contents>
  <behaviorContent path="first"/>
  <behaviorContent path="second"/>
 </contents>
</package>
`;

/** A folder with a project, and its page. */
async function gallery(t, ...more) {
  const folder = mkdtempSync(join(temp, 'project-'));
  const app = join(folder, 'app');
  for (const name of ['first', 'second']) cpSync(join(root, 'examples/hello'), join(app, name), { recursive: true });
  const files = { 'app.pml': PML, 'manifest.xml': MANIFEST, 'start.py': "manager.runBehavior('app/first')\n", 'notes.txt': 'notes\n' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(app, name), text);
  const url = await started(t, 'open', folder, '--no-browser', ...more);
  const page = await opened(t, url);
  return { page, url, app, now: (name) => readFileSync(join(app, name), 'utf8') };
}
const panel = (page) => page.getByRole('region', { name: 'project app' });
async function open(page) {
  await page.getByRole('button', { name: /^project of .*first/ }).click();
  await panel(page).getByText('second', { exact: true }).waitFor();
  return panel(page);
}
const plan = (of) => of.getByRole('group', { name: 'what would change' });

test('a behavior is renamed: all files are seen first, scripts that name it are listed, and undo gives all back', async (t) => {
  const { page, app, now } = await gallery(t, '--edit');
  const project = await open(page);
  await accessible(page);
  await project.getByRole('button', { name: 'rename first' }).click();
  await page.keyboard.type('hello');
  await page.keyboard.press('Enter');
  await plan(project).getByText(/rename first to hello/).waitFor();
  await plan(project).getByText('changed: app.pml').click();
  await plan(project).getByText(/\+.*src="hello"/).waitFor();
  await plan(project).getByText('start.py, line 1').waitFor();
  await shot(page, 'project');
  await accessible(page);
  assert.equal(now('app.pml'), PML, 'nothing is written yet');
  await plan(project).getByRole('button', { name: 'Do it' }).click();
  await project.getByText('Done: rename first to hello.').waitFor();
  assert.ok(existsSync(join(app, 'hello/behavior.xar')) && !existsSync(join(app, 'first')));
  assert.ok(now('manifest.xml').includes('path="hello"'));
  assert.ok(now('start.py').includes('app/first'), 'scripts stay as they are');
  await page.getByRole('article', { name: /hello/ }).first().waitFor();
  await project.getByRole('button', { name: 'Undo the last change' }).click();
  await project.getByText('The last change is undone.').waitFor();
  assert.deepEqual([now('app.pml'), now('manifest.xml'), now('first/behavior.xar')], [PML, MANIFEST, EMPTY]);
});

test('behaviors, dialogs, files and the package are changed with the keyboard', async (t) => {
  const { page, app, now } = await gallery(t, '--edit');
  const project = await open(page);
  /** Fills a form and agrees. */
  const does = async (words) => {
    await plan(project).getByText(words).waitFor();
    // What is agreed to has the keyboard.
    await page.keyboard.press('Enter');
    await project.getByText(`Done: ${words}.`).waitFor();
  };
  await project.getByLabel('name of a new behavior').fill('wave');
  await page.keyboard.press('Enter');
  await does('add the behavior wave');
  assert.ok(existsSync(join(app, 'wave/behavior.xar')));
  await project.getByLabel('name of a new dialog').fill('talk');
  await page.keyboard.press('Enter');
  await does('add the dialog talk');
  await project.getByLabel('add a language to talk').selectOption('French');
  await does('add French to talk');
  await project.getByText('English, French').waitFor();
  await project.getByLabel('list a file').selectOption('notes.txt');
  await does('list notes.txt');
  assert.ok(now('app.pml').includes('src="notes.txt"'));
  await project.getByLabel('version').fill('1.2.0');
  await project.getByLabel('name, English').fill('My app');
  await page.keyboard.press('Enter');
  await does('change what the package says');
  assert.ok(now('manifest.xml').includes('version="1.2.0"') && now('manifest.xml').includes('My app'));
  await project.getByRole('button', { name: 'remove talk' }).click();
  await does('remove the dialog talk');
  await project.getByRole('button', { name: 'remove wave' }).click();
  await plan(project).getByRole('button', { name: 'Cancel' }).click();
  assert.ok(existsSync(join(app, 'wave/behavior.xar')));
  // What makes no sense is refused in words.
  await project.getByLabel('name of a new behavior').fill('second');
  await page.keyboard.press('Enter');
  await project.getByRole('alert').getByText('second').waitFor();
  await accessible(page);
  await page.keyboard.press('Escape');
  await project.waitFor({ state: 'hidden' });
});

test('only the projects of the folder are changed, and only with --edit', async (t) => {
  const { page, url } = await gallery(t);
  await page.getByRole('article').first().waitFor();
  assert.equal(await page.getByRole('button', { name: /^project of/ }).count(), 0);
  assert.equal((await asked(url, '/project?of=app')).status, 403);
  const edited = await gallery(t, '--edit');
  await edited.page.getByRole('button', { name: /^project of/ }).first().waitFor();
  for (const of of ['..', '/', 'app/first', 'other']) {
    const answer = await asked(edited.url, `/project?of=${encodeURIComponent(of)}`);
    assert.match((await answer.json()).refused, /is no project of this folder/);
  }
});
