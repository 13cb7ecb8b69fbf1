import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PayDue, PayStay } from '@hlid/protocol/pages/pay-api';
import { invoiceById } from '../../money/invoices/find-invoice.ts';
import { vatOfRest } from '../../money/invoices/vat-of-rest.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { OnlinePayments } from '../online-payments/online-payments.ts';
import { isUnderWayForOthers } from './pay-order-store.ts';

type Quote = Awaited<ReturnType<OnlinePayments['quoteInvoice']>>;

/** The debt of an invoice, as the page shows it. Null: there is no such invoice any more. */
export async function invoiceDue(
  q: Queries,
  { key, invoiceId, quote, now }: { key: string; invoiceId: string; quote: Quote; now: UtcTime },
): Promise<PayDue | null> {
  const invoice = await invoiceById(q, invoiceId);
  if (invoice === null) return null;
  const isChecking = await isUnderWayForOthers(q, { visitId: null, invoiceId }, now);
  const standing = isChecking ? 'checking' : standingOf(quote);
  const { number, dueOn, currency, payerName, soldTo, vat } = invoice;
  const [rate, ...others] = vat;
  const amountMinor = quote.ok && standing === 'due' ? quote.totalMinor : 0;
  return {
    stay: invoiceStay(key),
    standing,
    amountMinor,
    currency,
    lines: [],
    vatRate: others.length === 0 ? (rate?.rate ?? 0) : 0,
    vat: vatOfRest(invoice, amountMinor),
    pricedAt: now,
    paidUntil: null,
    dayPriceMinor: null,
    atExit: false,
    invoice: { number, dueOn, payer: payerName ?? soldTo },
  };
}

function standingOf(quote: Quote): PayDue['standing'] {
  if (quote.ok) return 'due';
  return quote.refusal === 'invoice-paid' ? 'paid' : 'nothing-due';
}

/** An invoice in the form of a stay: there is no car, and whoever has the link may see the invoice. */
export function invoiceStay(key: string): PayStay {
  return {
    key,
    plate: '',
    match: 'equal',
    ended: true,
    proved: true,
    startedAt: null,
    endedAt: null,
    hasPicture: false,
  };
}

/** A site that an invoice is for; null: none is. */
export async function siteOfInvoice(q: Queries, invoiceId: string): Promise<string | null> {
  const invoice = await invoiceById(q, invoiceId);
  return invoice?.incomeParts.find(({ siteId }) => siteId !== null)?.siteId ?? null;
}
