import type { Readable, Writable } from 'node:stream';
import type { Shell as AnyShell } from '@hlid/protocol/command-line/command';

/** The streams and surroundings of a technician's command. */
export interface Shell extends AnyShell {
  input: Readable;
  /** The terminal to which questions and typed text are written; results go to `print`. */
  output: Writable;
}
