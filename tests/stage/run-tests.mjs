// Runs the tests (`npm test`, `npm test -- journeys`) and ends with one plain line: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { summarise } from './test-summary.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hlid-tests-'));
const report = join(folder, 'report.json');

const vitest = spawn(
  process.execPath,
  [
    join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config',
    'tests/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: ROOT, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest.kill(signal));

vitest.on('error', (error) => finish(null, `vitest could not be started: ${error.message}`));
vitest.on('exit', (code, signal) => finish(code, code === null ? `vitest was ended by ${signal}` : null));

let finished = false;
function finish(code, trouble) {
  if (finished) return;
  finished = true;
  const { line, ok, remarks } = summarise(readReport(), code);
  rmSync(folder, { recursive: true, force: true });
  for (const remark of [trouble, ...remarks]) if (remark) console.error(remark);
  console.log(line);
  process.exitCode = ok ? 0 : code || 1;
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return null;
  }
}
