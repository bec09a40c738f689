import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Names without hashes: the server has a table of them, and what is committed changes only where it does.
export default defineConfig({
  plugins: [svelte()],
  build: {
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: 'view.js', chunkFileNames: '[name].js', assetFileNames: 'view[extname]', codeSplitting: false },
    },
  },
});
