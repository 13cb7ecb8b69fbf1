// Runs the tests (`npm test`, `npm test -- journeys`) and ends with one plain line: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slowestFiles, summarise } from './test-summary.mjs';

const HELP = `hlid-tests: every test, and one plain line at the end: N passed, N failed

Usage: npm test -- [FILE OR FOLDER …] [OPTION OF VITEST …]

  --help, -h  this text
  --version   the version

Everything else goes to vitest, whose own options \`npx vitest run --help\` names.

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
// What a program leaves when it is killed is the same in memory and on a disk. That it waits for the disk where it has to,
// tests/faults/power-order.test.ts shows by its system calls; all others need not wait thousands of times.
const folder = mkdtempSync(join(memoryHasRoom() ? MEMORY : tmpdir(), 'hlid-tests-'));
const reportFile = join(folder, 'report.json');

const vitest = spawn(
  process.execPath,
  [
    join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config',
    'tests/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...process.argv.slice(2),
  ],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, TMPDIR: folder } },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest.kill(signal));

vitest.on('error', (error) => finish(null, `vitest could not be started: ${error.message}`));
vitest.on('exit', (code, signal) => finish(code, code === null ? `vitest was ended by ${signal}` : null));

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

let finished = false;
function finish(code, trouble) {
  if (finished) return;
  finished = true;
  const report = readReport();
  const { line, ok, remarks } = summarise(report, code);
  try {
    // A program that still ends may put a file into a folder that is being removed.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  } catch (error) {
    console.error(`${folder} could not be removed: ${error.message}`);
  }
  for (const remark of [slowestFiles(report), trouble, ...remarks]) if (remark) console.error(remark);
  console.log(line);
  process.exitCode = ok ? 0 : code || 1;
}

function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return null;
  }
}
