// Builds the gallery into a folder: `node kiosk/ui/gallery/build.mjs FOLDER`.
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions } from 'vite';

// A test's own would put React's development build into the page.
process.env.NODE_ENV = 'production';
await build({
  configFile: false,
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  logLevel: 'error',
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: { outDir: process.argv[2], emptyOutDir: true, assetsInlineLimit: 0, target: 'chrome120' },
});
