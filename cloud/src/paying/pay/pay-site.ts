import { DEFAULT_LANGUAGE } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PaySite, PaySiteName } from '@hlid/protocol/pages/pay-api';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import { type PriceBoard, priceBoard } from '@hlid/protocol/words/price-board';
import { soldProducts } from '../../money/products/pricing-product.ts';
import type { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import type { CardGateway } from '../../platform/card-gateways/gateway.ts';
import { GATEWAY_KINDS } from '../../platform/card-gateways/gateway-kinds.ts';
import type { Queries } from '../../platform/db/db.ts';
import { type ChosenSite, siteByCode } from '../../records/sites/choose-site.ts';
import { listSites, siteName } from '../../records/sites/find-sites.ts';
import { payAfterDays } from '../online-payments/order-payment.ts';

/** The gateway by which a site takes cards online; null: none. */
export function siteGateway(
  gateways: CardGateways,
  { cardGateway }: Pick<SiteSettings, 'cardGateway'>,
): CardGateway | null {
  return gateways.choose(cardGateway, undefined)?.gateway ?? null;
}

/** A site as the payment page shows it; null: there is none with that code. */
export async function paySite(
  q: Queries,
  gateways: CardGateways,
  code: string,
  now: UtcTime,
): Promise<PaySite | null> {
  const site = await siteByCode(q, code);
  return site && (await viewSite(q, gateways, site, now));
}

/** The sites that take cards online. */
export async function paySites(q: Queries, gateways: CardGateways): Promise<PaySiteName[]> {
  const sites = await listSites(q);
  return sites
    .filter(({ site }) => siteGateway(gateways, site.settings) !== null)
    .map(({ site: { code, name } }) => ({ code, name }));
}

/** The price of a stay at a site, for drivers who have not typed a plate; null: nothing has a price. */
export async function sitePrices(
  q: Queries,
  { id, timeZone, currency, settings }: Pick<ChosenSite, 'id' | 'timeZone' | 'currency' | 'settings'>,
  now: UtcTime,
  channel?: 'online',
): Promise<PriceBoard | null> {
  const { entryGraceMinutes } = settings;
  const terms = { currency, entryGraceMinutes, ...(channel && { channel }) };
  return priceBoard(await soldProducts(q).now({ id, timeZone, settings }, now), terms);
}

async function viewSite(
  q: Queries,
  gateways: CardGateways,
  { id, code, timeZone, currency, settings }: ChosenSite,
  now: UtcTime,
): Promise<PaySite> {
  const { exitGraceMinutes, helpPhone = null, language = DEFAULT_LANGUAGE, seller } = settings;
  const gateway = siteGateway(gateways, settings);
  const prices = await sitePrices(q, { id, timeZone, currency, settings }, now, 'online');
  const { name, ssn, vatNumber, address } = seller ?? {};
  return {
    code,
    name: await siteName(q, id),
    timeZone,
    currency,
    language,
    exitGraceMinutes,
    helpPhone,
    ...(prices !== null && { prices }),
    payAfterDays: payAfterDays({ settings }),
    seller:
      name === undefined || ssn === undefined
        ? null
        : { name, ssn, ...(vatNumber && { vatNumber }), ...(address && { address }) },
    gateway: gateway && {
      kind: gateway.kind,
      cardInput: gateway.cardInput,
      storesCards: gateway.storesCards,
      cardField: gateway.cardField?.(currency) ?? null,
      isTest: Object.entries(GATEWAY_KINDS).some(([kind, { isTest }]) => isTest && kind === gateway.kind),
    },
  };
}
