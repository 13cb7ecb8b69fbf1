// Builds the kiosk's page into `dist-page`, where it is older than its sources: `node kiosk/build-page.mjs`.
import { build } from 'vite';
import { buildPage } from '../protocol/node/build-page.mjs';

await buildPage({
  page: import.meta.url,
  what: "the kiosk's page",
  sources: ['src/renderer', 'vite.config.ts', 'package.json'],
  build,
});
