import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  root: new URL('src/renderer', import.meta.url).pathname,
  // The same files are served at `/kiosk/` of the edge and at the root of the shell's own protocol.
  base: './',
  plugins: [react()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    outDir: new URL('dist-page', import.meta.url).pathname,
    emptyOutDir: true,
    // A picture inside the style sheet would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'chrome120',
  },
});
