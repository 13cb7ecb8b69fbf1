import { randomBytes } from 'node:crypto';
import { newId } from '@hlid/node/new-id';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { auditOf } from '../../people/audit/audit.ts';
import { webhookGiftMistakes } from '../../people/auth/gifts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { omitUndefined } from '../../platform/omit-undefined.ts';
import { NOT_FOUND, type Refused, type RefusedEdit, refusedInput } from '../../platform/refused.ts';
import { newestEvent } from '../../records/integration-events/read-events.ts';
import { INTEGRATION_EVENT } from '../../records/integration-events/record-event.ts';
import { NO_SUCH_SITE, siteById } from '../../records/sites/choose-site.ts';
import { addressMistake } from './outbound-address.ts';
import { chosenOf, type NewWebhook, type WebhookEdit, type WebhookRow, webhookFrom } from './webhook.ts';
import { refuseSending, WEBHOOK_ACTIONS } from './webhook-actions.ts';
import { deleteWebhook, findWebhook, insertWebhook, listWebhooks, updateWebhook } from './webhook-store.ts';

const auditWebhook = auditOf('webhook', webhookFrom);

export type WebhookResult = { ok: true; webhook: WebhookRow } | Refused;

/** Adds a webhook, with a new secret. */
export async function createWebhook(
  db: Db,
  actor: Actor,
  body: NewWebhook,
  allowInternal: boolean,
): Promise<WebhookResult> {
  return await db.write(async (tx) => {
    const { name, url, types = null, siteId = null, after } = body;
    const mistakes = [
      ...(await inputMistakes(tx, { url, siteId }, allowInternal)),
      ...webhookGiftMistakes(actor.caller, { types, siteId }),
    ];
    if (mistakes.length > 0) return refusedInput(...mistakes);
    const same = (await listWebhooks(tx.q)).find((other) => other.name === name && other.url === url);
    if (same !== undefined) {
      const why = mistake('webhook-taken', [], { name });
      return { ok: false, reason: 'already-there', id: same.id, mistake: why };
    }
    const webhook: WebhookRow = {
      id: newId(),
      name,
      url,
      secret: `whsec_${randomBytes(32).toString('base64')}`,
      types,
      siteId,
      status: 'active',
      cursor: after ?? (await newestEvent(tx.q)),
      attempts: 0,
      failingSince: null,
      dueAt: actor.at,
      heldBy: null,
      lastError: null,
      createdAt: actor.at,
      modifiedAt: actor.at,
    };
    await insertWebhook(tx.q, webhook);
    await auditWebhook(tx, actor, 'webhook.create', null, webhook);
    tx.announce(INTEGRATION_EVENT);
    return { ok: true, webhook };
  });
}

/** Changes what is given; one that was paused or failing is tried at once. */
export async function changeWebhook(
  db: Db,
  actor: Actor,
  id: string,
  edit: WebhookEdit,
  allowInternal: boolean,
): Promise<WebhookResult | RefusedEdit> {
  return await db.write(async (tx) => {
    const before = await findWebhook(tx.q, id);
    if (before === null) return NOT_FOUND;
    if (isStale(actor, chosenOf(before))) return STALE;
    const edited = { ...before, ...omitUndefined(edit) };
    const isPaused = edited.status === 'paused' && edited.url === before.url;
    const given = isPaused ? null : refuseSending({ ...edited, caller: actor.caller });
    const mistakes = await inputMistakes(tx, edited, allowInternal);
    if (given !== null) mistakes.push(given);
    if (mistakes.length > 0) return refusedInput(...mistakes);
    const webhook = { ...edited, ...rescheduled(actor, edited), modifiedAt: actor.at };
    await updateWebhook(tx.q, id, webhook);
    await auditWebhook(tx, actor, 'webhook.update', before, webhook);
    tx.announce(INTEGRATION_EVENT);
    return { ok: true, webhook };
  });
}

/** Sends it everything after an event again, as far as events are kept. */
export async function replayWebhook(db: Db, actor: Actor, id: string, after: number): Promise<WebhookResult> {
  return await db.write(async (tx) => {
    const before = await findWebhook(tx.q, id);
    if (before === null) return NOT_FOUND;
    const given = WEBHOOK_ACTIONS.replay.refuse({ ...before, caller: actor.caller });
    if (given !== null) return refusedInput(given);
    if (after > (await newestEvent(tx.q))) return refusedInput(mistake('no-event-yet', 'after'));
    const webhook = { ...before, ...rescheduled(actor, before), cursor: after, modifiedAt: actor.at };
    await updateWebhook(tx.q, id, webhook);
    await auditWebhook(tx, actor, 'webhook.replay', before, webhook);
    tx.announce(INTEGRATION_EVENT);
    return { ok: true, webhook };
  });
}

export async function removeWebhook(db: Db, actor: Actor, id: string): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const webhook = await findWebhook(tx.q, id);
    if (webhook === null) return NOT_FOUND;
    await deleteWebhook(tx.q, id);
    await auditWebhook(tx, actor, 'webhook.delete', webhook, null);
    return { ok: true };
  });
}

/** A process that sends to it meanwhile has it no more. */
function rescheduled({ at }: Actor, { status }: Pick<WebhookRow, 'status'>) {
  const dueAt = status === 'active' ? at : null;
  return { attempts: 0, failingSince: null, lastError: null, dueAt, heldBy: null };
}

async function inputMistakes(
  tx: Tx,
  { url, siteId }: Pick<WebhookRow, 'url' | 'siteId'>,
  allowInternal: boolean,
): Promise<Mistake[]> {
  const address = addressMistake(url, allowInternal);
  const noSite = siteId !== null && (await siteById(tx.q, siteId)) === null;
  return [...(address === null ? [] : [mistake(address, 'url')]), ...(noSite ? [NO_SUCH_SITE] : [])];
}
