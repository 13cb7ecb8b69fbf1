import { newId } from '@hlid/node/new-id';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { carsInside, insideOffsetFor } from '@hlid/protocol/site-link/occupancy';
import { audit, auditOf } from '../../people/audit/audit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { mergeSettings } from '../../platform/http/merge-settings.ts';
import { omitUndefined } from '../../platform/omit-undefined.ts';
import { NOT_FOUND, type Refused, type RefusedEdit, refusedInput } from '../../platform/refused.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import { publishItem } from '../../records/feed/publish-item.ts';
import { chooseSite } from '../../records/sites/choose-site.ts';
import {
  lanesOf,
  type NewZone,
  type OccupancyEdit,
  type ZoneEdit,
  ZoneSettingsSchema,
  zoneItem,
} from './zone.ts';
import { OCCUPANCY_ACTIONS } from './zone-actions.ts';
import { countedIn } from './zone-occupancy.ts';
import {
  deleteZoneRow,
  findZone,
  insertCorrection,
  insertZone,
  listZones,
  updateZoneRow,
  type ZoneRow,
} from './zone-store.ts';

const auditZone = auditOf('zone', auditedZone);

export type ZoneResult = { ok: true; zone: ZoneRow } | Refused;

/** Adds a zone to a site. */
export async function createZone(db: Db, actor: Actor, body: NewZone): Promise<ZoneResult> {
  return await db.write(async (tx) => {
    const chosen = await chooseSite(tx.q, body.siteId);
    if (!chosen.ok) return chosen;
    const zone: ZoneRow = {
      id: newId(),
      name: body.name,
      settings: body.settings,
      siteId: chosen.site.id,
      insideOffset: 0,
      createdAt: actor.at,
      modifiedAt: actor.at,
    };
    const refused = (await namesake(tx.q, zone)) ?? (await inLanes(tx.q, zone));
    if (refused !== null) return refused;
    await insertZone(tx.q, zone);
    await publishItem(tx, { now: zone.siteId }, putOf(zone));
    await auditZone(tx, actor, 'zone.create', null, zone);
    return { ok: true, zone };
  });
}

/** Changes what is given. */
export async function updateZone(
  db: Db,
  actor: Actor,
  id: string,
  { settings, ...edit }: ZoneEdit,
): Promise<{ ok: true; zone: ZoneRow } | RefusedEdit> {
  return await db.write(async (tx) => {
    const before = await findZone(tx.q, id);
    if (before === null) return NOT_FOUND;
    if (isStale(actor, before)) return STALE;
    const chosen = await chooseSite(tx.q, edit.siteId ?? before.siteId);
    if (!chosen.ok) return chosen;
    const merged = mergeSettings(ZoneSettingsSchema, before.settings, settings, 'settings');
    if (!merged.ok) return merged;
    const edited: ZoneRow = { ...before, ...omitUndefined(edit), settings: merged.settings };
    if (canonicalJson(edited) === canonicalJson(before)) return { ok: true, zone: before };
    const refused = (await namesake(tx.q, edited)) ?? (await inLanes(tx.q, edited));
    if (refused !== null) return refused;
    const zone = { ...edited, modifiedAt: actor.at };
    await updateZoneRow(tx.q, zone);
    await publishItem(tx, { before: before.siteId, now: zone.siteId }, putOf(zone));
    await auditZone(tx, actor, 'zone.update', before, zone);
    return { ok: true, zone };
  });
}

/** Corrects how many cars are inside: the site counts on from there. */
export async function correctOccupancy(
  db: Db,
  actor: Actor,
  id: string,
  { inside, reason }: OccupancyEdit,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const before = await findZone(tx.q, id);
    if (before === null) return NOT_FOUND;
    const counted = await countedIn(tx.q, before);
    const why = OCCUPANCY_ACTIONS.correct.refuse({ counted });
    if (why !== null || counted === null) return refusedInput(why ?? mistake('lanes-not-known', 'inside'));
    const insideBefore = carsInside(counted, before.insideOffset);
    if (insideBefore === inside) return { ok: true };
    const zone = { ...before, insideOffset: insideOffsetFor(inside, counted), modifiedAt: actor.at };
    await updateZoneRow(tx.q, zone);
    await publishItem(tx, { before: before.siteId, now: zone.siteId }, putOf(zone));
    const { at } = actor;
    const by = callerName(actor.caller);
    await insertCorrection(tx.q, { id: newId(), zoneId: id, inside, insideBefore, reason, by, at });
    await audit(tx, actor, {
      action: 'zone.correct-occupancy',
      subject: 'zone',
      subjectId: id,
      reason,
      siteId: zone.siteId,
      before: { inside: insideBefore },
      after: { inside, counted },
    });
    return { ok: true };
  });
}

/** Takes a zone away; lanes that lead into it count towards none. */
export async function deleteZone(db: Db, actor: Actor, id: string): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const zone = await findZone(tx.q, id);
    if (zone === null) return NOT_FOUND;
    await deleteZoneRow(tx.q, id);
    await publishChange(tx, zone.siteId, { kind: 'zone', op: 'remove', id });
    await auditZone(tx, actor, 'zone.delete', zone, null);
    return { ok: true };
  });
}

/** A site has one zone of a name: the same once more is no second one. */
async function namesake(q: Queries, zone: ZoneRow): Promise<Refused | null> {
  const other = (await othersOf(q, zone)).find(({ name }) => name === zone.name);
  if (other === undefined) return null;
  return {
    ok: false,
    reason: 'already-there',
    id: other.id,
    mistake: mistake('zone-taken', [], { name: zone.name }),
  };
}

/** Refuses a lane that belongs to another zone: a car that comes in by it is in one zone. */
async function inLanes(q: Queries, zone: ZoneRow): Promise<Refused | null> {
  const lanes = lanesOf(zone);
  if (lanes.length === 0) return null;
  const mistakes = (await othersOf(q, zone)).flatMap((other) =>
    lanesOf(other)
      .filter((lane) => lanes.includes(lane))
      .map((lane) => mistake('lane-of-another-zone', 'settings.lanes', { lane, zone: other.name })),
  );
  return mistakes.length === 0 ? null : refusedInput(...mistakes);
}

async function othersOf(q: Queries, zone: ZoneRow): Promise<ZoneRow[]> {
  return (await listZones(q, zone.siteId)).filter(({ id }) => id !== zone.id);
}

function putOf(zone: ZoneRow) {
  return { kind: 'zone', op: 'put', id: zone.id, item: zoneItem(zone) } as const;
}

function auditedZone({ id, siteId, name, settings }: ZoneRow) {
  return { id, siteId, name, settings };
}
