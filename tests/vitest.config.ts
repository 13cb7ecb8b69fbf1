import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['source', 'node', 'import', 'default'] };
const ssr = { resolve: { conditions: ['source', 'node', 'import', 'default'] } };

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    // Both cores of a small machine: much of the time is spent waiting for programs and the disk.
    maxWorkers: 2,
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: ['{protocol,edge,cloud}/src/**/*.test.ts', 'tests/{stage,sim}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'screens',
          include: ['tests/screens/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
