import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['source', 'node', 'import', 'default'] };
const ssr = { resolve: { conditions: ['source', 'node', 'import', 'default'] } };

/**
 * Devices, programs and a browser over real sockets: a machine that stands still for a second is no defect, what fails
 * twice is one. Rules and use cases (`unit`) have no second try.
 */
const ONCE_MORE = 1;

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
          include: ['{protocol,edge,cloud}/src/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'sim',
          include: ['tests/{stage,sim}/**/*.test.ts'],
          testTimeout: 20_000,
          retry: ONCE_MORE,
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
          retry: ONCE_MORE,
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
          retry: ONCE_MORE,
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
