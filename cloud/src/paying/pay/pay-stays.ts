import { nowUtc } from '@hlid/node/clock';
import type { StoredObject } from '@hlid/node/s3-bucket';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type {
  PayDispute,
  PayDisputed,
  PayDue,
  PayFault,
  PaySite,
  PayStay,
} from '@hlid/protocol/pages/pay-api';
import { PROOF_TOLERANCE_MINUTES } from '@hlid/protocol/pages/pay-paths';
import { sellsDays } from '@hlid/protocol/rules/payment-order';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import { countAttempt } from '../../people/auth/attempt-limit.ts';
import type { Queries } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import { ServerSecret } from '../../platform/http/server-secret.ts';
import type { DisputeRow } from '../../records/disputes/dispute-table.ts';
import { newestDispute } from '../../records/disputes/find-disputes.ts';
import { siteByCode } from '../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { disownCar } from '../../sites/lanes/disown-car.ts';
import { waitsAtExit } from '../../sites/lanes/waiting-cars.ts';
import { findPhoto } from '../../stays/photos/find-photos.ts';
import { pictureKey } from '../../stays/photos/storage/picture-key.ts';
import { payableVisit } from '../../stays/visits/price/decide-now.ts';
import { DisputeLinks } from '../disputes/dispute-links.ts';
import { contestInvoice, contestVisit } from '../disputes/open-dispute.ts';
import type { OnlinePayments } from '../online-payments/online-payments.ts';
import { offerInvoice, vatOfOffer } from '../online-payments/order-payment.ts';
import { afterwardsOf } from './afterwards.ts';
import { siteKnowledge } from './exit-codes.ts';
import { findStays } from './find-stays.ts';
import { invoiceDue, invoiceStay, siteOfInvoice } from './invoice-due.ts';
import { PayLinks } from './link/pay-links.ts';
import { isUnderWayForOthers } from './pay-order-store.ts';
import { paySite } from './pay-site.ts';
import { readStayKey, type StayClaim, sealStayKey } from './stay-key.ts';

const PART = 'pay-page';
/** Times of entry that may be tried for one stay within 15 minutes. */
const PROOFS = 6;
/** Times of entry that may be tried for one stay within a day: 69 of them cover a day. */
const PROOFS_A_DAY = 18;
/** The time is long enough to find the card; a driver who is slower types the plate again. */
const KEY_MS = 4 * HOUR_MS;

/** The answer of a call, or the reason for its refusal. */
export type PayResult<Value> = { ok: true; value: Value } | { ok: false; fault: PayFault };

/** The stays of drivers on the payment page: found by plate, proved, and priced. */
export class PayStays {
  readonly #context: CloudContext;
  readonly #payments: OnlinePayments;
  readonly #secret: ServerSecret;
  readonly #links: PayLinks;
  readonly #disputes: DisputeLinks;

  constructor(context: CloudContext, payments: OnlinePayments) {
    this.#context = context;
    this.#payments = payments;
    this.#secret = new ServerSecret(context, 'pay-page');
    this.#links = new PayLinks(context);
    this.#disputes = new DisputeLinks(context);
  }

  async find(siteCode: string, typed: string): Promise<PayResult<PayStay[]>> {
    const now = this.#now();
    const found = await this.#context.db.read(async (q) => {
      const site = await siteByCode(q, siteCode);
      return site && (await findStays(q, site, typed, now));
    });
    if (found === null) return refused('not-found');
    const stays: PayStay[] = [];
    for (const { visit, plate, match, doubtful } of found) {
      const stay = await this.#view(visit, { plate, match, proof: null });
      stays.push({ ...stay, ...(doubtful && { doubtful: true as const }) });
    }
    return { ok: true, value: stays };
  }

  async open(link: string): Promise<PayResult<{ site: PaySite; stay: PayStay }>> {
    const claim = await this.#links.read(link);
    if (claim === null) return refused('expired');
    const { db, cardGateways } = this.#context;
    if (claim.purpose === 'invoice') return await this.#openInvoice(claim.invoiceId);
    const found = await db.read(async (q) => {
      const visit = await findVisitRow(q, claim.visitId, ALL_ROWS);
      const site = visit && (await paySite(q, cardGateways, visit.siteId, this.#now()));
      return visit && site ? { visit, site } : null;
    });
    if (found === null) return refused('expired');
    const { site, visit } = found;
    const plate = shownPlate(visit.plate ?? '', claim.plateCharacters);
    const proof = claim.purpose === 'shown' ? 'kiosk' : 'link';
    const stay = await this.#view(visit, { plate, match: 'equal', proof });
    return { ok: true, value: { site, stay } };
  }

  async #openInvoice(invoiceId: string): Promise<PayResult<{ site: PaySite; stay: PayStay }>> {
    const { db, cardGateways } = this.#context;
    const site = await db.read(async (q) => {
      const offer = await offerInvoice(q, { invoiceId }, cardGateways, this.#now());
      const siteId = offer.ok ? offer.site.id : await siteOfInvoice(q, invoiceId);
      return siteId === null ? null : await paySite(q, cardGateways, siteId, this.#now());
    });
    if (site === null) return refused('expired');
    const expires = millis(this.#now()) + KEY_MS;
    const key = sealStayKey(await this.#secret.get(), { invoiceId, expires });
    return { ok: true, value: { site, stay: invoiceStay(key) } };
  }

  async prove(key: string, enteredAt: UtcTime): Promise<PayResult<PayStay>> {
    const found = await this.#visit(key);
    if (!found.ok) return found;
    const { visit, claim } = found.value;
    const limits = [
      { key: `pay-proof-stay ${visit.id}`, limit: PROOFS },
      { key: `pay-proof-day ${visit.id}`, limit: PROOFS_A_DAY, windowMs: DAY_MS },
    ];
    const wait = await this.#context.db.write(({ q }) => countAttempt(q, limits, this.#now()));
    if (wait !== null) return refused('too-many-requests');
    const off = Math.abs(millis(visit.startedAt) - millis(enteredAt));
    if (off > PROOF_TOLERANCE_MINUTES * MINUTE_MS) return refused('wrong-proof');
    return { ok: true, value: await this.#view(visit, { ...claim, proof: claim.proof ?? 'time' }) };
  }

  /** The picture of the entry, for its driver. */
  async picture(key: string): Promise<PayResult<Pick<StoredObject, 'body'> & { contentType: string }>> {
    const found = await this.#visit(key);
    if (!found.ok) return found;
    if (found.value.claim.proof === null) return refused('proof-needed');
    const { entryReadId } = found.value.visit;
    const { db, pictures } = this.#context;
    const photo = entryReadId && (await db.read((q) => findPhoto(q, entryReadId, ALL_ROWS)));
    const stored = photo ? pictureKey(photo.photo, 'vehicle') : null;
    const picture = stored === null ? null : await pictures.get(stored);
    if (stored === null || picture === null) return refused('not-found');
    const contentType = stored.endsWith('.png') ? 'image/png' : 'image/jpeg';
    return { ok: true, value: { body: picture.body, contentType } };
  }

  async due(key: string): Promise<PayResult<PayDue>> {
    const claim = readStayKey(await this.#secret.get(), key, this.#now());
    if (claim !== null && 'invoiceId' in claim) {
      const { invoiceId } = claim;
      const quote = await this.#payments.quoteInvoice({ invoiceId });
      const due = await this.#context.db.read((q) =>
        invoiceDue(q, { key, invoiceId, quote, now: this.#now() }),
      );
      return due === null ? refused('expired') : { ok: true, value: due };
    }
    return await this.#dueOfStay(key);
  }

  async #dueOfStay(key: string): Promise<PayResult<PayDue>> {
    const found = await this.#visit(key);
    if (!found.ok) return found;
    const { visit, claim } = found.value;
    const now = this.#now();
    const quote = await this.#payments.quote({ vehicle: { visitId: visit.id } });
    const siteAway = visit.endedAt === null && (await this.#payments.isSiteAway(visit.siteId));
    const { site, due, isAtExit, isChecking, afterwards, contested, known } = await this.#context.db.read(
      async (q) => {
        const at = await siteOfVisit(q, visit);
        return {
          site: at,
          due: await payableVisit(q, visit, at, now),
          isAtExit: await waitsAtExit(q, visit, at, now),
          isChecking: await isUnderWayForOthers(q, { visitId: visit.id, invoiceId: null }, now),
          afterwards: await afterwardsOf(q, visit, at, now),
          contested: claim.proof === null ? null : await newestDispute(q, visit.id),
          known: await siteKnowledge(q, visit, { isAway: siteAway, at: now }),
        };
      },
    );
    const { product, standing: atGate } = due;
    const standing = isChecking ? 'checking' : standingOf(quote, atGate);
    const isDue = quote.ok && standing === 'due';
    const fees = isDue ? quote.fees.map(({ rule, amountMinor }) => ({ rule, units: 1, amountMinor })) : [];
    const maySell = visit.endedAt === null && product !== null && sellsDays(product);
    return {
      ok: true,
      value: {
        stay: await this.#view(visit, claim, key),
        standing,
        atExit: isAtExit && isDue,
        pricedAt: now,
        amountMinor: isDue ? quote.totalMinor : 0,
        currency: isDue ? quote.bill.currency : site.currency,
        lines: isDue ? [...quote.bill.lines, ...fees] : [],
        vatRate: (isDue ? quote.bill.product.vatRate : product?.vatRate) ?? 0,
        vat: isDue ? vatOfOffer(quote) : [],
        ...(isDue && afterwards !== null && { afterwards }),
        paidUntil: visit.paidUntil,
        ...due.times(),
        siteAway,
        codes: known.codes,
        ...(contested !== null && { dispute: disputeOf(contested) }),
        dayPriceMinor: maySell ? product.priceMinor : null,
      },
    };
  }

  /** The exit opens for a driver with a car that it keeps in doubt. */
  async disown(key: string, typed: string): Promise<PayResult<object>> {
    const found = await this.#visit(key);
    if (!found.ok) return found;
    const { id: visitId } = found.value.visit;
    const statement = { visitId, typed, page: 'pay-page' } as const;
    const result = await disownCar(this.#context, cloudActor(PART, this.#now()), statement);
    if (result.ok) return { ok: true, value: {} };
    return refused(result.reason === 'input' ? 'bad-input' : result.reason);
  }

  /** The driver of a proved stay, or whoever has the link of an invoice, contests it. @param address of the browser */
  async contest(
    { stay, text, email = undefined, language }: PayDispute,
    address: string,
  ): Promise<PayResult<PayDisputed>> {
    const claim = readStayKey(await this.#secret.get(), stay, this.#now());
    if (claim === null) return refused('expired');
    if (!('invoiceId' in claim) && claim.proof === null) return refused('proof-needed');
    const isLink = 'invoiceId' in claim || claim.proof === 'link';
    const channel = isLink ? 'link' : 'pay-page';
    const given = { source: 'driver', channel, text, email: email ?? null, language, address } as const;
    await this.#disputes.prepare();
    const opened = await this.#context.db.write(async (tx) => {
      const actor = cloudActor(PART, this.#now());
      if ('invoiceId' in claim) {
        const invoice = await findInvoice(tx.q, claim.invoiceId, ALL_ROWS);
        return invoice && (await contestInvoice(tx, this.#disputes, actor, invoice, given));
      }
      const visit = await findVisitRow(tx.q, claim.visitId, ALL_ROWS);
      return visit && (await contestVisit(tx, this.#disputes, actor, visit, given));
    });
    if (opened?.ok) {
      const link = await this.#disputes.of(opened.id, language);
      return { ok: true, value: { link: link.key } };
    }
    return refused(opened?.reason === 'too-many' ? 'too-many-requests' : 'disputed');
  }

  /** The visit of a key. */
  async #visit(key: string): Promise<PayResult<{ visit: VisitRow; claim: StayClaim }>> {
    const claim = readStayKey(await this.#secret.get(), key, this.#now());
    if (claim === null || 'invoiceId' in claim) return refused('expired');
    const visit = await this.#context.db.read((q) => findVisitRow(q, claim.visitId, ALL_ROWS));
    return visit === null ? refused('expired') : { ok: true, value: { visit, claim } };
  }

  /** The subject of an order on the page. `proved`: the caller has shown more than a plate. */
  async subjectOf(
    key: string,
  ): Promise<PayResult<{ visit: VisitRow; proved: boolean } | { invoiceId: string }>> {
    const named = readStayKey(await this.#secret.get(), key, this.#now());
    if (named !== null && 'invoiceId' in named) return { ok: true, value: { invoiceId: named.invoiceId } };
    const found = await this.#visit(key);
    if (!found.ok) return found;
    const { visit, claim } = found.value;
    return { ok: true, value: { visit, proved: claim.proof !== null } };
  }

  /**
   * The visit of a key that proves the car to be its driver's; null: it does not, or the plate is not certain. `bySent`: by
   * a link that was sent to them, and not by a time that others can know.
   */
  async provedVisit(key: string): Promise<{ visit: VisitRow; bySent: boolean } | null> {
    const found = await this.#visit(key);
    if (!found.ok) return null;
    const { visit, claim } = found.value;
    const { proof, match, plate } = claim;
    const isProved = proof === 'time' || proof === 'link';
    const isSure = isProved && match === 'equal' && plate === visit.plate;
    return isSure ? { visit, bySent: proof === 'link' } : null;
  }

  async isAtExit(q: Queries, visit: VisitRow): Promise<boolean> {
    return await waitsAtExit(q, visit, await siteOfVisit(q, visit), this.#now());
  }

  /** @param key the one that the page has; absent: a new one */
  async #view(
    visit: VisitRow,
    { plate, match, proof }: Omit<StayClaim, 'expires' | 'visitId'>,
    key?: string,
  ): Promise<PayStay> {
    const expires = millis(this.#now()) + KEY_MS;
    const claim = { visitId: visit.id, plate, match, proof, expires };
    const proved = proof !== null;
    return {
      key: key ?? sealStayKey(await this.#secret.get(), claim),
      plate,
      match,
      proved,
      ended: visit.endedAt !== null,
      startedAt: proved ? visit.startedAt : null,
      endedAt: proved ? visit.endedAt : null,
      hasPicture: proved && visit.entryReadId !== null,
    };
  }

  #now(): UtcTime {
    return nowUtc(this.#context.clock);
  }
}

function disputeOf({ state, openedAt, answer }: DisputeRow): NonNullable<PayDue['dispute']> {
  return { state, openedAt, answer };
}

function standingOf(
  quote: Awaited<ReturnType<OnlinePayments['quote']>>,
  atGate: Awaited<ReturnType<typeof payableVisit>>['standing'],
): PayDue['standing'] {
  if (quote.ok) return 'due';
  if (quote.refusal === 'too-late') return 'too-late';
  return atGate === 'need-plate' || atGate === 'due' ? 'no-price' : atGate;
}

/** The first characters of a plate, as many as a link may show; the rest are dots. */
function shownPlate(plate: string, characters: number | null): string {
  if (characters === null) return plate;
  return [...plate].map((character, at) => (at < characters ? character : '•')).join('');
}

function refused(fault: PayFault): { ok: false; fault: PayFault } {
  return { ok: false, fault };
}
