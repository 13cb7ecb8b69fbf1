import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

function file(path: string): string {
  return new URL(path, import.meta.url).pathname;
}

export default defineConfig({
  root: file('src'),
  plugins: [react()],
  resolve: {
    conditions: ['source', ...defaultClientConditions],
    // The modules of `protocol` define schemas beside what the page uses of them; the edge checks what the page sends.
    alias: { zod: file('../../kiosk/ui/src/no-zod.ts') },
  },
  build: {
    outDir: file('dist-page'),
    emptyOutDir: true,
    // A picture inside the style sheet would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { index: file('src/index.html'), display: file('src/display.html') } },
    target: ['chrome120', 'safari17', 'firefox120'],
  },
});
