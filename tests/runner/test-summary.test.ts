import { describe, expect, it } from 'vitest';
import { filesToTryAgain, slowestFiles, summarise, type TestReport, withSecondTry } from './test-summary.mjs';

type State = TestReport['files'][number]['tests'][number]['state'];

/** A file with tests that ended like this. */
function file(name: string, states: State[], more: Partial<TestReport['files'][number]> = {}) {
  const tests = states.map((state, n) => ({
    name: `does ${n}`,
    state,
    problem: state === 'failed' ? 'no\nat all' : null,
  }));
  return { name, project: 'system', failed: states.includes('failed'), seconds: 1, tests, ...more };
}
const run = (...files: TestReport['files']): TestReport => ({ files, failedOutside: false });

describe('the last line of a test run', () => {
  it('counts', () => {
    expect(summarise(run(file('a', ['passed', 'passed']), file('b', ['passed'])), 0)).toEqual({
      line: '3 passed, 0 failed',
      ok: true,
      remarks: [],
    });
    const mixed = run(file('a', ['passed', 'failed', 'skipped']), file('b', ['failed', 'skipped']));
    expect(summarise(mixed, 1)).toMatchObject({ line: '1 passed, 2 failed, 2 skipped', ok: false });
  });

  it.each<[string, State[]]>([
    ['that cannot be loaded', []],
    ['whose set-up fails', ['skipped']],
  ])('counts a file %s as a failure', (_, states) => {
    const summary = summarise(run(file('a', ['passed']), file('b.test.ts', states, { failed: true })), 1);
    expect(summary).toMatchObject({ ok: false });
    expect(summary.line).toMatch(/^1 passed, 1 failed/);
    expect(summary.remarks.join()).toContain('b.test.ts');
  });

  it('does not report success after a crash, an error outside of tests or an empty run', () => {
    expect(summarise(null, null)).toMatchObject({ line: '0 passed, 1 failed', ok: false });
    expect(summarise(null, 0)).toMatchObject({ ok: false });
    const good = run(file('a', ['passed']));
    expect(summarise(good, 1)).toMatchObject({ line: '1 passed, 1 failed', ok: false });
    expect(summarise({ ...good, failedOutside: true }, 0)).toMatchObject({
      line: '1 passed, 1 failed',
      ok: false,
    });
    expect(summarise(run(), 0)).toMatchObject({ line: '0 passed, 0 failed', ok: false });
  });
});

describe('a second try', () => {
  const failing = (name: string, project: string) => file(name, ['passed', 'failed'], { project });

  it('is for files that work with devices, programs or a browser, or measure', () => {
    const names = ['sim', 'journeys', 'screens', 'packages'].map((folder) => `tests/${folder}/a.test.ts`);
    const files = [failing('protocol/a', 'measured'), ...names.map((name) => failing(name, 'system'))];
    expect(filesToTryAgain(run(...files, file('good', ['passed'])))).toEqual(['protocol/a', ...names]);
  });

  it.each([
    ['rules', run(failing('a', 'unit'))],
    ['faults', run(failing('tests/faults/a.test.ts', 'system'))],
    ['what would fail all the same', run(failing('a', 'unit'), failing('b', 'system'))],
    ['more than chance', run(...Array.from({ length: 6 }, (_, n) => failing(`${n}`, 'system')))],
    ['errors outside of tests', { ...run(failing('a', 'system')), failedOutside: true }],
    ['a run that broke off', null],
  ])('is not for %s', (_, report) => {
    expect(filesToTryAgain(report)).toEqual([]);
  });

  it('counts where it passes, and what failed before is named', () => {
    const first = run(file('a', ['passed']), failing('b', 'system'));
    const { report, remarks } = withSecondTry(first, run(file('b', ['passed', 'passed'])));
    expect(summarise(report, 0)).toMatchObject({ line: '3 passed, 0 failed', ok: true });
    expect(remarks).toEqual(['Passed only at the second try: b > does 1\n  at the first: no']);
  });

  it('does not help what fails again, or breaks off', () => {
    const first = run(file('a', ['passed']), failing('b', 'system'));
    const { report, remarks } = withSecondTry(first, run(file('b', ['failed', 'passed'])));
    expect(summarise(report, 1)).toMatchObject({ line: '2 passed, 1 failed', ok: false });
    expect(remarks).toEqual([]);
    expect(summarise(withSecondTry(first, null).report, null)).toMatchObject({
      line: '2 passed, 1 failed',
      ok: false,
    });
  });
});

describe('the slowest files of a test run', () => {
  const ran = (name: string, seconds: number) => file(name, ['passed'], { seconds });

  it('are ten at most, the slowest first', () => {
    const line = slowestFiles(run(...Array.from({ length: 12 }, (_, n) => ran(`/a/file-${n}.test.ts`, n))));
    expect(line).toMatch(/^Slowest files, in seconds: file-11 11, file-10 10, /);
    expect(line?.split(', file-')).toHaveLength(10);
  });

  it('are not named where there is nothing to compare', () => {
    expect(slowestFiles(null)).toBeNull();
    expect(slowestFiles(run(ran('/a/file.test.ts', 3)))).toBeNull();
  });
});
