import { basename } from 'node:path';

const SLOWEST = 10;

/**
 * Devices, programs and a browser over real sockets: a machine that stands still for a second is no defect, what fails
 * twice is one; so with what is measured. Rules and use cases (project `unit`) and `tests/faults` have no second try.
 */
const SECOND_TRY_PROJECTS = ['measured', 'system'];
const NO_SECOND_TRY = 'tests/faults/';
/** More failed files than these are no matter of chance. */
const SECOND_TRY_FILES = 5;

/** The files that took longest, in one line; null where one file ran, or none. */
export function slowestFiles(report) {
  const files = report?.files ?? [];
  if (files.length < 2) return null;
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const named = slowest.map(({ name, seconds }) => `${basename(name, '.test.ts')} ${seconds}`);
  return `Slowest files, in seconds: ${named.join(', ')}`;
}

/** The files to run once more, each again and with nothing beside it; empty if that would change nothing. */
export function filesToTryAgain(report) {
  if (report === null || report.failedOutside) return [];
  const failed = report.files.filter((file) => file.failed);
  const isChance = failed.length <= SECOND_TRY_FILES && failed.every(hasSecondTry);
  return isChance ? failed.map(({ name }) => name) : [];
}

function hasSecondTry({ name, project }) {
  return SECOND_TRY_PROJECTS.includes(project) && !name.startsWith(NO_SECOND_TRY);
}

/**
 * The result of both tries. A file that was tried again counts as it ended then; the remarks list what failed
 * before.
 */
export function withSecondTry(report, second) {
  const again = new Map((second?.files ?? []).map((file) => [file.name, file]));
  const remarks = report.files
    .filter(({ name }) => again.get(name)?.failed === false)
    .flatMap(({ name, tests }) =>
      tests
        .filter(({ state }) => state === 'failed')
        .map(
          (test) =>
            `Passed only at the second try: ${name} > ${test.name}\n  at the first: ${firstLine(test.problem)}`,
        ),
    );
  const files = report.files.map((file) => again.get(file.name) ?? file);
  return { report: { files, failedOutside: second === null || second.failedOutside }, remarks };
}

/**
 * The last line of a test run, from its report (null where there is none) and the exit code of vitest. A
 * fault outside of any test counts as one failed test, so that a broken run is not read as a good one.
 */
export function summarise(report, exitCode) {
  const remarks = [];
  const files = report?.files ?? [];
  const count = (state) => files.flatMap(({ tests }) => tests).filter((test) => test.state === state).length;
  const passed = count('passed');
  let failed = count('failed');
  const skipped = count('skipped') + count('pending');

  // A file that fails before its first test leaves no failed test.
  const broken = files.filter((file) => file.failed && !file.tests.some(({ state }) => state === 'failed'));
  for (const file of broken) remarks.push(`${file.name} failed outside of its tests.`);
  failed += broken.length;

  if (report === null) remarks.push('vitest ended without a report.');
  else if (passed + failed === 0) remarks.push('No test ran.');
  if (failed === 0 && (exitCode !== 0 || report?.failedOutside)) {
    failed = 1;
    if (report !== null) remarks.push('Something failed outside of the tests; it stands above.');
  }
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return { line, ok: exitCode === 0 && failed === 0 && passed > 0, remarks };
}

function firstLine(text) {
  return text?.split('\n', 1)[0] ?? 'unknown';
}
