// What the tests in a real browser have in common. Wants BOXSTEP (the program) and CHROMIUM (a browser); `cargo xtask view` gives both.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

const boxstep = process.env.BOXSTEP;
export const root = join(import.meta.dirname, '../../../..');
const shots = process.env.SHOTS;
export const temp = mkdtempSync(join(tmpdir(), 'boxstep-view-'));

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
});
after(async () => {
  await browser.close();
  rmSync(temp, { recursive: true });
});

/** By test: what is to be closed before the program ends, as a page that loses its server says so. */
const open = new WeakMap();

/** Starts the program and waits for the address of its page; it is ended with the test. */
export const started = async (t, ...args) => (await begun(t, ...args)).url;

/** The same, with all that it has said until then. */
export async function begun(t, ...args) {
  const program = spawn(boxstep, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const over = new Promise((done) => program.once('exit', done));
  t.after(async () => {
    await Promise.all((open.get(t) ?? []).map((context) => context.close()));
    program.kill('SIGINT');
    const hard = setTimeout(() => program.kill('SIGKILL'), 20_000);
    await over;
    clearTimeout(hard);
  });
  let said = '';
  const url = await new Promise((found, failed) => {
    program.stdout.on('data', (text) => {
      said += text;
      const address = said.match(/http:\/\/\S+/);
      if (address) found(address[0]);
    });
    void over.then((code) => failed(new Error(`${args.join(' ')} ended with ${code}:\n${said}`)));
  });
  return { url, said, program, over };
}

/** A page that must not have an error of its own, unless it `errs`; `first` is run in it before its own scripts. */
export async function opened(t, url, { first, hears, errs = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  open.set(t, [...(open.get(t) ?? []), context]);
  if (first) await context.addInitScript(first);
  const page = await context.newPage();
  if (hears) page.on('request', hears);
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(`${message.text()} ${message.location().url}`));
  t.after(async () => {
    await context.close();
    if (!errs) assert.deepEqual(errors, []);
  });
  await page.goto(url);
  // The address has its token no more once there is a cookie.
  await page.waitForURL((at) => !at.search);
  return page;
}

/** Asks the server of a page as a script does: with its token in a header. */
export function asked(url, path, { headers, ...options } = {}) {
  const { origin, searchParams } = new URL(url);
  return fetch(new URL(path, origin), { ...options, headers: { authorization: `Bearer ${searchParams.get('token')}`, ...headers } });
}

/** Runs the program to its end. */
export const ran = async (...args) => {
  const program = spawn(boxstep, args, { cwd: root, stdio: 'inherit' });
  const code = await new Promise((done) => program.once('exit', done));
  assert.equal(code, 0, args.join(' '));
};

/** Plays an example to its end in virtual time, and says where its trace is. */
export async function recorded(...args) {
  // A folder of its own, so that the page has the name of the example.
  const trace = join(mkdtempSync(join(temp, 'run-')), `${parse(args[0]).name}.jsonl`);
  const program = spawn(boxstep, ['play', ...args, '--virtual-time', '--quiet', '--trace', trace], { cwd: root, stdio: 'ignore' });
  await new Promise((done) => program.once('exit', done));
  return trace;
}

/** Shows a region of the page. */
export async function region(page, title) {
  const button = page.getByRole('toolbar', { name: 'regions' }).getByRole('button', { name: title, exact: true });
  // The page of a character arranges itself when it has read the file: it may show the region just before the button is pressed.
  for (let times = 0; times < 2 && (await button.getAttribute('aria-pressed')) !== 'true'; times++) await button.click();
  return page.getByRole('region', { name: title, exact: true });
}

/** Waits until the field with a label has a value. */
export const valued = (page, label, value) =>
  page.waitForFunction(([label, value]) => [...document.querySelectorAll('label')].some((one) => one.textContent.trim() === label && one.control?.value === value), [label, value]);

/** The script of what is chosen. */
export const scripts = (page) => page.getByRole('region', { name: 'Script', exact: true });
/** What is chosen. */
export const inspector = (page) => page.getByRole('region', { name: 'Inspector' });

/** Begins a run that was started with --paused. */
export const play = (page) => page.getByRole('button', { name: 'Play', exact: true }).click();

export const box = (page, path) => page.locator(`[data-box="${path}"]`);
export const shot = async (page, name) => shots && (await page.screenshot({ path: join(shots, `${name}.png`) }));


const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Checks that everybody can use the page, or a part of it. */
export async function accessible(page, part) {
  await page.evaluate(axe);
  const found = await page.evaluate((part) => window.axe.run(part ?? document), part);
  assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`), []);
}
