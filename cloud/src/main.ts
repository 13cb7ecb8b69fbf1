import { messageOf } from '@hlid/protocol/base/fault';
import { EXIT } from '@hlid/protocol/command-line/command';
import { processShell } from '@hlid/protocol/command-line/process-shell';
import { runProgram } from '@hlid/protocol/command-line/program';
import { CLOUD_PROGRAM } from './program/command-line/cloud-program.ts';

// No other user of this machine may read what it writes: the database, its copies and the pictures name plates.
process.umask(0o077);
// Secrets among our variables would stand in Node's diagnostic reports: the process itself has none of them.
const environment = { ...process.env };
for (const name of Object.keys(environment)) if (name.startsWith('HLID_')) delete process.env[name];
const shell = { ...processShell(process), environment };
runProgram(CLOUD_PROGRAM, process.argv.slice(2), shell).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    shell.complain(messageOf(error));
    process.exitCode = EXIT.failed;
  },
);
