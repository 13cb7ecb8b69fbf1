import { randomUUID } from 'node:crypto';
import { canonicalJson } from '@hlid/protocol/content-hash';
import { type Actor, audit } from '../audit/audit.ts';
import type { Db, Tx } from '../db/db.ts';
import { publishItem } from '../feed/publish-item.ts';
import { givenFields } from '../given-fields.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../refused.ts';
import { chooseSite } from '../sites/choose-site.ts';
import { type NewZone, type ZoneEdit, zoneFrom, zoneItem } from './zone.ts';
import { findZone, insertZone, updateZoneRow, type ZoneRow } from './zone-store.ts';

export type ZoneResult = { ok: true; zone: ZoneRow } | Refused;

/** Adds a zone to a site. */
export async function createZone(db: Db, actor: Actor, body: NewZone): Promise<ZoneResult> {
  return await db.write(async (tx) => {
    const site = await chooseSite(tx.q, body.siteId);
    if (typeof site === 'string') return refusedInput(site);
    const zone: ZoneRow = {
      id: randomUUID(),
      name: body.name,
      settings: body.settings,
      siteId: site.id,
      createdAt: actor.at,
      modifiedAt: actor.at,
    };
    await insertZone(tx.q, zone);
    await publishItem(tx, { now: zone.siteId }, putOf(zone));
    await auditZone(tx, actor, 'zone.create', null, zone);
    return { ok: true, zone };
  });
}

/** Changes what is given; settings are replaced as a whole. */
export async function updateZone(db: Db, actor: Actor, id: string, edit: ZoneEdit): Promise<ZoneResult> {
  return await db.write(async (tx) => {
    const before = await findZone(tx.q, id);
    if (before === null) return NOT_FOUND;
    const site = await chooseSite(tx.q, edit.siteId ?? before.siteId);
    if (typeof site === 'string') return refusedInput(site);
    const edited: ZoneRow = { ...before, ...givenFields(edit) };
    if (canonicalJson(edited) === canonicalJson(before)) return { ok: true, zone: before };
    const zone = { ...edited, modifiedAt: actor.at };
    await updateZoneRow(tx.q, zone);
    await publishItem(tx, { before: before.siteId, now: zone.siteId }, putOf(zone));
    await auditZone(tx, actor, 'zone.update', before, zone);
    return { ok: true, zone };
  });
}

function putOf(zone: ZoneRow) {
  return { kind: 'zone', op: 'put', id: zone.id, item: zoneItem(zone) } as const;
}

async function auditZone(
  tx: Tx,
  actor: Actor,
  action: string,
  before: ZoneRow | null,
  after: ZoneRow,
): Promise<void> {
  await audit(tx, actor, {
    action,
    subject: 'zone',
    subjectId: after.id,
    before: before && zoneFrom(before),
    after: zoneFrom(after),
  });
}
