import { DAY_MS, WEEK_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { BackupKeep } from './backup-config.ts';
import type { ProofKey } from './backup-proof.ts';
import type { BackupStore } from './backup-store.ts';
import {
  isOfFuture,
  type Manifest,
  madeAtOf,
  manifestName,
  namesOfBackups,
  PICTURES,
  readManifest,
} from './manifest.ts';

/** An object without a manifest may still be in work for this long. */
const IN_WORK_MS = DAY_MS;
/** The first Monday since 1970. */
const MONDAY_MS = 4 * DAY_MS;

/** The names of the backups to keep: the newest of each of the last days, weeks and months that have one. Pure. */
export function backupsToKeep(names: readonly string[], keep: BackupKeep): Set<string> {
  const newestFirst = [...names].sort().reverse();
  const kept = new Set<string>(newestFirst.slice(0, 1));
  const rules: [number, (at: UtcTime) => string][] = [
    [keep.daily, (at) => at.slice(0, 10)],
    [keep.weekly, (at) => String(Math.floor((millis(at) - MONDAY_MS) / WEEK_MS))],
    [keep.monthly, (at) => at.slice(0, 7)],
  ];
  for (const [count, periodOf] of rules) {
    const periods = new Set<string>();
    for (const name of newestFirst) {
      const at = madeAtOf(name);
      if (at === null || periods.size >= count) continue;
      const period = periodOf(at);
      if (periods.has(period)) continue;
      periods.add(period);
      kept.add(name);
    }
  }
  return kept;
}

/**
 * Deletes the backups that need not be kept, and the remains of unfinished ones. @returns the names of those
 * deleted
 *
 * @param pictureDays the age at which the program erases pictures: the store has none that are older
 */
export async function pruneBackups(
  store: BackupStore,
  kind: Manifest['kind'],
  given: { keep: BackupKeep; proofKeys: readonly ProofKey[]; now: Date; pictureDays: number | null },
): Promise<string[]> {
  const { keep, proofKeys, now, pictureDays } = given;
  const { finished, objects } = await namesOfBackups(store, kind);
  const kept = await namesToKeep(store, finished, { keep, proofKeys, now });
  const deleted: string[] = [];
  for (const [backup, names] of objects) {
    const madeAt = madeAtOf(backup);
    const mayBeInWork = !finished.includes(backup) && millis(madeAt ?? '') > now.getTime() - IN_WORK_MS;
    if (madeAt === null || kept.has(backup) || mayBeInWork) continue;
    // The manifest first: what is broken off in between is no backup.
    const manifest = manifestName(backup);
    for (const name of [manifest, ...names.filter((one) => one !== manifest)]) await store.delete(name);
    deleted.push(backup);
  }
  if (pictureDays !== null) await prunePictures(store, utcTime(now.getTime() - (pictureDays + 1) * DAY_MS));
  return deleted;
}

/**
 * Backups of this key are chosen among themselves, so that no file of others takes the place of one. Those of another
 * key are chosen among all. One with a time in the future takes no other one's place: a person decides about it.
 */
async function namesToKeep(
  store: BackupStore,
  finished: readonly string[],
  given: { keep: BackupKeep; proofKeys: readonly ProofKey[]; now: Date },
): Promise<Set<string>> {
  const { keep, proofKeys, now } = given;
  const future = finished.filter((name) => isOfFuture(name, now));
  const past = finished.filter((name) => !isOfFuture(name, now));
  const proved: string[] = [];
  for (const name of past) {
    const found = await readManifest(store, name, proofKeys).catch(() => null);
    if (found?.isProved) proved.push(name);
  }
  return new Set([...backupsToKeep(proved, keep), ...backupsToKeep(past, keep), ...future]);
}

/** Their names have the day: `pictures/<site>/<day>/…`. */
async function prunePictures(store: BackupStore, before: UtcTime): Promise<void> {
  for await (const name of store.list(PICTURES)) {
    const [, day] = /\/(\d{4}-\d\d-\d\d)\//.exec(name) ?? [];
    if (day !== undefined && day < before.slice(0, 10)) await store.delete(name);
  }
}
