import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  root: new URL('src', import.meta.url).pathname,
  base: '/pay/',
  resolve: {
    conditions: ['source', ...defaultClientConditions],
    // The modules of `protocol` define schemas beside what the page uses of them; the page checks by hand.
    alias: { zod: new URL('../../kiosk/ui/src/no-zod.ts', import.meta.url).pathname },
  },
  build: {
    outDir: new URL('dist-page', import.meta.url).pathname,
    emptyOutDir: true,
    // A picture inside the style sheet would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The code that both pages load is one file: many small ones compress worse.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
    },
    // Telephones of the last five years.
    target: ['chrome100', 'safari15.4', 'firefox100'],
  },
});
