import { statfs } from 'node:fs/promises';

/** Of a disk, in bytes; `free` is what a program without special rights may use. */
export interface DiskSpace {
  free: number;
  total: number;
}

export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
