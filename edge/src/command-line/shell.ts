import type { Readable, Writable } from 'node:stream';
import type { Shell as AnyShell } from '@hlid/protocol/command-line/command';

/** What a technician's command reads and writes. */
export interface Shell extends AnyShell {
  input: Readable;
  /** Where a terminal shows what is typed; results go by `print`. */
  output: Writable;
}
