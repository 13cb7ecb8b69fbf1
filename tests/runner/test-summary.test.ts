import { describe, expect, it } from 'vitest';
import { slowestFiles, summarise } from './test-summary.mjs';

describe('the last line of a test run', () => {
  it('counts', () => {
    expect(summarise({ numPassedTests: 12, numFailedTests: 0 }, 0)).toMatchObject({
      line: '12 passed, 0 failed',
      ok: true,
    });
    expect(summarise({ numPassedTests: 12, numFailedTests: 2, numPendingTests: 3 }, 1)).toMatchObject({
      line: '12 passed, 2 failed, 3 skipped',
      ok: false,
    });
  });

  it('counts a file that cannot be loaded as a failure', () => {
    const testResults = [{ name: 'a.test.ts', status: 'failed', assertionResults: [] }];
    const summary = summarise({ numPassedTests: 5, numFailedTests: 0, testResults }, 1);
    expect(summary).toMatchObject({ line: '5 passed, 1 failed', ok: false });
    expect(summary.remarks.join()).toContain('a.test.ts');
  });

  it('does not report success after a crash, an error outside of tests or an empty run', () => {
    expect(summarise(null, null)).toMatchObject({ line: '0 passed, 1 failed', ok: false });
    expect(summarise(null, 0)).toMatchObject({ ok: false });
    expect(summarise({ numPassedTests: 5, numFailedTests: 0 }, 1)).toMatchObject({
      line: '5 passed, 1 failed',
      ok: false,
    });
    expect(summarise({ numPassedTests: 0, numFailedTests: 0 }, 0)).toMatchObject({
      line: '0 passed, 0 failed',
      ok: false,
    });
  });
});

describe('the slowest files of a test run', () => {
  const ran = (name: string, seconds: number) => ({
    name,
    status: 'passed',
    startTime: 5000,
    endTime: 5000 + seconds * 1000,
  });

  it('are ten at most, the slowest first', () => {
    const testResults = Array.from({ length: 12 }, (_, n) => ran(`/a/file-${n}.test.ts`, n));
    const line = slowestFiles({ testResults });
    expect(line).toMatch(/^Slowest files, in seconds: file-11 11, file-10 10, /);
    expect(line?.split(', file-')).toHaveLength(10);
  });

  it('are not named where there is nothing to compare', () => {
    expect(slowestFiles(null)).toBeNull();
    expect(slowestFiles({ testResults: [ran('/a/file.test.ts', 3)] })).toBeNull();
  });
});
