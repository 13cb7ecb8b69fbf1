import { type BackedUpPictures, type BackupSource, filesOf } from '@hlid/node/backup/make-backup';
import { type DatabaseKind, type SqliteFile, sqliteFile } from '@hlid/node/backup/sqlite-file';
import { S3Bucket } from '@hlid/node/s3-bucket';
import { VERSION } from '@hlid/protocol/version';
import Database from 'libsql';
import type { CloudConfig } from '../config.ts';
import { APPLIED, newestMigration } from '../db/migrate.ts';
import { FilePictures, picturesFolder } from '../photos/storage/file-pictures.ts';
import type { PictureStore } from '../photos/storage/picture-store.ts';

/** Photos whose keys are read at once. */
const PHOTOS_PER_PAGE = 1000;
/** Of the data folder: the database and its copies, pictures, locks, and what is in work. */
const NO_FILES = /^(cloud\.db|pictures\/|.*\.lock(-journal)?$|(backup|restore)-in-work\/)|\.restored$/;

/** What a backup needs of the configuration; it can be sent to another thread. */
export type BackedUpConfig = Pick<CloudConfig, 'dataDir' | 's3' | 'backup'>;

/** What a backup of the cloud consists of. */
export function backupSource({ dataDir, s3, backup }: BackedUpConfig, configPath: string): BackupSource {
  const includesPictures = (backup?.pictures ?? (s3 === null ? 'include' : 'reference')) === 'include';
  const pictures = s3 === null ? new FilePictures(picturesFolder(dataDir)) : new S3Bucket(s3);
  return {
    ...{ kind: 'cloud', software: `hlid-cloud/${VERSION}`, dataDir, database: CLOUD_DATABASE },
    files: filesOf({ dataDir, except: NO_FILES, config: { name: 'cloud.yaml', path: configPath } }),
    pictures: includesPictures ? picturesIn(pictures) : null,
  };
}

export const CLOUD_DATABASE: DatabaseKind = {
  fileName: 'cloud.db',
  open: (path, mode) => sqliteFile(new Database(path, mode === 'read' ? { readonly: true } : {})),
  schemaOf: (file) => Number(file.all(`SELECT coalesce(max(created_at), 0) FROM ${APPLIED}`)[0]?.[0]),
  newestSchema: newestMigration,
};

function picturesIn(pictures: PictureStore): BackedUpPictures {
  return {
    keysIn: pictureKeys,
    get: (key) => pictures.get(key),
    async has(key) {
      const found = await pictures.get(key);
      await found?.body.cancel();
      return found !== null;
    },
    put: (key, content) => pictures.put(key, content, key.endsWith('.png') ? 'image/png' : 'image/jpeg'),
  };
}

function* pictureKeys(file: SqliteFile): Generator<string> {
  let last = ['', ''];
  for (;;) {
    const rows = file.all(
      `SELECT received_at, id, url, plate_url FROM photo WHERE (received_at, id) > (?, ?)
       ORDER BY received_at, id LIMIT ${PHOTOS_PER_PAGE}`,
      ...last,
    );
    for (const [, , ...keys] of rows) for (const key of keys) if (key !== null) yield String(key);
    if (rows.length < PHOTOS_PER_PAGE) return;
    last = (rows.at(-1) ?? []).slice(0, 2).map(String);
  }
}
