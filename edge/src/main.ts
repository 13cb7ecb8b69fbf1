import { runCommand } from './command-line/run-command.ts';

/** How long something may keep the process alive after all is done. */
const LINGER_MS = 2000;

process.exitCode = await runCommand(process.argv.slice(2), {
  input: process.stdin,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  environment: process.env,
});
setTimeout(() => process.exit(), LINGER_MS).unref();
