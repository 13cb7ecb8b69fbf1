import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Writes the next migration from the tables. Drizzle Kit (0.31) splits the expression of an index at its commas, as if
 * it were a list of columns; this puts it together again.
 */
const FOLDER = new URL('./migrations/', import.meta.url);
const SPLIT = /`substr\("(\w+)"`,` (\d+)\)`/g;

const { status } = spawnSync('drizzle-kit', ['generate', ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('.', import.meta.url)),
  stdio: 'inherit',
});
for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))) {
  const path = new URL(name, FOLDER);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(SPLIT, 'substr("$1", $2)'));
}
process.exitCode = status ?? 1;
