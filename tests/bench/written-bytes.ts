import { readFileSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LaneHandle } from '../harness/lane-handle.ts';
import { startSite } from '../harness/site.ts';
import { plateOf } from './bench-plates.ts';

/** The bytes that a car makes the edge write to the disk, in and out. */
export interface WrittenBytes {
  cars: number;
  /** The bytes written for each car, including blocks written for other reasons meanwhile. */
  bytesPerCar: number;
}

/** The time until the last reports of the camera and the gate are stored. */
const SETTLES_MS = 300;

/** Cars in and out, one after the other, at a site that has no cloud and no pictures, with the real program. */
export async function measureWrittenBytes(cars: number): Promise<WrittenBytes> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-written-'));
  const site = await startSite({
    folder,
    settings: { passageWindowMs: 100 },
    relay: { gateOpenMs: 20 },
    edgeEnv: { HLID_LOG_LEVEL: 'warn' },
  });
  try {
    const pid = site.edge.pid();
    if (pid === null) throw new Error('the edge does not run');
    let before = 0;
    for (let car = -WARM_UP; car < cars; car++) {
      if (car === 0) before = bytesWrittenBy(pid);
      for (const lane of ['in-1', 'out-1']) await pass(site.lane(lane), plateOf(car + WARM_UP));
      await pause(SETTLES_MS);
    }
    return { cars, bytesPerCar: (bytesWrittenBy(pid) - before) / cars };
  } finally {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const WARM_UP = 5;
const PROBE_BYTES = 1 << 16;

/** Whether the system counts what a process writes to temporary files: it does not where they are in memory, for example. */
export async function countsWrites(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'hlid-probe-'));
  try {
    const before = bytesWrittenBy(process.pid);
    const file = await open(join(folder, 'probe'), 'w');
    await file.write(Buffer.alloc(PROBE_BYTES, 1));
    await file.sync();
    // The bytes are counted before the file is deleted: what is taken back is counted too.
    const written = bytesWrittenBy(process.pid) - before;
    await file.close();
    return written >= PROBE_BYTES;
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pass(lane: LaneHandle, plate: string): Promise<void> {
  const before = lane.openings();
  await lane.sees(plate);
  await lane.opensAfter(before);
}

/** Blocks that a process gave to the disk, less what it took back (Linux). */
function bytesWrittenBy(pid: number): number {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8');
  const bytes = (field: string) => Number(new RegExp(`^${field}: (\\d+)$`, 'm').exec(io)?.[1]);
  return bytes('write_bytes') - bytes('cancelled_write_bytes');
}
