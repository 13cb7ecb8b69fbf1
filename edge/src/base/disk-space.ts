import { type StatsFs, statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** The space of a disk, in bytes; `free` is what a program without special rights may use. */
export interface DiskSpace {
  free: number;
  total: number;
}

/** The space of the disk that a folder is on. */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  return spaceOf(await statfs(folder));
}

/** The same at once, for work that is not to be put off. */
export function diskSpaceSync(folder: string): DiskSpace {
  return spaceOf(statfsSync(folder));
}

function spaceOf({ bavail, blocks, bsize }: StatsFs): DiskSpace {
  return { free: bavail * bsize, total: blocks * bsize };
}
