import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** The licenses of all that is not ours in what is built, as they ask for. */
function licenses(jquery: boolean): Plugin {
  return {
    name: 'licenses',
    generateBundle() {
      const folders = new Set<string>();
      for (const id of this.getModuleIds()) {
        const inside = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\0', ''));
        if (inside) folders.add(inside[0]);
      }
      // Pages of a tablet load it from the robot.
      const folder = join(import.meta.dirname, 'node_modules/jquery');
      if (jquery) {
        folders.add(folder);
        this.emitFile({ type: 'asset', fileName: 'jquery.js', source: readFileSync(join(folder, 'dist/jquery.min.js'), 'utf8') });
      }
      const texts = [...folders].sort().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
        const file = existsSync(folder) && readdirSync(folder).find((one) => /^licen[sc]e/i.test(one));
        if (!file) throw new Error(`${name} has no license file`);
        return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
      });
      const source = `The page of Boxstep contains these, each with its own license:\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source });
    },
  };
}

/** All in one file, which needs no server: page, scripts, styles and the module of the crate boxstep-wasm. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const [folder, text] = [process.env.BOXSTEP_OFFLINE ?? '', (name: string) => ((one) => (one?.type === 'chunk' ? one.code : String(one?.source ?? '')))(bundle[name])];
      const script = text('offline.js').replaceAll('</script', '<\\/script');
      const styles = readFileSync(join(folder, 'drawing.css'), 'utf8') + text('offline.css');
      const wasm = readFileSync(join(folder, 'boxstep.wasm')).toString('base64');
      const hash = createHash('sha256').update(script).digest('base64');
      const page = text('offline.html')
        .replace(/\s*<script type="module".*<\/script>/, '')
        .replaceAll(/\s*<link rel="stylesheet".*>/g, '')
        .replace("script-src 'self'", `script-src 'sha256-${hash}'`)
        .replace("connect-src 'self'", "connect-src 'none'")
        .replace('</head>', () => `<style>${styles}</style></head>`)
        .replace('</body>', () => `<script type="text/plain" id="boxstep-wasm">${wasm}</script>\n<script>${script}</script></body>`);
      for (const name of Object.keys(bundle)) delete bundle[name];
      this.emitFile({ type: 'asset', fileName: 'boxstep.html', source: page });
    },
  };
}

// Names without hashes: the server has a table of them, and what is committed changes only where it does. `robot.js` has all of
// three.js and is loaded when somebody wants to see the robot.
const served: UserConfig = {
  plugins: [svelte(), licenses(true)],
  build: {
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: 'view.js', chunkFileNames: '[name].js', assetFileNames: 'view[extname]' },
    },
  },
};

// The page without a program (`cargo xtask offline`): any server of files can have it, in any folder. `one` is all in one script.
const offline = (one: boolean): UserConfig => ({
  base: './',
  plugins: [svelte(), licenses(false), ...(one ? [oneFile()] : [])],
  define: one ? { 'import.meta': '{}' } : {},
  build: {
    ...served.build,
    rollupOptions: {
      input: join(import.meta.dirname, 'offline.html'),
      output: { entryFileNames: 'offline.js', chunkFileNames: '[name].js', assetFileNames: 'offline[extname]', ...(one && { format: 'iife' as const, codeSplitting: false }) },
    },
  },
});

export default defineConfig(({ mode }) => (mode === 'offline' ? offline(false) : mode === 'offline-one' ? offline(true) : served));
