// Builds the extension into `dist`: its own code, and the page of `cargo xtask offline`, which it shows.

import { build } from 'esbuild';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const page = process.env.BOXSTEP_OFFLINE ?? join(here, '../../target/offline/page');

rmSync(join(here, 'dist'), { recursive: true, force: true });
mkdirSync(join(here, 'dist/page'), { recursive: true });
for (const name of ['drawing.css', 'offline.css', 'offline.js', 'editor.js', 'robot.js', 'Library.js', 'boxstep.wasm', 'licenses.txt']) {
  copyFileSync(join(page, name), join(here, 'dist/page', name));
}
for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(join(here, '../..', name), join(here, 'dist', name));
await build({
  entryPoints: [join(here, 'src/extension.ts')],
  outfile: join(here, 'dist/extension.js'),
  bundle: true,
  format: 'cjs',
  // Also in VS Code in a browser, where there is no Node.js.
  platform: 'browser',
  target: 'es2022',
  external: ['vscode'],
  minify: true,
});
