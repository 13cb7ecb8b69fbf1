import { S3Bucket } from '@hlid/node/s3-bucket';
import type { CloudConfig } from '../../config.ts';
import { FilePictures, picturesFolder } from './file-pictures.ts';
import type { PictureStore } from './picture-store.ts';

/** The bucket of the configuration, or files in the data folder. */
export function openPictures({ dataDir, s3 }: Pick<CloudConfig, 'dataDir' | 's3'>): PictureStore {
  return s3 === null ? new FilePictures(picturesFolder(dataDir)) : new S3Bucket(s3);
}
