import type { Readable } from 'node:stream';

/** What a command reads and writes, so that tests can stand in for a shell. */
export interface Shell {
  input: Readable;
  /** One line of result. */
  print(line: string): void;
  /** A complaint. */
  complain(line: string): void;
  environment: Readonly<Record<string, string | undefined>>;
}

/** How a command ended, for the shell. */
export type ExitCode = 0 | 1 | 2;
