import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run console` serves the page with hot reload, and sends its calls to this cloud. */
const cloud = process.env['HLID_CONSOLE_CLOUD'] || 'http://localhost:8080';

function folder(path: string): string {
  return new URL(path, import.meta.url).pathname;
}

export default defineConfig({
  root: folder('src'),
  base: '/console/',
  plugins: [react()],
  resolve: {
    alias: [
      // The workspaces resolve to their sources, without a build. The condition `source` would take those of
      // React Aria too.
      { find: /^@hlid\/protocol\/(.*)$/, replacement: `${folder('../../protocol/src')}/$1.ts` },
      { find: /^@hlid\/ui\/(.*)$/, replacement: `${folder('../../kiosk/ui/src')}/$1` },
      // The modules of `protocol` define schemas beside what the page uses of them; the cloud checks what the page sends.
      { find: 'zod', replacement: folder('../../kiosk/ui/src/no-zod.ts') },
    ],
  },
  server: {
    // Passkeys need a name.
    host: 'localhost',
    proxy: { '^/(?!console(?:/|$))': { target: cloud } },
  },
  build: {
    outDir: folder('dist-page'),
    emptyOutDir: true,
    manifest: true,
    // A picture inside the style sheet would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome120', 'safari17', 'firefox120'],
  },
});
