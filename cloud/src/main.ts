import { EXIT } from '@hlid/protocol/command-line/command';
import { processShell } from '@hlid/protocol/command-line/process-shell';
import { runProgram } from '@hlid/protocol/command-line/program';
import { messageOf } from '@hlid/protocol/fault';
import { CLOUD_PROGRAM } from './command-line/cloud-program.ts';

// What it writes is for nobody else on this machine: the database, its copies and the pictures name plates.
process.umask(0o077);
const shell = processShell(process);
try {
  process.exitCode = await runProgram(CLOUD_PROGRAM, process.argv.slice(2), shell);
} catch (error) {
  shell.complain(messageOf(error));
  process.exitCode = EXIT.failed;
}
