import { dirname } from 'node:path';
import { diskSpaceSync } from '../disk-space.ts';

/** What cars need goes first: lists leave so much of the disk free, or of a small disk a tenth. */
const LEFT_FREE_BYTES = 128 * 1024 * 1024;
const LEFT_FREE_SHARE = 0.1;

/** Whether the disk that holds this file has room for more than what cars need. */
export function hasRoom(file: string): boolean {
  const { free, total } = diskSpaceSync(dirname(file));
  return free > Math.min(LEFT_FREE_BYTES, total * LEFT_FREE_SHARE);
}
