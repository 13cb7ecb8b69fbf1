import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** What cars need goes first: lists leave so much of the disk free, or of a small disk a tenth. */
const LEFT_FREE_BYTES = 128 * 1024 * 1024;
const LEFT_FREE_SHARE = 0.1;

/** Whether the disk that holds this file has room for more than what cars need. */
export function hasRoom(file: string): boolean {
  const { bavail, blocks, bsize } = statfsSync(dirname(file));
  return bavail * bsize > Math.min(LEFT_FREE_BYTES, blocks * bsize * LEFT_FREE_SHARE);
}
