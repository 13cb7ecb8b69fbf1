import { defineConfig } from 'vitest/config';
import { LongestFirst } from './runner/longest-first.ts';
import { slownessOfRun } from './runner/slowness.ts';

// Vite adds `import` and `require` itself; named here, Node.js would get modules where others require them.
const resolve = { conditions: ['source', 'node'] };
const ssr = { resolve };

const slowness = slownessOfRun();

/** A test's own limit ends only what hangs: each wait in a test has a shorter deadline. */
const patience = {
  testTimeout: 300_000 * slowness,
  hookTimeout: 300_000 * slowness,
  expect: { poll: { timeout: 10_000 * slowness, interval: 15 } },
};

/** One process runs many files: loading the same modules again for each was up to half of the time. */
const inOneProcess = {
  isolate: false,
  setupFiles: ['tests/harness/real-response.ts'],
  // Objects of a test are soon garbage: in a large space for new objects, the collector runs less often.
  execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
};

/** They compare the cost of work of two sizes: what ran before them in the same process would be counted too. */
const MEASURED = [
  'edge/src/onvif/onvif-bytes.test.ts',
  'protocol/src/camera/camera-formats.test.ts',
  'protocol/src/records/passage.test.ts',
  'protocol/src/tariff/price-visit.test.ts',
  'protocol/src/tariff/price-tariff.test.ts',
];

/** The setup of tests that start cloud and edge as programs, or a thread of theirs. */
const BUNDLE_PROGRAMS = ['tests/harness/bundle-programs.ts'];

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    // One more than the cores of a small machine: much of the time is spent waiting for programs and the disk.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        ssr,
        test: {
          ...patience,
          name: 'unit',
          globalSetup: BUNDLE_PROGRAMS,
          include: [
            '{protocol,protocol/node,edge,cloud,cloud/console,cloud/pay-page,kiosk,kiosk/ui}/src/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**', ...MEASURED],
          ...inOneProcess,
        },
      },
      {
        resolve,
        ssr,
        test: { ...patience, name: 'measured', include: MEASURED },
      },
      {
        resolve,
        ssr,
        test: {
          ...patience,
          // All of them use the cloud and the edge: in projects of their own, each process would load both again.
          name: 'system',
          globalSetup: BUNDLE_PROGRAMS,
          include: ['tests/**/*.test.ts'],
          ...inOneProcess,
        },
      },
    ],
  },
});
