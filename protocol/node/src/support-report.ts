import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { cpus, freemem, loadavg, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { readYaml } from '@hlid/protocol/command-line/read-yaml';
import { z } from 'zod';
import { withoutPersonalFields } from './log.ts';

/** Keys of a configuration with texts from our own lists, never a secret or a name. */
const PLAIN_KEYS = new Set([
  'kind',
  'format',
  'direction',
  'language',
  'timeZone',
  'currency',
  'logLevel',
  'lane',
  'zone',
  'input',
  'output',
  'loopback',
  'profile',
  'region',
  'every',
  'dayClosesAt',
]);
const HIDDEN = '…';
const MAX_JOURNAL_LINES = 5000;
const MAX_WARNINGS = 200;
const SEVERE = new Set(['warn', 'error', 'fatal']);

/**
 * A configuration for the eyes of support: its shape, numbers, switches and known words. Addresses keep protocol and
 * host. All other texts are hidden. Null: there is no file. Texts: the mistakes of a file that cannot be read.
 */
export function configurationOutline(path: string): unknown {
  if (!existsSync(path)) return null;
  const read = readYaml(readFileSync(path, 'utf8'), z.unknown());
  return read.ok ? outline(read.value, '') : read.mistakes;
}

function outline(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((one) => outline(one, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, outline(one, name)]));
  }
  if (typeof value !== 'string') return value;
  return PLAIN_KEYS.has(key) ? value : (hostOf(value) ?? HIDDEN);
}

function hostOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host } = new URL(text);
  return host === '' ? null : `${protocol}//${host}`;
}

/** The machine, and the files of the data folder with their sizes in bytes. */
export function machineOutline(dataDir: string) {
  const files = existsSync(dataDir) ? readdirSync(dataDir, { withFileTypes: true }) : [];
  const disk = existsSync(dataDir) ? statfsSync(dataDir) : null;
  return {
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    kernel: release(),
    processors: cpus().length,
    load: loadavg(),
    uptimeSeconds: uptime(),
    memory: { free: freemem(), total: totalmem() },
    disk: disk && { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
    files: files
      .filter((file) => file.isFile())
      .map(({ name }) => ({
        name,
        bytes: statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0,
      })),
  };
}

/** The newest warnings and errors of a systemd unit, oldest first. Null: there is no journal, or it cannot be read. */
export function journalWarnings(unit: string): Record<string, unknown>[] | null {
  const args = ['--unit', unit, '--lines', String(MAX_JOURNAL_LINES), '--output', 'cat', '--no-pager'];
  const { status, stdout } = spawnSync('journalctl', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? severeLines(stdout) : null;
}

/** @param text lines of the log, and others */
export function severeLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .flatMap((line) => {
      const fields = LineSchema.safeParse(line).data;
      return fields && SEVERE.has(String(fields['level'])) ? [withoutPersonalFields(fields)] : [];
    })
    .slice(-MAX_WARNINGS);
}

const LineSchema = z
  .string()
  .transform((line, context) => {
    try {
      return JSON.parse(line) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'no JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.unknown()));
