// Builds the lanes page into `dist-page`, where it is older than its sources: `node edge/page/build-page.mjs`.
import { build } from 'vite';
import { buildPage } from '../../protocol/node/build-page.mjs';

await buildPage({
  page: import.meta.url,
  what: 'the lanes page',
  sources: ['src', 'vite.config.ts', 'package.json'],
  build,
});
