import { HOUR_MS } from '@hlid/protocol/base/durations';
import { Fault } from '@hlid/protocol/base/fault';
import { millis, type UtcTime, UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';
import { bytesAtMost, readAtMost } from '../read-at-most.ts';
import { isProved, MAX_PROOF_BYTES, type ProofKey } from './backup-proof.ts';
import type { BackupStore } from './backup-store.ts';

const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;
const SumSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** No part of an entry is larger. */
export const MAX_PART_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/**
 * Plain names within the folder into which they are unpacked: no absolute path, no step out of the folder, nothing that one
 * system reads in another way than ours.
 */
export const EntryNameSchema = z
  .string()
  .max(500)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a plain name does not have.
  .regex(/^[^\u0000-\u001f\u007f\\]+$/)
  .refine(
    (name) => name.split('/').every((step) => step !== '' && step !== '.' && step !== '..'),
    'no plain name',
  );

/** One file of a backup: compressed, encrypted and cut into parts. `bytes` and `sha256` are of the file itself. */
const BackupEntrySchema = z.object({
  name: EntryNameSchema,
  bytes: z.int().min(0),
  sha256: SumSchema,
  parts: z.array(z.object({ bytes: z.int().min(0).max(MAX_PART_BYTES), sha256: SumSchema })),
});
export type BackupEntry = z.infer<typeof BackupEntrySchema>;

export const BACKUP_KINDS = ['cloud', 'edge'] as const;

/**
 * Describes a backup, not encrypted: it names no plates, no people and no key. It is written last: without it
 * there is no backup. Its content counts only with its proof (backup-proof.ts).
 */
export const ManifestSchema = z.object({
  format: z.literal(1),
  name: z.string(),
  kind: z.enum(BACKUP_KINDS),
  software: z.string(),
  /** The database is as it was then. */
  madeAt: UtcTimeSchema,
  finishedAt: UtcTimeSchema,
  /** The schema version of the database: an older program cannot use it. */
  schema: z.int(),
  /** Rows of each table. */
  rows: z.record(z.string(), z.int()),
  entries: z
    .array(BackupEntrySchema)
    .max(MAX_ENTRIES)
    .refine(
      (entries) => new Set(entries.map(({ name }) => name.toLowerCase())).size === entries.length,
      'two entries of one name',
    ),
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
    /^hlid-[a-z]+-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-\w+$/.exec(backup) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}

export function manifestName(backup: string): string {
  return `${backup}/manifest.json`;
}

/** The proof of a manifest. */
export function proofName(backup: string): string {
  return `${backup}/manifest.proof.json`;
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

/** A manifest as it is in the store, and whether it is true. */
export interface FoundManifest {
  manifest: Manifest;
  /** Its maker had one of the keys. */
  isProved: boolean;
}

/**
 * Null where there is no backup of that name that was finished. Throws where its manifest is not one, or is of another name
 * or time than that under which it lies.
 */
export async function readManifest(
  store: BackupStore,
  backup: string,
  keys: readonly ProofKey[],
): Promise<FoundManifest | null> {
  const madeAt = madeAtOf(backup);
  const body = madeAt === null ? null : await store.get(manifestName(backup));
  if (body === null) return null;
  const bytes = await bytesAtMost(body, MAX_MANIFEST_BYTES);
  const proof = await store.get(proofName(backup));
  const proofText = proof && (await readAtMost(new Response(proof), MAX_PROOF_BYTES));
  const manifest = parseManifest(backup, bytes);
  const isOwn =
    manifest.name === backup && backupName(manifest.kind, manifest.madeAt, '') === unmarked(backup);
  if (!isOwn) throw new Fault('peer-misbehaved', `${manifestName(backup)} is of another backup`);
  return { manifest, isProved: bytes !== null && proofText !== null && isProved(keys, bytes, proofText) };
}

function parseManifest(backup: string, bytes: Buffer | null): Manifest {
  try {
    return ManifestSchema.parse(JSON.parse(bytes?.toString() ?? ''));
  } catch (error) {
    throw new Fault('peer-misbehaved', `${manifestName(backup)} is damaged`, { cause: error });
  }
}

function unmarked(backup: string): string {
  return backup.slice(0, backup.lastIndexOf('-') + 1);
}

/** The clocks of two machines differ by less. */
const AHEAD_MS = HOUR_MS;

/** A backup of that name would be made later. */
export function isOfFuture(backup: string, now: Date): boolean {
  const madeAt = madeAtOf(backup);
  return madeAt !== null && millis(madeAt) > now.getTime() + AHEAD_MS;
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
  const finished = [...objects].filter(
    ([backup, names]) => madeAtOf(backup) !== null && names.includes(manifestName(backup)),
  );
  return { finished: finished.map(([backup]) => backup).sort(), objects };
}
