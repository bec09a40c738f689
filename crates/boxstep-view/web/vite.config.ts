import { svelte } from '@sveltejs/vite-plugin-svelte';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** The licenses of all that is not ours in what is built, as they ask for. */
function licenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle() {
      const folders = new Set<string>();
      for (const id of this.getModuleIds()) {
        const inside = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\0', ''));
        if (inside) folders.add(inside[0]);
      }
      // Pages of a tablet load it from the robot.
      const jquery = join(import.meta.dirname, 'node_modules/jquery');
      folders.add(jquery);
      this.emitFile({ type: 'asset', fileName: 'jquery.js', source: readFileSync(join(jquery, 'dist/jquery.min.js'), 'utf8') });
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

// Names without hashes: the server has a table of them, and what is committed changes only where it does. `robot.js` has all of
// three.js and is loaded when somebody wants to see the robot.
export default defineConfig({
  plugins: [svelte(), licenses()],
  build: {
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: 'view.js', chunkFileNames: '[name].js', assetFileNames: 'view[extname]' },
    },
  },
});
