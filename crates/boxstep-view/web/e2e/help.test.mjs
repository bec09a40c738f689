// What is offered while a script is written, and told of what stands in it.

import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, asked, box, inspector, opened, shot, started, temp } from './helpers.mjs';

/** A behavior whose one box has this script. */
function scripted(script) {
  const folder = mkdtempSync(join(temp, 'help-'));
  const ports =
    '<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="Starts." id="2"/><Input name="words" type="3" type_size="1" nature="1" inner="0" tooltip="" id="3"/>' +
    '<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/><Output name="heard" type="3" type_size="1" nature="2" inner="0" tooltip="What was heard." id="5"/>' +
    '<Parameter name="Loud voice" inherits_from_parent="0" content_type="1" value="30" default_value="30" min="0" max="100" id="6" tooltip="In percent."/>';
  writeFileSync(
    join(folder, 'behavior.xar'),
    `<?xml version="1.0" encoding="UTF-8" ?><ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3"><Box name="root" id="-1" localization="8" tooltip="" x="0" y="0"><Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/><Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram><Box name="Talk" id="1" localization="8" tooltip="" x="180" y="40"><script language="4"><content><![CDATA[${script}]]></content></script>${ports}</Box></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>`,
  );
  return join(folder, 'behavior.xar');
}

const SCRIPT = `class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onLoad(self):
        self.tts = ALProxy('ALTextToSpeech')
        self.memory = self.session().service("ALMemory")

    def onInput_onStart(self):
        motion = ALProxy("ALMotion")
        self.tts.say("hello")
        pass
`;

const text = (page) => page.getByRole('textbox', { name: 'script' });
const list = (page) => page.getByRole('listbox', { name: 'Completions' });
const offered = (page, name) => list(page).getByRole('option').filter({ has: page.locator('.cm-completionLabel').getByText(name, { exact: true }) });
const told = (page) => page.locator('.cm-doc:not(.cm-completionInfo *)');

async function writing(t, script = SCRIPT, options = {}) {
  const page = await opened(t, await started(t, 'play', scripted(script), '--view', '--edit', '--paused', '--scripts', 'off'), options);
  await box(page, 'root/Talk').click();
  const helped = page.waitForResponse((answer) => answer.url().endsWith('/script-help'));
  await inspector(page).getByRole('button', { name: 'Script', exact: true }).click();
  await helped;
  await text(page).waitFor();
  return page;
}
/** Puts the cursor at the end of the line `pass`, and writes over that. */
async function write(page, words) {
  await text(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  for (let at = 0; at < 4; at++) await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.type(words);
}
/** Takes the one that is marked. A list that has just come takes no key, so that nobody takes what was not seen: it has to be there for 75 ms. */
async function take(page, key, name) {
  await offered(page, name).waitFor();
  await page.evaluate(() => new Promise((done) => {
    let from;
    const look = () => {
      // Nor does one that is about to change.
      from = document.querySelector('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)') ? (from ?? performance.now()) : undefined;
      if (performance.now() - from > 75) done();
      else requestAnimationFrame(look);
    };
    look();
  }));
  await page.keyboard.press(key);
}
/** Axe knows a list that the keyboard scrolls from its text field only where that is a combobox, which a text of many lines is not. */
const EXCEPT = { exclude: ['.cm-tooltip-autocomplete > ul'] };
const line = (page, words) => page.locator('.cm-line').getByText(words, { exact: true }).waitFor();

test('the box is completed: outputs, parameters, what the engine calls', async (t) => {
  const page = await writing(t);
  await write(page, 'self.he');
  await offered(page, 'heard').waitFor();
  await page.locator('.cm-completionInfo').getByText('What was heard.').waitFor();
  await take(page, 'Enter', 'heard');
  await line(page, 'self.heard()');
  await told(page).filter({ hasText: 'heard(value)' }).waitFor();
  await shot(page, 'help-output');
  // Escape closes what is open, one after the other, and leaves the script where it is.
  await page.keyboard.press('Escape');
  await told(page).waitFor({ state: 'detached' });
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('x = self.getPar');
  await take(page, 'Tab', 'getParameter');
  await page.keyboard.type('"');
  await offered(page, 'Loud voice').waitFor();
  await page.keyboard.press('Escape');
  await list(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Space');
  await take(page, 'Enter', 'Loud voice');
  await line(page, 'x = self.getParameter("Loud voice")');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('def on');
  await offered(page, 'onInput_words').waitFor();
  // That of the script itself is a name like any other.
  assert.equal(await offered(page, 'onInput_onStart').filter({ has: page.locator('.cm-completionIcon-method') }).count(), 0, 'it is there');
  await page.keyboard.type('Input_w');
  await take(page, 'Enter', 'onInput_words');
  await line(page, 'def onInput_words(self, p):');
  assert.equal(await box(page, 'root/Talk').count(), 1);
});

test('services, their methods and the keys of memory are completed, in quotes of both kinds', async (t) => {
  const page = await writing(t);
  await write(page, "leds = ALProxy('ALLe");
  await take(page, 'Enter', 'ALLeds');
  await line(page, "leds = ALProxy('ALLeds')");
  await page.keyboard.press('End');
  for (const [words, wanted, other] of [
    ['leds.fadeR', 'fadeRGB', 'say'],
    ['motion.moveT', 'moveTo', 'fadeRGB'],
    ['self.tts.sa', 'say', 'moveTo'],
    ['self.tts.post.sa', 'say', 'moveTo'],
    ['ALProxy("ALRobotPosture").goTo', 'goToPosture', 'say'],
    ['self.getTimeline().setF', 'setFPS', 'say'],
    ['self.logger.war', 'warning', 'say'],
    ['self.memory.subscriber("x").signal.conn', 'connect', 'say'],
    ['ALMemory.raiseE', 'raiseEvent', 'say'],
    ['qi.async(self.onLoad).addC', 'addCallback', 'say'],
  ]) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(words);
    await offered(page, wanted).waitFor();
    assert.equal(await offered(page, other).count(), 0, words);
    await page.keyboard.press('Escape');
    await list(page).waitFor({ state: 'detached' });
  }
  await page.keyboard.press('Enter');
  await page.keyboard.type('self.memory.getData("FrontTac');
  await take(page, 'Enter', 'FrontTactilTouched');
  await line(page, 'self.memory.getData("FrontTactilTouched")');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  // A proxy that nobody knows has no members, and a text that names nothing is no list.
  await page.keyboard.type('x = ALProxy("ALNobody")');
  await page.keyboard.press('Enter');
  await page.keyboard.type('x.');
  await page.keyboard.press('Control+Space');
  await page.keyboard.type('y = "AL');
  assert.equal(await list(page).count(), 0);
});

for (const [scheme, size] of [['light', [1280, 800]], ['dark', [1280, 800]], ['dark', [390, 800]]]) {
  test(`a list, a signature and a hover are in sight and readable, ${scheme}, ${size[0]} wide`, async (t) => {
    const page = await writing(t, SCRIPT, { colorScheme: scheme, viewport: { width: size[0], height: size[1] } });
    const within = async (what) => {
      const { x, y, width, height } = await what.boundingBox();
      assert.ok(x >= 0 && x + width <= size[0] + 1 && y >= 0 && y + height <= size[1] + 1, `${x} ${y} ${width} ${height}`);
    };
    await write(page, 'self.tts.');
    await offered(page, 'say').waitFor();
    await page.locator('.cm-completionInfo').waitFor();
    await within(list(page));
    await within(page.locator('.cm-completionInfo'));
    await accessible(page, EXCEPT);
    await shot(page, `help-list-${scheme}-${size[0]}`);
    await page.keyboard.type('setParam');
    await take(page, 'Enter', 'setParameter');
    await told(page).locator('strong').getByText('str', { exact: true }).waitFor();
    await page.keyboard.type('"pitch", 1');
    await told(page).locator('strong').getByText('float', { exact: true }).waitFor();
    await within(told(page));
    await accessible(page, EXCEPT);
    await shot(page, `help-call-${scheme}-${size[0]}`);
    await page.keyboard.press('Escape');
    await told(page).waitFor({ state: 'detached' });
    await page.locator('.cm-line').filter({ hasText: 'self.tts.say' }).getByText('say', { exact: false }).first().scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => {
      const line = [...document.querySelectorAll('.cm-line')].find((one) => one.textContent.includes('tts.say'));
      const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let at; (at = walk.nextNode()); ) {
        const from = at.textContent.indexOf('say');
        if (from < 0) continue;
        const range = document.createRange();
        range.setStart(at, from);
        range.setEnd(at, from + 3);
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      }
    });
    await page.mouse.move(place.x - 2, place.y);
    await page.mouse.move(place.x, place.y);
    await told(page).getByText('ALTextToSpeech.say(str)', { exact: true }).waitFor();
    await told(page).getByText('simulated; types as of NAOqi 2.5').waitFor();
    await within(told(page));
    await accessible(page, EXCEPT);
    await shot(page, `help-hover-${scheme}-${size[0]}`);
  });
}

test('a renamed output is completed at once, and the box stays open as its list closes', async (t) => {
  const page = await writing(t);
  await inspector(page).getByRole('button', { name: 'change output heard' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('name').fill('understood');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await inspector(page).getByRole('button', { name: 'change output understood' }).waitFor();
  await write(page, 'self.und');
  await offered(page, 'understood').waitFor();
  await page.keyboard.press('Escape');
  await list(page).waitFor({ state: 'detached' });
  await line(page, 'self.und');
  assert.equal(await text(page).evaluate((one) => one === document.activeElement), true);
});

test('what is told by pointer is told by keyboard, also where nothing can be written', async (t) => {
  const page = await opened(t, await started(t, 'play', scripted(SCRIPT), '--view', '--paused', '--scripts', 'off'));
  await box(page, 'root/Talk').click();
  const helped = page.waitForResponse((answer) => answer.url().endsWith('/script-help'));
  await inspector(page).getByRole('button', { name: 'Script', exact: true }).click();
  await helped;
  await text(page).focus();
  await page.keyboard.press('Control+Home');
  for (let at = 0; at < 5; at++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  for (let at = 0; at < 4; at++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Shift+Space');
  await told(page).getByText(/methods simulated/).waitFor();
  await page.keyboard.press('Escape');
  await told(page).waitFor({ state: 'detached' });
});

test('the tables are told only to who has the token', async (t) => {
  const url = await started(t, 'play', scripted(SCRIPT), '--view', '--paused', '--scripts', 'off');
  const answer = await asked(url, '/script-help');
  assert.equal(answer.status, 200);
  const again = await asked(url, '/script-help', { headers: { 'if-none-match': answer.headers.get('etag') } });
  assert.equal(again.status, 304);
  assert.equal((await fetch(new URL('/script-help', new URL(url).origin))).status, 401);
});
