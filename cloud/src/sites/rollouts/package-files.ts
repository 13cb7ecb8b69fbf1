import { join } from 'node:path';
import { S3Bucket } from '@hlid/node/s3-bucket';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { type PackageArchitecture, PackageArchitectureSchema } from '@hlid/protocol/site-link/edge-upgrade';
import type { CloudConfig } from '../../platform/config.ts';
import { FolderStorage } from '../../platform/storage/folder-storage.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';

/** The file names that Debian gives the packages of the edge. */
const FILE_NAME = /^hlid-edge_([0-9][0-9A-Za-z.+~-]{0,63})_(amd64|arm64)\.deb$/;
/** The folder in the data folder, and the beginning of the keys in a bucket. */
const FOLDER = 'packages';
/** A package is uploaded before the storage answers. */
const S3_ANSWER_MS = 10 * MINUTE_MS;

/** Every file of a Debian package begins so: it is an archive of `ar`. */
export const PACKAGE_MAGIC = '!<arch>\n';
export const PACKAGE_CONTENT_TYPE = 'application/vnd.debian.binary-package';

/** The package that a file is by its name; null: it is no package of the edge. */
export function packageOf(fileName: string): { version: string; architecture: PackageArchitecture } | null {
  const [, version, architecture] = FILE_NAME.exec(fileName) ?? [];
  const known = PackageArchitectureSchema.safeParse(architecture);
  return version === undefined || !known.success ? null : { version, architecture: known.data };
}

/** The name under which a package is stored. */
export function packageFileName({
  version,
  architecture,
}: {
  version: string;
  architecture: string;
}): string {
  return `hlid-edge_${version}_${architecture}.deb`;
}

/** The storage of packages of the edge: a folder beside the pictures, or their bucket. No backup has them. */
export function openPackages({ dataDir, s3 }: Pick<CloudConfig, 'dataDir' | 's3'>): ObjectStorage {
  if (s3 === null) return new FolderStorage(join(dataDir, FOLDER), FILE_NAME);
  const bucket = new S3Bucket(s3, { answerMs: S3_ANSWER_MS });
  const keyOf = (fileName: string) => `${FOLDER}/${fileName}`;
  return {
    put: (fileName, content, contentType) => bucket.put(keyOf(fileName), content, contentType),
    get: (fileName, range) => bucket.get(keyOf(fileName), range),
    delete: (fileName) => bucket.delete(keyOf(fileName)),
  };
}
