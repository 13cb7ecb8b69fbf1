import { processShell } from '@hlid/protocol/command-line/process-shell';
import { runProgram } from '@hlid/protocol/command-line/program';
import { EDGE_PROGRAM } from './command-line/edge-program.ts';

// Files are for no other user of this machine: databases, backups, pictures and keys name plates, or open
// gates.
process.umask(0o077);

/** How long something may keep the process alive after all is done. */
const LINGER_MS = 2000;

const shell = { ...processShell(process), input: process.stdin, output: process.stdout };
void run();

async function run(): Promise<void> {
  process.exitCode = await runProgram(EDGE_PROGRAM, process.argv.slice(2), shell);
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
