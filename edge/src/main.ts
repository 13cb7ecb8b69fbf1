import { runCommand } from './command-line/run-command.ts';

// What it writes is for nobody else on this machine: databases, backups, pictures and keys name plates, or open gates.
process.umask(0o077);

/** How long something may keep the process alive after all is done. */
const LINGER_MS = 2000;

// Whoever reads has seen enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await runCommand(process.argv.slice(2), {
  input: process.stdin,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  environment: process.env,
});
setTimeout(() => process.exit(), LINGER_MS).unref();
