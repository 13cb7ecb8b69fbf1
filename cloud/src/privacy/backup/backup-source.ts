import { type BackedUpPictures, type BackupSource, filesOf } from '@hlid/node/backup/make-backup';
import type { DatabaseKind, SqliteFile } from '@hlid/node/backup/sqlite-file';
import type { CloudConfig } from '../../platform/config.ts';
import { cloudPlan, openCloudFile } from '../../platform/db/migrate.ts';
import { SOFTWARE } from '../../platform/software.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { openPictures } from '../../stays/photos/storage/open-pictures.ts';
import { pictureKey } from '../../stays/photos/storage/picture-key.ts';

/** The number of photos with keys that are read at once. */
const PHOTOS_PER_PAGE = 1000;
/**
 * Paths in the data folder: the database and its copies, pictures, packages of the edge, locks, and what is
 * in work.
 */
const NO_FILES =
  /^(cloud\.db|pictures\/|packages\/|.*\.lock(-journal)?$|(backup|restore)-in-work\/)|\.restored$/;

/** The part of the configuration that a backup needs; it can be sent to another thread. */
export type BackedUpConfig = Pick<CloudConfig, 'dataDir' | 's3' | 'backup'>;

/** The contents of a backup of the cloud. */
export function backupSource({ dataDir, s3, backup }: BackedUpConfig, configPath: string): BackupSource {
  const includesPictures = (backup?.pictures ?? (s3 === null ? 'include' : 'reference')) === 'include';
  return {
    kind: 'cloud',
    software: SOFTWARE,
    dataDir,
    database: CLOUD_DATABASE,
    files: filesOf({ dataDir, except: NO_FILES, config: { name: 'cloud.yaml', path: configPath } }),
    pictures: includesPictures ? picturesIn(openPictures({ dataDir, s3 })) : null,
  };
}

export const CLOUD_DATABASE: DatabaseKind = {
  fileName: 'cloud.db',
  open: openCloudFile,
  plan: () => cloudPlan(),
};

function picturesIn(pictures: ObjectStorage): BackedUpPictures {
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
  let last = 0;
  for (;;) {
    const rows = file.all(
      `SELECT rowid, id, site_id, received_at, url, plate_url FROM photo
       WHERE rowid > ${last} AND (url IS NOT NULL OR plate_url IS NOT NULL) ORDER BY rowid LIMIT ${PHOTOS_PER_PAGE}`,
    );
    for (const row of rows) {
      const photo = photoOf(row);
      for (const key of [pictureKey(photo, 'vehicle'), pictureKey(photo, 'plate')])
        if (key !== null) yield key;
    }
    if (rows.length < PHOTOS_PER_PAGE) return;
    last = Number(rows.at(-1)?.[0]);
  }
}

function photoOf([, id, siteId, receivedAt, url, plateUrl]: readonly unknown[]) {
  const text = (value: unknown) => (value === null ? null : String(value));
  return {
    id: String(photoTable.id.mapFromDriverValue(id)),
    siteId: String(photoTable.siteId.mapFromDriverValue(siteId)),
    receivedAt: String(photoTable.receivedAt.mapFromDriverValue(receivedAt)),
    url: text(url),
    plateUrl: text(plateUrl),
  };
}
