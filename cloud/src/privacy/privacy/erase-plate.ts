import { newId } from '@hlid/node/new-id';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { audit } from '../../people/audit/audit.ts';
import { blankAudit } from '../../people/audit/blank-audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { and, eq, inArray, or, sql } from '../../platform/db/sql.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';
import { auditTable } from '../../records/audit/audit-table.ts';
import { driverVehicleTable } from '../../records/drivers/driver-table.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import { doubtfulCarTable } from '../../records/lanes/doubtful-car-table.ts';
import { lanePassageTable } from '../../records/lanes/lane-passage-table.ts';
import { standingPlateTable } from '../../records/lanes/standing-plate-table.ts';
import { laneAlertTable, passageDecisionTable } from '../../records/passages/passage-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { listSites } from '../../records/sites/find-sites.ts';
import { custodianTable } from '../../records/vehicles/custodian-table.ts';
import { vehicleAbsenceTable, vehicleTable } from '../../records/vehicles/vehicle-table.ts';
import { whitelistTable } from '../../records/whitelist/whitelist-table.ts';
import { compactFeed } from '../../sites/feed/compact-feed.ts';
import { dropPictures, eraseLoose } from '../../stays/photos/store-picture.ts';
import { erasePlateInFreeTexts } from '../retention/erase-plate-in-free-texts.ts';
import { takePlatesOff } from '../retention/erase-visit-plates.ts';
import { inTurns } from '../retention/in-turns.ts';
import { logErased } from '../retention/retention-log.ts';
import { erasePlateInTexts } from './erase-plate-in-texts.ts';
import { type PlateRows, plateRows } from './plate-rows.ts';

/** The numbers of erased rows of each kind, and of those that stay by law. */
export interface ErasedPlate {
  visits: number;
  photos: number;
  whitelist: number;
  vehicles: number;
  passages: number;
  keptInvoices: number;
}

/**
 * Erases everything about one plate except what bookkeeping law requires. It is refused as long as the
 * vehicle is inside, owes something, or is in custody: those end first. Sites with an edge daemon erase it
 * too, and what they report of it meanwhile is erased when they have; see `eraseAgain`.
 */
export async function erasePlate(
  parts: { db: Db; pictures: ObjectStorage },
  actor: Actor,
  plate: string,
): Promise<{ ok: true; erased: ErasedPlate } | Refused> {
  const { db } = parts;
  // This comes before the rest, so that the same request finishes an erasure that broke off.
  const known = await db.read((q) => plateRows(q, plate));
  if (hindrances(known, actor.at).length === 0 && isKnown(known)) await erasePlateInFreeTexts(db, plate);
  const done = await db.write(async (tx) => {
    const rows = await plateRows(tx.q, plate);
    if (!isKnown(rows)) return NOT_FOUND;
    const { visits, photos, whitelist, vehicles, decisions, alerts, invoices } = rows;
    const mistakes = hindrances(rows, actor.at);
    if (mistakes.length > 0) return refusedInput(...mistakes);
    const keys = await eraseReads(tx, rows, actor.at);
    await inTurns(visits, (some) => takePlatesOff(tx, some, actor.at));
    await eraseRows(tx, rows, plate);
    const notified = await notifySites(tx, plate, actor.at);
    const passages = decisions.length + alerts.length;
    const erased: ErasedPlate = {
      visits: visits.length,
      photos: photos.length,
      whitelist: whitelist.length,
      vehicles: vehicles.length,
      passages,
      keptInvoices: invoices.length,
    };
    const total = visits.length + photos.length + whitelist.length + vehicles.length + passages;
    await logErased(tx, { kind: 'plate-request', rows: total, before: actor.at }, actor);
    // The plate itself is not written down: that would be another place that has it.
    await audit(tx, actor, {
      action: 'privacy.erase-plate',
      subject: 'plate',
      subjectId: 'erased',
      before: null,
      after: erased,
    });
    return { ok: true, erased, keys, notified } as const;
  });
  if (!done.ok) return done;
  for (const key of done.keys) await eraseLoose(parts, key);
  // Changes that sites have applied still contain it. Where a site erases it, they go once it has that command.
  for (const { site } of await db.read(listSites)) {
    if (!done.notified.includes(site.id)) await compactFeed(db, site.id, 0, plate);
  }
  return { ok: true, erased: done.erased };
}

function isKnown({ visits, photos, whitelist, vehicles, alerts, drivers }: PlateRows): boolean {
  const places = [visits, photos, whitelist, vehicles, alerts, drivers];
  return places.some((rows) => rows.length > 0);
}

/** @returns the sites that will forget it: those that have ever been connected */
async function notifySites(tx: Tx, plate: string, before: UtcTime): Promise<string[]> {
  const notified: string[] = [];
  for (const { site, presence } of await listSites(tx.q)) {
    if (presence === null) continue;
    const change = { kind: 'erase', op: 'put', id: newId(), item: { plate, before } } as const;
    await publishChange(tx, site.id, change);
    notified.push(site.id);
  }
  return notified;
}

function hindrances({ visits, custody, whitelist }: PlateRows, now: UtcTime): Mistake[] {
  const inside = visits.filter(({ endedAt }) => endedAt === null);
  const owing = visits.filter(({ endedAt, status }) => endedAt !== null && status !== 'completed');
  const held = custody.filter(
    ({ dateTo, status }) => status === 'active' && (dateTo === null || dateTo > now),
  );
  const blocked = whitelist.filter(({ effect, status }) => effect === 'block' && status === 'active');
  return [
    ...inside.map(({ id }) => mistake('visit-not-over', [], { id })),
    ...owing.map(({ id }) => mistake('visit-not-settled', [], { id })),
    ...held.map(({ id }) => mistake('custody-not-released', [], { id })),
    ...blocked.map(({ id }) => mistake('plate-blocked', [], { id })),
  ];
}

/** @returns the keys of their pictures, to be erased when that is committed */
export async function eraseReads(
  tx: Tx,
  { photos }: Pick<PlateRows, 'photos'>,
  now: UtcTime,
): Promise<string[]> {
  const keys: string[] = [];
  await inTurns(photos, async (some) => {
    const ids = some.map(({ id }) => id);
    keys.push(...(await dropPictures(tx, ids, now)));
    await tx.q.delete(photoTable).where(inArray(photoTable.id, ids));
  });
  return keys;
}

async function eraseRows(tx: Tx, rows: PlateRows, plate: string): Promise<void> {
  const { q } = tx;
  for (const { id, siteId } of rows.whitelist) {
    await publishChange(tx, siteId ?? 'all', { kind: 'permit', op: 'remove', id });
  }
  await q.delete(whitelistTable).where(eq(whitelistTable.plate, plate));
  await publishChange(tx, 'all', { kind: 'vehicle', op: 'remove', id: plate });
  for (const { id } of rows.vehicles) await q.delete(custodianTable).where(eq(custodianTable.vehicleId, id));
  await q.delete(vehicleTable).where(eq(vehicleTable.plate, plate));
  await q.delete(vehicleAbsenceTable).where(eq(vehicleAbsenceTable.key, plate));
  for (const { id } of rows.decisions) {
    await q.delete(passageDecisionTable).where(eq(passageDecisionTable.id, id));
  }
  await q.delete(driverVehicleTable).where(eq(driverVehicleTable.plate, plate));
  await q.delete(laneAlertTable).where(eq(laneAlertTable.plate, plate));
  // A misreading of another car's plate may spell it, too.
  const read = sql`instr(${lanePassageTable.votes}, ${JSON.stringify(plate)}) > 0`;
  await q.delete(doubtfulCarTable).where(eq(doubtfulCarTable.plate, plate));
  await q.delete(lanePassageTable).where(or(eq(lanePassageTable.plate, plate), read));
  await q
    .delete(standingPlateTable)
    .where(sql`instr(${standingPlateTable.standing}, ${JSON.stringify(plate)}) > 0`);
  await erasePlateInTexts(q, plate);
  await eraseAuditOf(tx, rows, plate);
}

async function eraseAuditOf(tx: Tx, rows: PlateRows, plate: string): Promise<void> {
  const subjects: Record<string, string[]> = {
    visit: rows.visits.map(({ id }) => id),
    photo: rows.photos.map(({ id }) => id),
    whitelist: rows.whitelist.map(({ id }) => id),
    vehicle: [...rows.vehicles.map(({ id }) => id), plate],
    plate: [plate],
    custodian: rows.custody.map(({ id }) => id),
  };
  for (const [subject, ids] of Object.entries(subjects)) await blankAudit(tx.q, subject, ids);
  await tx.q
    .update(auditTable)
    .set({ subjectId: 'erased' })
    .where(and(inArray(auditTable.subject, ['vehicle', 'plate']), eq(auditTable.subjectId, plate)));
}
