import { basename } from 'node:path';

const SLOWEST = 10;

/** The files that took longest, in one line; null where one file ran, or none. */
export function slowestFiles(report) {
  const files = (report?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    name: basename(name, '.test.ts'),
    seconds: Math.round((endTime - startTime) / 1000),
  }));
  if (files.length < 2) return null;
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  return `Slowest files, in seconds: ${slowest.map(({ name, seconds }) => `${name} ${seconds}`).join(', ')}`;
}

/**
 * The last line of a test run, from vitest's JSON report (null where it wrote none) and its exit code. What went wrong
 * outside of any test counts as one failed test, so that nobody reads a broken run as a good one.
 */
export function summarise(report, exitCode) {
  const remarks = [];
  const passed = report?.numPassedTests ?? 0;
  let failed = report?.numFailedTests ?? 0;
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);

  // A file that could not be read has no tests of its own that could fail.
  const broken = (report?.testResults ?? []).filter(
    (file) => file.status === 'failed' && (file.assertionResults?.length ?? 0) === 0,
  );
  for (const file of broken) remarks.push(`No test of ${file.name} could run.`);
  failed += broken.length;

  if (report === null) remarks.push('vitest ended without a report.');
  else if (passed + failed === 0) remarks.push('No test ran.');
  if (failed === 0 && exitCode !== 0) {
    failed = 1;
    if (report !== null) remarks.push('Something failed outside of the tests; it stands above.');
  }
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return { line, ok: exitCode === 0 && failed === 0 && passed > 0, remarks };
}
