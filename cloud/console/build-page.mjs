// Builds the console into `dist-page`, where it is older than its sources: `node cloud/console/build-page.mjs`.
import { build } from 'vite';
import { buildPage } from '../../protocol/node/build-page.mjs';

await buildPage({
  page: import.meta.url,
  what: 'the console',
  sources: ['src', 'vite.config.ts', 'package.json', '../../kiosk/ui'],
  build,
});
