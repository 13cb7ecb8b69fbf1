// Runs the tests (`npm test`, `npm test -- journeys`) and ends with one plain line: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesToTryAgain, slowestFiles, summarise, withSecondTry } from './test-summary.mjs';

const HELP = `hlid-tests: every test, and one plain line at the end: N passed, N failed

Usage: npm test -- [FILE OR FOLDER …] [OPTION OF VITEST …]

  --help, -h  this text
  --version   the version

Everything else goes to vitest, whose own options \`npx vitest run --help\` names.

All tests together print how far they are and what failed. A few files that failed and work with devices, programs or a
browser are then run once more; what passes only then is named. Tests that you choose print each file, and run once.

Examples:
  npm test
  npm test -- journeys
  npm test -- --project unit edge/src

Exit codes: 0 all passed; 1 a test failed or could not run.`;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [asked] = process.argv.slice(2);
if (asked === '--help' || asked === '-h' || asked === '--version') {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  console.log(asked === '--version' ? `hlid-tests/${version}` : HELP);
  process.exit(0);
}

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 2 ** 30;
// Files that a killed program leaves are the same in memory and on a disk. That it waits for the disk where
// it has to, tests/faults/power-order.test.ts shows by its system calls; all others need not wait thousands
// of times.
const folder = mkdtempSync(join(memoryHasRoom() ? MEMORY : tmpdir(), 'hlid-tests-'));

let vitest;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest?.kill(signal));
await runAll();

/** A file system in memory, from which programs may be run. */
function memoryHasRoom() {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8').match(
      new RegExp(`^tmpfs ${MEMORY} tmpfs (\\S*)`, 'm'),
    );
    const { bavail, bsize } = statfsSync(MEMORY);
    return mounted !== null && !mounted[1].split(',').includes('noexec') && bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

async function runAll() {
  const isWhole = asked === undefined;
  const first = await run('first', [
    `--reporter=${isWhole ? reporter('short-reporter') : 'default'}`,
    ...process.argv.slice(2),
  ]);
  let { report, code } = first;
  const remarks = [slowestFiles(report), first.trouble];
  const again = isWhole ? filesToTryAgain(report) : [];
  if (again.length > 0) {
    console.log(`Tried again, one at a time: ${again.join(', ')}`);
    const second = await run('second', ['--reporter=default', '--maxWorkers=1', ...again]);
    code = second.code;
    const both = withSecondTry(report, second.report);
    report = both.report;
    remarks.push(second.trouble, ...both.remarks);
  }
  const { line, ok, remarks: more } = summarise(report, code);
  try {
    // A program that still ends may put a file into a folder that is being removed.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  } catch (error) {
    console.error(`${folder} could not be removed: ${error.message}`);
  }
  for (const remark of [...remarks, ...more]) if (remark) console.error(remark);
  console.log(line);
  process.exitCode = ok ? 0 : code || 1;
}

/** Runs vitest once. */
function run(name, options) {
  const reportFile = join(folder, `${name}-report.json`);
  const fixed = ['run', '--config', 'tests/vitest.config.ts', `--reporter=${reporter('run-report')}`];
  vitest = spawn(
    process.execPath,
    [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ...fixed, ...options],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, TMPDIR: folder, HLID_TEST_REPORT: reportFile } },
  );
  return new Promise((resolve) => {
    const ended = (code, trouble) => resolve({ code, trouble, report: readReport(reportFile) });
    vitest.on('error', (error) => ended(null, `vitest could not be started: ${error.message}`));
    vitest.on('exit', (code, signal) => ended(code, code === null ? `vitest was ended by ${signal}` : null));
  });
}

function reporter(name) {
  return join(ROOT, 'tests', 'runner', `${name}.mjs`);
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
