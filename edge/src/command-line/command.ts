import { parseArgs } from 'node:util';
import { type CameraFormat, CameraFormatSchema } from '@hlid/protocol/camera/camera-formats';
import { messageOf } from '@hlid/protocol/fault';

/** What somebody wants who starts the program. */
export type Command =
  | { kind: 'daemon' }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'config-check' }
  | {
      kind: 'camera-parse';
      format: CameraFormat;
      /** `-`: standard input. */
      file: string;
      /** Of the camera, which Survision sends beside the document. */
      serial: string | null;
    };

type Reading = { ok: true; command: Command } | { ok: false; mistake: string };

/** Reads the arguments that follow the program's name. Pure. */
export function readCommand(words: readonly string[]): Reading {
  const parsed = parseWords(words);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed;
  if (values.help) return command({ kind: 'help' });
  if (values.version) return command({ kind: 'version' });
  const [noun, verb, ...rest] = positionals;
  if (noun === 'camera' && verb === 'parse') return readCameraParse(rest, values);
  const strange = Object.keys(values)[0];
  if (strange !== undefined) return mistake(`--${strange} belongs to camera parse`);
  if (noun === undefined) return command({ kind: 'daemon' });
  if (noun === 'config' && verb === 'check' && rest.length === 0) return command({ kind: 'config-check' });
  if (noun === 'help' && verb === undefined) return command({ kind: 'help' });
  return mistake(`there is no command "${positionals.join(' ')}"`);
}

function readCameraParse(files: readonly string[], given: { format?: string; serial?: string }): Reading {
  const [file, ...more] = files;
  if (file === undefined) return mistake('camera parse needs a FILE, or - for standard input');
  if (more.length > 0) return mistake(`camera parse takes one FILE, not also ${more.join(' ')}`);
  const formats = CameraFormatSchema.options.join(', ');
  if (given.format === undefined) return mistake(`camera parse needs --format, one of: ${formats}`);
  const format = CameraFormatSchema.safeParse(given.format);
  if (!format.success) return mistake(`there is no format ${given.format}; there are: ${formats}`);
  return command({ kind: 'camera-parse', format: format.data, file, serial: given.serial ?? null });
}

function parseWords(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        format: { type: 'string' },
        serial: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
    return { ok: true, values, positionals } as const;
  } catch (error) {
    return mistake(messageOf(error));
  }
}

function command(command: Command): Reading {
  return { ok: true, command };
}

function mistake(text: string): { ok: false; mistake: string } {
  return { ok: false, mistake: text };
}
