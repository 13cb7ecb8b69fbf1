import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { S3Schema } from '../s3-bucket.ts';

const KeySchema = z
  .string()
  .regex(/^age1[0-9a-z-]{20,}$/, 'a public key such as age1…: `backup key` makes one, with its secret key');

/** The place of backups: a folder that exists, such as a mounted disk, or a part of a bucket. */
const PlaceSchema = z.union([
  z.strictObject({ folder: z.string().refine(isAbsolute, 'a path from the root, such as /mnt/backup') }),
  S3Schema.extend({
    prefix: z
      .string()
      .regex(/^([\w.-]+\/)*$/, 'empty, or such as hlid/')
      .default(''),
  }),
]);
export type BackupPlace = z.infer<typeof PlaceSchema>;

/** The number of backups that are kept: the newest of each of this number of days, weeks and months. */
const KeepSchema = z.strictObject({
  daily: z.int().min(1).max(366).default(7),
  weekly: z.int().min(0).max(104).default(4),
  monthly: z.int().min(0).max(120).default(3),
});
export type BackupKeep = z.infer<typeof KeepSchema>;

export const BACKUP_SHAPE = {
  to: PlaceSchema,
  /** Public keys. Whoever has one of their secret keys can restore. */
  key: z
    .union([KeySchema, z.array(KeySchema).min(1).max(10)])
    .transform((keys) => (typeof keys === 'string' ? [keys] : keys)),
  keep: KeepSchema.prefault({}),
};

export interface BackupConfig {
  to: BackupPlace;
  key: readonly string[];
  keep: BackupKeep;
}
