import { randomBytes } from 'node:crypto';
import { nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { draftPayment } from '../../money/invoices/invoice-payment.ts';
import type { PaymentRow } from '../../money/payments/payment-store.ts';
import { paymentUnderWay, recordOnlinePayment } from '../../money/payments/record-payment.ts';
import { audit, cloudActor } from '../../people/audit/audit.ts';
import type { CardGateway } from '../../platform/card-gateways/gateway.ts';
import type { Queries } from '../../platform/db/db.ts';
import { PAYER_CLAIMS, type PayerClaim } from '../../records/online-payments/online-payment-table.ts';
import { invoicedPayment, invoicedVisit, type OnlineJournal, PART } from './online-journal.ts';
import {
  findOnlinePayment,
  insertOnlinePayment,
  type OnlinePayment,
  type OnlinePaymentRow,
} from './online-payment-store.ts';
import { type InvoiceOffer, offerInvoice, offerPayment, type PaymentOffer } from './order-payment.ts';
import { isOffice, type Payer, payerName } from './payer.ts';
import type { OnlineContext, PaymentOrder, PaymentTerms, Stepped } from './payment-steps.ts';

/** How long a driver has from the beginning of a payment to its charge. */
const REFERENCE_MS = 15 * MINUTE_MS;
/** A payer with a weaker claim may begin after this time, where the one before has not finished. */
const REPLACED_AFTER_MS = 3 * MINUTE_MS;

/** Stores what is to be paid, before anything is sent. */
export async function storeIntent(
  { db, clock, cardGateways }: Pick<OnlineContext, 'db' | 'clock' | 'cardGateways'>,
  journal: OnlineJournal,
  payer: Payer,
  order: PaymentOrder,
): Promise<Exclude<Stepped, { ok: true }> | { ok: true; payment: OnlinePayment; gateway: CardGateway }> {
  const at = nowUtc(clock);
  const by = payerName(payer);
  const claim = isOffice(payer) ? 'proved' : (order.claim ?? 'typed');
  return await db.write(async (tx) => {
    const offer =
      'invoiceId' in order
        ? await offerInvoice(tx.q, order, cardGateways, at)
        : await offerPayment(tx.q, order, at, isOffice(payer) ? 'office' : 'driver');
    if (!offer.ok) return { ok: false, reason: 'offer', refusal: offer.refusal };
    if (order.maxMinor !== undefined && offer.totalMinor > order.maxMinor) {
      return { ok: false, reason: 'offer', refusal: 'amount-changed' };
    }
    const { cardGateway } = offer.site.settings;
    const chosen = cardGateways.choose(cardGateway, order.provider);
    if (chosen === null) return { ok: false, reason: 'no-gateway' };
    if (order.source === null && chosen.gateway.cardInput === 'card') return { ok: false, reason: 'no-card' };
    const about = 'invoice' in offer ? ofInvoice(offer) : ofVisit(offer);
    const other = await paymentUnderWay(tx.q, about.payment, at);
    if (other !== null) {
      if (!(await mayReplace(tx.q, other, { by, claim }, at)))
        return { ok: false, reason: 'under-way', id: other.invoiceId ?? other.id };
      const input = { kind: 'not-booked', state: 'cancelled', reason: 'replaced' } as const;
      await journal.applyIn(tx, other.id, input, at);
    }
    const payment = newPayment(about, { ...order, by, claim, gatewayId: chosen.id }, at);
    await recordOnlinePayment(tx.q, payment.payment);
    await insertOnlinePayment(tx.q, payment.online);
    const { id, visitId, invoiceId, amountMinor, currency } = payment.payment;
    // An invoice that is paid is there already.
    if (invoiceId === null)
      await draftPayment(tx, await invoicedVisit(tx, payment), invoicedPayment(payment, at), 'draft');
    await audit(tx, cloudActor(PART, at), {
      subject: 'payment',
      subjectId: id,
      action: 'payment.online-begin',
      before: null,
      after: { by, visitId, invoiceId, amountMinor, currency, gateway: chosen.id },
    });
    return { ok: true, payment, gateway: chosen.gateway };
  });
}

/**
 * A stranger can begin a payment for any plate, so one without a begun charge never keeps out a payer with as
 * good a claim. A weaker claim waits until the first payer has had time to finish.
 */
async function mayReplace(
  q: Queries,
  { id, state, createdAt }: PaymentRow,
  { by, claim }: Pick<OnlinePaymentRow, 'by' | 'claim'>,
  at: UtcTime,
): Promise<boolean> {
  const other = state === 'created' ? await findOnlinePayment(q, id) : null;
  if (other === null) return false;
  const isEqualClaim = PAYER_CLAIMS.indexOf(claim) >= PAYER_CLAIMS.indexOf(other.online.claim);
  return isEqualClaim || other.online.by === by || millis(at) - millis(createdAt) >= REPLACED_AFTER_MS;
}

/** The description of a payment in an offer. */
interface Offered {
  payment: Pick<
    PaymentRow,
    | 'siteId'
    | 'visitId'
    | 'invoiceId'
    | 'amountMinor'
    | 'feesMinor'
    | 'currency'
    | 'units'
    | 'lines'
    | 'product'
    | 'receiptKey'
  >;
  online: Pick<OnlinePaymentRow, 'inAdvance' | 'fees' | 'unitsMet' | 'paidMinor' | 'customerId'>;
}

function ofVisit({ visit, bill, fees, totalMinor }: PaymentOffer): Offered {
  const { amountMinor, currency, units, lines, product, inAdvance } = bill;
  return {
    payment: {
      siteId: visit.siteId,
      visitId: visit.id,
      invoiceId: null,
      amountMinor: totalMinor,
      feesMinor: totalMinor - amountMinor,
      currency,
      units,
      lines,
      product,
      receiptKey: newReceiptKey(),
    },
    online: {
      inAdvance,
      fees,
      unitsMet: visit.unitsMet,
      paidMinor: visit.paidMinor,
      customerId: null,
    },
  };
}

function ofInvoice({ invoice, site, totalMinor }: InvoiceOffer): Offered {
  return {
    payment: {
      siteId: site.id,
      visitId: null,
      invoiceId: invoice.id,
      amountMinor: totalMinor,
      feesMinor: 0,
      currency: invoice.currency,
      units: 0,
      lines: [],
      product: null,
      receiptKey: newReceiptKey(),
    },
    online: { inAdvance: false, fees: [], unitsMet: 0, paidMinor: 0, customerId: invoice.customerId },
  };
}

function newReceiptKey(): string {
  return randomBytes(16).toString('base64url');
}

function newPayment(
  offered: Offered,
  order: PaymentTerms & { by: string; claim: PayerClaim; gatewayId: string },
  at: UtcTime,
): OnlinePayment {
  const id = newId();
  const {
    customerId = offered.online.customerId,
    payerName: name = null,
    email = null,
    storeCard = false,
    backPath = null,
  } = order;
  const expiresAt = utcTime(millis(at) + REFERENCE_MS);
  return {
    payment: {
      ...offered.payment,
      id,
      feesVat: null,
      terminalId: null,
      state: 'created',
      transaction: null,
      reason: null,
      needsPerson: false,
      reversalOrderedAt: null,
      siteLostAt: null,
      finding: null,
      receipt: [],
      language: order.language,
      chargedBack: false,
      settledTwice: false,
      mailedAt: null,
      createdAt: at,
      changedAt: at,
    },
    online: {
      ...offered.online,
      id,
      gatewayId: order.gatewayId,
      by: order.by,
      claim: order.claim,
      customerId,
      payerName: name,
      email,
      backPath,
      storeCard,
      expiresAt,
      nonce: randomBytes(16).toString('base64url'),
      step: 'begun',
      card: null,
      cardExpires: null,
      gatewayState: {},
      chargeEndsAt: null,
      booking: null,
      storedToken: null,
      revision: 0,
      attempts: 0,
      dueAt: expiresAt,
      heldBy: null,
    },
  };
}
