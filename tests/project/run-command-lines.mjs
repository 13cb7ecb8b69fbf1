// Runs a program with several command lines, one after the other, so that its modules are loaded once:
// `node … run-command-lines.mjs ENTRY '[["--help"], ["--version"]]'`. The entry itself is evaluated each time, with the
// words, the environment and the exit code of a new process, and ends when nothing is left to do. Both outputs get an
// END after each, standard output with the exit code before it.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const END = '\u0004';
/** A process that ends itself does nothing more. */
const ENDED = new Error('the program has ended');

const [, , file = '', lines = '[]'] = process.argv;
const entry = pathToFileURL(resolve(file));
const environment = { ...process.env };
const left = JSON.parse(lines);
let runs = 0;

process.exit = (code = process.exitCode) => {
  process.exitCode = code;
  throw ENDED;
};
process.on('uncaughtException', (error) => {
  if (error !== ENDED) throw error;
});
process.on('beforeExit', endRun);
startRun();

function startRun() {
  const words = left.shift();
  if (words === undefined) return;
  runs++;
  Object.assign(process.env, environment, { HLID_DATA_DIR: `${environment.HLID_DATA_DIR}-${runs}` });
  process.argv.splice(1, Number.POSITIVE_INFINITY, file, ...words);
  process.exitCode = undefined;
  void import(`${entry}?run=${runs}`);
}

function endRun() {
  if (runs === 0) return;
  process.stdout.write(`${process.exitCode ?? 0}${END}`);
  process.stderr.write(END);
  process.exitCode = undefined;
  if (left.length === 0) process.off('beforeExit', endRun);
  else startRun();
}
