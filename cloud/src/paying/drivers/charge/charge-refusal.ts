import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { CardGateways } from '../../../platform/card-gateways/card-gateways.ts';
import type { Queries } from '../../../platform/db/db.ts';
import {
  type DriverCardRow,
  type DriverChargeRow,
  type DriverRow,
  spentBy,
} from '../../../records/drivers/driver-store.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { doubtOf, timeAtSite } from '../../../stays/charges/charge-doubts.ts';
import { offerPayment, type PaymentOffer } from '../../online-payments/order-payment.ts';

/** A charge with all that decides whether its card may pay for its stay. */
interface StayToCharge {
  charge: DriverChargeRow;
  driver: DriverRow;
  card: DriverCardRow;
  visit: VisitRow;
}

/** Why a card must not be charged for an offer; null: it may be. */
export async function chargeRefusal(
  q: Queries,
  about: StayToCharge,
  offer: PaymentOffer,
  { cardGateways, day, now }: { cardGateways: CardGateways; day: string; now: UtcTime },
): Promise<string | null> {
  return (
    about.charge.reason ??
    (await doubtOf(q, about, now)) ??
    (await priceDoubtOf(q, offer, now)) ??
    (await refusalByCard(q, about, offer, { cardGateways, day }))
  );
}

/** Why an offer is not for this card, or more than the driver allows; null: it may be charged. */
async function refusalByCard(
  q: Queries,
  { charge, driver, card }: StayToCharge,
  { site, bill, totalMinor }: PaymentOffer,
  { cardGateways, day }: { cardGateways: CardGateways; day: string },
): Promise<string | null> {
  const { caps } = driver;
  const gateway = cardGateways.choose(site.settings.cardGateway, undefined);
  // A token is good at the provider that has made it, and for the merchant to whom the driver gave the card.
  if (gateway?.id !== card.gatewayId) return 'another-gateway';
  if (caps === null || caps.currency !== bill.currency) return 'cap-currency';
  const spent = await spentBy(q, driver.id, { visitId: charge.visitId, day });
  if (spent.stayMinor + totalMinor > caps.stayMinor) return 'cap-stay';
  return spent.dayMinor + totalMinor > caps.dayMinor ? 'cap-day' : null;
}

/** A price is certain where it is the same by our clock and by that of the site, which wrote down when the car came. */
async function priceDoubtOf(
  q: Queries,
  { visit, totalMinor }: PaymentOffer,
  now: UtcTime,
): Promise<string | null> {
  const measured = await timeAtSite(q, visit.siteId, now);
  // The time of the site's message on the way counts as its clock being slow. A stay may be shorter than
  // that.
  const atSite = utcTime(Math.max(millis(measured), millis(visit.startedAt) + 1));
  if (Math.abs(millis(atSite) - millis(now)) < MINUTE_MS) return null;
  const offer = await offerPayment(q, { vehicle: { visitId: visit.id } }, atSite, 'driver');
  return offer.ok && offer.totalMinor === totalMinor ? null : 'site-clock';
}
