import { Fault } from '@hlid/protocol/fault';
import { type UtcTime, UtcTimeSchema } from '@hlid/protocol/utc-time';
import { z } from 'zod';
import { readAtMost } from '../read-at-most.ts';
import type { BackupStore } from './backup-store.ts';

const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;
const SumSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** One file of a backup: compressed, encrypted and cut into parts. `bytes` and `sha256` are of the file itself. */
const BackupEntrySchema = z.object({
  name: z.string(),
  bytes: z.int().min(0),
  sha256: SumSchema,
  parts: z.array(z.object({ bytes: z.int(), sha256: SumSchema })),
});
export type BackupEntry = z.infer<typeof BackupEntrySchema>;

export const BACKUP_KINDS = ['cloud', 'edge'] as const;

/** Describes a backup, not encrypted: it names no plates and no people. It is written last: without it there is no backup. */
export const ManifestSchema = z.object({
  format: z.literal(1),
  name: z.string(),
  kind: z.enum(BACKUP_KINDS),
  software: z.string(),
  /** The database is as it was then. */
  madeAt: UtcTimeSchema,
  finishedAt: UtcTimeSchema,
  /** Of the database: an older program cannot use it. */
  schema: z.int(),
  /** Rows of each table. */
  rows: z.record(z.string(), z.int()),
  /** The public keys for which it is encrypted. */
  keys: z.array(z.string()),
  entries: z.array(BackupEntrySchema),
  /** Null: pictures are where they were, by reference. */
  pictures: z.object({ count: z.int(), missing: z.int() }).nullable(),
});
export type Manifest = z.infer<typeof ManifestSchema>;

/** Names sort by time. */
export function backupName(kind: Manifest['kind'], madeAt: string, mark: string): string {
  return `${prefixOf(kind)}${madeAt.replace(/[-:]|\.\d+/g, '')}-${mark}`;
}

/** When a backup of that name was made; null: it is no name of a backup. */
export function madeAtOf(backup: string): UtcTime | null {
  const [, year, month, day, hour, minute, second] =
    /-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-\w+$/.exec(backup) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}

export function manifestName(backup: string): string {
  return `${backup}/manifest.json`;
}

/** The objects of an entry, in their order. */
export function partName(backup: string, entry: string, part: number): string {
  return `${backup}/${entry}.gz.age.${String(part).padStart(5, '0')}`;
}

export function prefixOf(kind: Manifest['kind']): string {
  return `hlid-${kind}-`;
}

/** Pictures do not change: each is stored once, for all backups. */
export const PICTURES = 'pictures/';

/** Null where there is no backup of that name that was finished. Throws where its manifest is not one. */
export async function readManifest(store: BackupStore, backup: string): Promise<Manifest | null> {
  const body = await store.get(manifestName(backup));
  if (body === null) return null;
  const text = await readAtMost(new Response(body), MAX_MANIFEST_BYTES);
  try {
    return ManifestSchema.parse(JSON.parse(text ?? ''));
  } catch (error) {
    throw new Fault('peer-misbehaved', `${manifestName(backup)} is damaged`, { cause: error });
  }
}

/** The names in the store: backups with a manifest, and what was broken off. */
export async function namesOfBackups(
  store: BackupStore,
  kind: Manifest['kind'],
): Promise<{ finished: string[]; objects: Map<string, string[]> }> {
  const objects = new Map<string, string[]>();
  for await (const name of store.list(prefixOf(kind))) {
    const backup = name.slice(0, name.indexOf('/'));
    const own = objects.get(backup);
    if (own) own.push(name);
    else objects.set(backup, [name]);
  }
  const finished = [...objects].filter(([backup, names]) => names.includes(manifestName(backup)));
  return { finished: finished.map(([backup]) => backup).sort(), objects };
}
