import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system, in memory, that a test can fill. */
export interface SmallDisk {
  folder: string;
  /** Fills the disk except for this number of bytes. */
  fill(leave?: number): void;
  /** Takes away what filled it. */
  free(): void;
  /** Makes it writable or not, as after a disk has failed. */
  setWritable(writable: boolean): void;
  stop(): void;
}

const BALLAST = 'ballast-';

/** Null where nothing may be mounted: in most sandboxes, and for anyone but root. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-small-disk-'));
  const size = `size=${megabytes}m,mode=0700`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'hlid-test', folder]).status !== 0) {
    rmSync(folder, { recursive: true });
    return null;
  }
  let files = 0;
  return {
    folder,
    fill(leave = 0) {
      const { bavail, bsize } = statfsSync(folder);
      const bytes = bavail * bsize - leave;
      try {
        if (bytes > 0) writeFileSync(join(folder, `${BALLAST}${++files}`), Buffer.alloc(bytes, 1));
      } catch (error) {
        // Another writer used the rest meanwhile: the disk is full.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    },
    free() {
      for (const file of readdirSync(folder)) if (file.startsWith(BALLAST)) unlinkSync(join(folder, file));
    },
    setWritable(writable) {
      const mode = writable ? 'remount,rw' : 'remount,ro';
      const { status, stderr } = spawnSync('mount', ['-o', mode, folder], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`mount -o ${mode}: ${stderr}`);
    },
    stop() {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
