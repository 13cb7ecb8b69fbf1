import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['source', 'node', 'import', 'default'] };
const ssr = { resolve: { conditions: ['source', 'node', 'import', 'default'] } };

/**
 * Devices, programs and a browser over real sockets: a machine that stands still for a second is no defect, what fails
 * twice is one. Rules and use cases (`unit`) have no second try.
 */
const ONCE_MORE = 1;

/** They count what a parser costs: what ran before them in the same process would be counted too. */
const MEASURED = ['edge/src/onvif/onvif-bytes.test.ts', 'protocol/src/camera/camera-formats.test.ts'];

/** For tests that start cloud and edge as programs. */
const BUILD_PROGRAMS = ['tests/stage/build-programs.ts'];

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
          include: ['{protocol,edge,cloud,kiosk}/src/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**', ...MEASURED],
          // One process for many files: loading the same modules anew for each was half of the time.
          isolate: false,
          // A deadline for what hangs: on a busy machine the time of a test says nothing.
          testTimeout: 20_000,
        },
      },
      {
        resolve,
        ssr,
        test: { name: 'measured', include: MEASURED, testTimeout: 20_000 },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'sim',
          globalSetup: BUILD_PROGRAMS,
          include: ['tests/{stage,sim}/**/*.test.ts', 'tests/bench/*.test.ts'],
          testTimeout: 20_000,
          retry: ONCE_MORE,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'journeys',
          globalSetup: BUILD_PROGRAMS,
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
          globalSetup: BUILD_PROGRAMS,
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
          globalSetup: BUILD_PROGRAMS,
          include: ['tests/faults/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 60_000,
          // Much of it is waiting for programs that start anew; so after the others, and more at a time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
