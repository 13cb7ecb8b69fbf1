import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { isAlarm } from '@hlid/protocol/records/device';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import { productsSoldAt } from '../../money/products/find-products.ts';
import type { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { heldSite } from '../../records/feed/held-site.ts';
import { listSites } from '../../records/sites/find-sites.ts';
import type { SiteRow } from '../../records/sites/site-store.ts';
import { ONLINE_PAYMENT } from '../../sites/devices/device.ts';
import { ingestDevice } from '../../sites/devices/ingest-device.ts';
import { deviceRowsOf, onlinePaymentOf } from '../../sites/devices/site-devices.ts';
import { publishOnlinePayment } from '../../sites/sites/change/change-sites.ts';

/** Whether drivers can pay in this way: `absent` if it is not set up. */
export type WayToPay = 'works' | 'down' | 'absent';

/** The ways in which drivers of a site can pay, and whether they let every driver out who owes. */
export interface SiteWays {
  kiosk: WayToPay;
  online: WayToPay;
  invoices: boolean;
  /** `none`: no way was set up, and the site has prices; `not-working`: none of them works now. */
  problem: 'none' | 'not-working' | null;
}

interface WaysContext {
  db: Db;
  cardGateways: CardGateways;
  publicUrl: () => string;
}

const CHECK_EVERY_MS = 5 * MINUTE_MS;

/** How drivers of a site can pay now, as far as the cloud knows. */
export async function waysOfSite(
  q: Queries,
  context: Pick<WaysContext, 'cardGateways' | 'publicUrl'>,
  site: Pick<SiteRow, 'id' | 'settings'>,
): Promise<SiteWays> {
  const { settings } = site;
  const kiosk = await kioskOf(q, site);
  const online = await onlineOf(q, context, site);
  const invoices = settings.invoicesOwners;
  const ways = { kiosk, online, invoices };
  if (invoices || kiosk === 'works' || online === 'works') return { ...ways, problem: null };
  if (kiosk === 'down' || online === 'down') return { ...ways, problem: 'not-working' };
  const isFree = (await productsSoldAt(q, site.id)).length === 0;
  return { ...ways, problem: isFree ? null : 'none' };
}

async function kioskOf(q: Queries, { id, settings }: Pick<SiteRow, 'id' | 'settings'>): Promise<WayToPay> {
  const devices = await deviceRowsOf(q, id);
  if (devices.some(({ kind, state }) => kind === 'kiosk' && isAlarm(state))) return 'down';
  if (settings.hasKiosk !== undefined) return settings.hasKiosk ? 'works' : 'absent';
  const terminals = devices.filter(({ kind }) => kind === 'terminal');
  if (terminals.length === 0) return 'absent';
  return terminals.some(({ state }) => !isAlarm(state)) ? 'works' : 'down';
}

async function onlineOf(
  q: Queries,
  { cardGateways, publicUrl }: Pick<WaysContext, 'cardGateways' | 'publicUrl'>,
  { id, settings }: Pick<SiteRow, 'id' | 'settings'>,
): Promise<WayToPay> {
  if (isElsewhere(settings, publicUrl())) return 'works';
  if (cardGateways.choose(settings.cardGateway, undefined) === null) {
    return settings.payOnline === undefined ? 'absent' : 'down';
  }
  const checked = await onlinePaymentOf(q, id);
  return checked?.state === 'failing' ? 'down' : 'works';
}

/** Its drivers pay on another party's page, of which the cloud knows nothing. */
function isElsewhere({ payOnline }: Pick<SiteSettings, 'payOnline'>, publicUrl: string): boolean {
  return payOnline !== undefined && new URL(payOnline).origin !== new URL(publicUrl).origin;
}

/**
 * Lets the sites that send their drivers to our payment page know while its gateway is off: they show it nowhere then. Raises
 * an alarm where such a site has no other way to pay that works. It ends when the gateway works, or another way does.
 */
export function waysToPayRun(context: WaysContext): ScheduledRun {
  const { db, cardGateways } = context;
  return {
    name: 'ways-to-pay',
    everyMs: CHECK_EVERY_MS,
    isDue: async () => (await db.read((q) => sitesToCheck(q, context))).length > 0,
    async work({ now, signal }) {
      const problems = new Map<string, string | null>();
      for (const { site, isOurs, dependsOnUs } of await db.read((q) => sitesToCheck(q, context))) {
        if (signal.aborted) return;
        const off = isOurs ? await gatewayProblem(cardGateways, site.settings, problems) : null;
        const problem = dependsOnUs ? off : null;
        await db.write(async (tx) => {
          await publishOnlinePayment(tx, site, off !== null);
          const before = await onlinePaymentOf(tx.q, site.id);
          if (problem === null && before === null) return;
          const detail =
            problem === null ? '' : `online payment is the only way to pay and does not work: ${problem}`;
          const state = problem === null ? 'ok' : 'failing';
          const since = before?.state === state ? before.since : now;
          await ingestDevice(
            tx,
            { siteId: site.id, at: now },
            { type: 'device.changed', ...ONLINE_PAYMENT, state, detail, since },
          );
        });
      }
    },
  };
}

/** Sites with our payment page, which of them depend on it, and those that had it at the last check. */
async function sitesToCheck(
  q: Queries,
  { publicUrl }: Pick<WaysContext, 'publicUrl'>,
): Promise<{ site: SiteRow; isOurs: boolean; dependsOnUs: boolean }[]> {
  const found: { site: SiteRow; isOurs: boolean; dependsOnUs: boolean }[] = [];
  for (const { site } of await listSites(q)) {
    const { payOnline, invoicesOwners } = site.settings;
    const isOurs = payOnline !== undefined && !isElsewhere(site.settings, publicUrl());
    const dependsOnUs = isOurs && !invoicesOwners && (await kioskOf(q, site)) !== 'works';
    const wasChecked = async () =>
      (await onlinePaymentOf(q, site.id)) !== null || (await heldSite(q, site.id))?.onlinePayment === 'off';
    if (isOurs || (await wasChecked())) found.push({ site, isOurs, dependsOnUs });
  }
  return found;
}

/** Why the gateway of a site takes no payments; null: it does. @param known what was found of gateways in this check */
async function gatewayProblem(
  gateways: CardGateways,
  { cardGateway }: Pick<SiteSettings, 'cardGateway'>,
  known: Map<string, string | null>,
): Promise<string | null> {
  const chosen = gateways.choose(cardGateway, undefined);
  if (chosen === null) return 'the cloud has no card gateway for the site (cardGateways in cloud.yaml)';
  const { id, gateway } = chosen;
  const found = known.get(id);
  if (found !== undefined) return found;
  const problem = await gateway.diagnose().then(
    (diagnosis) => diagnosis.problem,
    (error: unknown) => messageOf(error),
  );
  const named = problem === null ? null : `gateway ${id}: ${problem}`;
  known.set(id, named);
  return named;
}
