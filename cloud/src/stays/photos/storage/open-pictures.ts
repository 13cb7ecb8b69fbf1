import { join } from 'node:path';
import { S3Bucket } from '@hlid/node/s3-bucket';
import type { CloudConfig } from '../../../platform/config.ts';
import { FolderStorage } from '../../../platform/storage/folder-storage.ts';
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts';

/** `<site>/<day>/<photo id>.<jpg>`. */
const KEY = /^[\w-]+(\/[\w-]+)*\.(jpg|png)$/;

/** The bucket of the configuration, or files in the data folder. */
export function openPictures({ dataDir, s3 }: Pick<CloudConfig, 'dataDir' | 's3'>): ObjectStorage {
  return s3 === null ? pictureFiles(join(dataDir, 'pictures')) : new S3Bucket(s3);
}

/** Pictures as files in a folder. */
export function pictureFiles(folder: string): FolderStorage {
  return new FolderStorage(folder, KEY);
}
