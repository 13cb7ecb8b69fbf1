import { newId } from '@hlid/node/new-id';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { auditOf } from '../../people/audit/audit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { mergeSettings } from '../../platform/http/merge-settings.ts';
import { omitUndefined } from '../../platform/omit-undefined.ts';
import { NOT_FOUND, type Refused, type RefusedEdit } from '../../platform/refused.ts';
import { type CameraRow, insertCamera, updateCameraRow } from '../../records/cameras/camera-store.ts';
import { findCamera, findCameraOnSite } from '../../records/cameras/find-cameras.ts';
import { publishItem } from '../../records/feed/publish-item.ts';
import { chooseSite } from '../../records/sites/choose-site.ts';
import { CameraConfigSchema, type CameraEdit, cameraFrom, cameraItem, type NewCamera } from './camera.ts';

const auditCamera = auditOf('camera', cameraFrom);

export type CameraResult = { ok: true; camera: CameraRow } | Refused;

/** Registers a camera of a site, and sends the site how to use its reads. */
export async function createCamera(db: Db, actor: Actor, body: NewCamera): Promise<CameraResult> {
  return await db.write(async (tx) => {
    const chosen = await chooseSite(tx.q, body.siteId);
    if (!chosen.ok) return chosen;
    const { config, ...fields } = body;
    const camera: CameraRow = {
      id: newId(),
      ...fields,
      siteId: chosen.site.id,
      brand: body.brand ?? null,
      status: body.status ?? 'active',
      ...(config ?? CameraConfigSchema.parse({})),
      createdAt: actor.at,
      modifiedAt: actor.at,
    };
    const taken = await takenBy(tx.q, camera);
    if (taken) return taken;
    await insertCamera(tx.q, camera);
    await publishItem(tx, { now: camera.siteId }, putOf(camera));
    await auditCamera(tx, actor, 'camera.create', null, camera);
    return { ok: true, camera };
  });
}

/** Changes what is given. */
export async function updateCamera(
  db: Db,
  actor: Actor,
  id: string,
  { config, ...edit }: CameraEdit,
): Promise<{ ok: true; camera: CameraRow } | RefusedEdit> {
  return await db.write(async (tx) => {
    const before = await findCamera(tx.q, id);
    if (before === null) return NOT_FOUND;
    if (isStale(actor, before)) return STALE;
    const chosen = await chooseSite(tx.q, edit.siteId ?? before.siteId);
    if (!chosen.ok) return chosen;
    const merged = mergeSettings(CameraConfigSchema, cameraFrom(before).config, config, 'config');
    if (!merged.ok) return merged;
    const edited: CameraRow = { ...before, ...omitUndefined(edit), ...merged.settings };
    if (canonicalJson(edited) === canonicalJson(before)) return { ok: true, camera: before };
    const taken = await takenBy(tx.q, edited);
    if (taken) return taken;
    const camera = { ...edited, modifiedAt: actor.at };
    await updateCameraRow(tx.q, camera);
    await publishItem(tx, { before: before.siteId, now: camera.siteId }, putOf(camera));
    await auditCamera(tx, actor, 'camera.update', before, camera);
    return { ok: true, camera };
  });
}

async function takenBy(q: Queries, camera: CameraRow): Promise<Refused | null> {
  const other = await findCameraOnSite(q, camera.siteId, camera.remoteId);
  if (other === null || other.id === camera.id) return null;
  const why = mistake('camera-taken', [], { remoteId: camera.remoteId });
  return { ok: false, reason: 'already-there', id: other.id, mistake: why };
}

function putOf(camera: CameraRow) {
  return { kind: 'camera', op: 'put', id: camera.id, item: cameraItem(camera) } as const;
}
