import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type SiteSettings, SiteSettingsSchema } from '@hlid/protocol/records/lane';
import type { SiteItem } from '@hlid/protocol/site-link/site-change';
import { productsSoldAt } from '../../../money/products/find-products.ts';
import { audit } from '../../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import { isStale, STALE } from '../../../platform/http/etag.ts';
import { mergeSettings, type SettingsEdit } from '../../../platform/http/merge-settings.ts';
import { omitUndefined } from '../../../platform/omit-undefined.ts';
import { NOT_FOUND, type Refused, type RefusedEdit, refusedInput } from '../../../platform/refused.ts';
import { hashSecret, makeSecret } from '../../../platform/token-secret.ts';
import { beginFeed } from '../../../records/feed/begin-feed.ts';
import { endFeed, hasItemsOfSite } from '../../../records/feed/end-feed.ts';
import { heldSite } from '../../../records/feed/held-site.ts';
import { publishChange } from '../../../records/feed/publish-change.ts';
import { findSite } from '../../../records/sites/find-sites.ts';
import { NO_LIMITS } from '../../../records/sites/limited-acts.ts';
import {
  addSite,
  removeSite,
  type SiteRow,
  type SiteWithLink,
  updateSite,
} from '../../../records/sites/site-store.ts';
import { DEFAULT_UPGRADE_RING } from '../../../records/sites/site-table.ts';
import { remakeDays } from '../../../records/totals/recount.ts';
import { isTrainingDatabase } from '../../../records/training/training-store.ts';
import { hasVisitsSince } from '../../../records/visits/find-visits.ts';
import { dropEnrolment } from '../enrol-store.ts';
import { SITE_ACTIONS } from '../site-actions.ts';
import { SITE_LOCKED_OUT } from '../site-credentials.ts';
import { brokerHash } from './broker-logins.ts';
import { newSiteCode } from './new-site-code.ts';
import { newSiteId } from './new-site-id.ts';

export interface SiteFields {
  name: string;
  timeZone: string;
  currency: string;
  settings: SiteSettings;
}

type SiteEdit = { [Name in Exclude<keyof SiteFields, 'settings'>]?: SiteFields[Name] | undefined } & {
  settings?: SettingsEdit | undefined;
  upgradeRing?: number | undefined;
};

/** Makes a site with its first secret, which is shown this once, and begins its feed. */
export async function createSite(
  db: Db,
  actor: Actor,
  fields: SiteFields,
): Promise<{ site: SiteRow; secret: string }> {
  const secret = makeSecret();
  return await db.write(async (tx) => {
    const site: SiteRow = {
      id: await newSiteId(tx.q),
      code: await newSiteCode(tx.q),
      ...fields,
      upgradeRing: DEFAULT_UPGRADE_RING,
      approvalLimits: NO_LIMITS,
      ...hashesOf(secret),
      archivedAt: null,
      createdAt: actor.at,
      modifiedAt: actor.at,
    };
    await addSite(tx.q, site);
    await beginFeed(tx, site.id, await publishedItem(tx.q, site, false));
    await auditSite(tx, actor, site.id, 'site.create', { before: null, after: auditedSite(site) });
    return { site, secret };
  });
}

/** The providers that a site may name, by the ids of the cloud's configuration. */
export interface Providers {
  gateways: readonly string[];
  accessPoints: readonly string[];
}

/**
 * Why a site cannot name these providers: drivers could not pay online, or invoices would go nowhere.
 *
 * @param before what it has named already stays
 */
export function providerMistakes(
  { cardGateway, accessPoint }: SiteSettings,
  { gateways, accessPoints }: Providers,
  before?: SiteSettings,
): Mistake[] {
  const isUnknown = (id: string | undefined, old: string | undefined, known: readonly string[]) =>
    id !== undefined && id !== old && !known.includes(id);
  const found: Mistake[] = [];
  if (isUnknown(cardGateway, before?.cardGateway, gateways)) {
    const path = 'settings.cardGateway';
    found.push(gateways.length === 0 ? mistake('no-gateways', path) : notAmong(path, gateways));
  }
  if (isUnknown(accessPoint, before?.accessPoint, accessPoints)) {
    const path = 'settings.accessPoint';
    found.push(accessPoints.length === 0 ? mistake('no-access-points', path) : notAmong(path, accessPoints));
  }
  return found;
}

function notAmong(path: string, values: readonly string[]): Mistake {
  return mistake('not-one-of', path, { values: [...values], more: 0 });
}

/** Changes what is given, and notifies the site. */
export async function changeSite(
  db: Db,
  actor: Actor,
  id: string,
  { settings, ...edit }: SiteEdit,
  providers: Providers,
): Promise<{ ok: true; changed: SiteWithLink } | RefusedEdit> {
  return await db.write(async (tx) => {
    const found = await findSite(tx.q, id);
    if (found === null) return NOT_FOUND;
    if (isStale(actor, found.site)) return STALE;
    const fixed = await currencyMistake(tx.q, found.site, edit.currency);
    if (fixed !== null) return refusedInput(fixed);
    const merged = mergeSettings(SiteSettingsSchema, found.site.settings, settings, 'settings');
    if (!merged.ok) return merged;
    const unknown = providerMistakes(merged.settings, providers, found.site.settings);
    if (unknown.length > 0) return refusedInput(...unknown);
    const fields = { ...omitUndefined(edit), settings: merged.settings };
    const site = { ...found.site, ...fields, modifiedAt: actor.at };
    await updateSite(tx.q, site);
    if (site.timeZone !== found.site.timeZone) await remakeDays(tx.q, id, site.timeZone);
    const isOff = (await heldSite(tx.q, id))?.onlinePayment === 'off';
    const item = await publishedItem(tx.q, site, isOff);
    const headAt = await publishChange(tx, id, { kind: 'site', op: 'put', id: 'site', item });
    const changed = { before: auditedSite(found.site), after: auditedSite(site) };
    await auditSite(tx, actor, id, 'site.update', changed);
    return { ok: true, changed: { ...found, site, headAt } };
  });
}

/** Lets a site know whether its payment page takes cards now. What it knows already is not sent again. */
export async function publishOnlinePayment(tx: Tx, site: SiteRow, isOff: boolean): Promise<void> {
  const held = await heldSite(tx.q, site.id);
  if (held === null || (held.onlinePayment === 'off') === isOff) return;
  const item = await publishedItem(tx.q, site, isOff);
  await publishChange(tx, site.id, { kind: 'site', op: 'put', id: 'site', item });
}

/** A site as its edge gets it. @param isOff its payment page takes no cards now */
async function publishedItem(q: Queries, site: SiteRow, isOff: boolean): Promise<SiteItem> {
  return {
    ...siteItem(site),
    ...(isOff && { onlinePayment: 'off' }),
    ...((await isTrainingDatabase(q)) && { training: true }),
  };
}

/** Amounts that are stored for a site stay in their currency. */
async function currencyMistake(
  q: Queries,
  site: SiteRow,
  currency: string | undefined,
): Promise<Mistake | null> {
  if (currency === undefined || currency === site.currency) return null;
  if (await hasVisitsSince(q, site.id, site.createdAt)) {
    return mistake('visits-priced', 'currency', { currency: site.currency });
  }
  const own = (await productsSoldAt(q, site.id)).filter((product) => product.siteId === site.id);
  const other = own.find((product) => product.currency !== currency);
  if (other === undefined) return null;
  return mistake('product-currency', 'currency', { product: other.productCode, currency: other.currency });
}

/**
 * Archives a site, or brings it back. An archived one is locked out and left out of lists and alarms; what it has done
 * stays. @returns null where there is no such site
 */
export async function archiveSite(
  db: Db,
  actor: Actor,
  id: string,
  isArchived: boolean,
): Promise<SiteWithLink | null> {
  return await db.write(async (tx) => {
    const found = await findSite(tx.q, id);
    if (found === null) return null;
    const rule = isArchived ? SITE_ACTIONS.archive : SITE_ACTIONS.restore;
    if (rule.refuse(found.site) !== null) return found;
    if (isArchived) await setSecret(tx, actor, id, { secret: null, action: 'site.revoke-credentials' });
    const hashes = isArchived ? { secretHash: null, brokerHash: null } : {};
    const archivedAt = isArchived ? actor.at : null;
    const site = { ...found.site, ...hashes, archivedAt, modifiedAt: actor.at };
    await updateSite(tx.q, site);
    const change = { before: { archivedAt: found.site.archivedAt }, after: { archivedAt } };
    await auditSite(tx, actor, id, isArchived ? 'site.archive' : 'site.restore', change);
    return { ...found, site };
  });
}

/** Whether a site was connected, or something belongs to it. */
export async function isUsed(q: Queries, { site, presence }: SiteWithLink): Promise<boolean> {
  const { id, createdAt } = site;
  return presence !== null || (await hasVisitsSince(q, id, createdAt)) || (await hasItemsOfSite(q, id));
}

/** Deletes a site that was never connected and to which nothing belongs. */
export async function deleteSite(db: Db, actor: Actor, id: string): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const found = await findSite(tx.q, id);
    if (found === null) return NOT_FOUND;
    const { site } = found;
    const inUse = SITE_ACTIONS.delete.refuse({ isUsed: await isUsed(tx.q, found) });
    if (inUse !== null) return refusedInput(inUse);
    tx.announce(`${SITE_LOCKED_OUT}${id}`);
    await dropEnrolment(tx.q, id);
    await endFeed(tx.q, id);
    await removeSite(tx.q, id);
    await auditSite(tx, actor, id, 'site.delete', { before: auditedSite(site), after: null });
    return { ok: true };
  });
}

/** Gives a site a new secret in place of the one it has. @returns null where there is no such site */
export async function renewCredentials(db: Db, actor: Actor, id: string): Promise<string | null> {
  const secret = makeSecret();
  const given = { secret, action: 'site.renew-credentials' };
  const renewed = await db.write((tx) => setSecret(tx, actor, id, given));
  return renewed ? secret : null;
}

/** Locks a site out: its link is dropped and its secret no longer good. @returns whether there is such a site */
export async function revokeCredentials(db: Db, actor: Actor, id: string): Promise<boolean> {
  const given = { secret: null, action: 'site.revoke-credentials' };
  return await db.write((tx) => setSecret(tx, actor, id, given));
}

/** A site's new secret, and how it came by it; null locks it out. */
interface GivenSecret {
  secret: string | null;
  action: string;
  /** The address from which the request came. */
  address?: string;
}

/**
 * Replaces the secret of a site and drops its link; a code that could give it another secret is no longer
 * valid. @returns whether there is such a site
 */
export async function setSecret(tx: Tx, actor: Actor, id: string, given: GivenSecret): Promise<boolean> {
  const { secret, action, address } = given;
  const hashes = secret === null ? { secretHash: null, brokerHash: null } : hashesOf(secret);
  const found = await findSite(tx.q, id);
  if (found === null) return false;
  await updateSite(tx.q, { ...found.site, ...hashes, modifiedAt: actor.at });
  await dropEnrolment(tx.q, id);
  tx.announce(`${SITE_LOCKED_OUT}${id}`);
  const status = (hash: string | null) => ({ status: hash === null ? 'revoked' : 'active' });
  await auditSite(tx, actor, id, action, {
    before: status(found.site.secretHash),
    after: { ...status(hashes.secretHash), ...(address !== undefined && { address }) },
  });
  return true;
}

function hashesOf(secret: string): Pick<SiteRow, 'secretHash' | 'brokerHash'> {
  return { secretHash: hashSecret(secret), brokerHash: brokerHash(secret) };
}

async function auditSite(
  tx: Tx,
  actor: Actor,
  subjectId: string,
  action: string,
  change: { before: unknown; after: unknown },
): Promise<void> {
  await audit(tx, actor, { subject: 'site', subjectId, action, ...change });
}

function auditedSite(site: SiteRow) {
  return { ...siteItem(site), upgradeRing: site.upgradeRing };
}

function siteItem({ name, timeZone, currency, settings, code }: SiteRow): SiteItem {
  return { name, timeZone, currency, settings, code };
}
