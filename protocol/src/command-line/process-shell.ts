import type { Shell } from './command.ts';

/** The part of Node's `process` that a shell uses. */
interface ProcessLike {
  stdout: {
    write(text: string): unknown;
    isTTY?: boolean;
    on(event: 'error', listener: (error: Error & { code?: string | undefined }) => void): unknown;
  };
  stderr: { write(text: string): unknown };
  env: Readonly<Record<string, string | undefined>>;
  exit(): never;
}

/** The shell that a program was started in. */
export function processShell(process: ProcessLike): Shell {
  const { stdout, stderr, env } = process;
  // The reader closed the pipe, as `head` does after its lines.
  stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  return {
    print: (line) => void stdout.write(`${line}\n`),
    complain: (line) => void stderr.write(`${line}\n`),
    environment: env,
    isTerminal: stdout.isTTY === true,
  };
}
