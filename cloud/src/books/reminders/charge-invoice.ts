import { newId } from '@hlid/node/new-id';
import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type Vat, vatOf, vatParts, vatTerms } from '@hlid/protocol/base/vat';
import { siteVatAt, vatOfFee } from '@hlid/protocol/base/vat-schema';
import { hasInvoiceOf } from '../../money/invoices/find-invoice.ts';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import {
  type IssuedInvoice,
  issueNewInvoice,
  type UnissuedInvoice,
} from '../../money/invoices/issue-invoice.ts';
import type { InvoiceLinks } from '../../paying/pay/link/invoice-links.ts';
import { mailInvoice } from '../../paying/pay/link/mail-invoice.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { ReminderRow } from '../../records/books/reminder-table.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';

/** The VAT of a charge: as its site has decided about fees, else that of the price. */
export function vatOfCharge({ lines }: InvoiceRow, { settings, timeZone }: ChosenSite, at: UtcTime): Vat {
  const priced = lines.find(({ rule }) => rule === 'visit') ?? lines[0];
  return vatOfFee(siteVatAt(settings.vat, at, timeZone).fees, vatOf(priced ?? {}));
}

/** An amount before VAT with it, in whole krónur: what is left without VAT is never above the amount. */
export function withVat(netMinor: number, { rate }: Vat): number {
  return Math.floor((netMinor * (10_000 + Math.round(rate * 100))) / 10_000);
}

/**
 * Issues the invoice for the charge of a delivered reminder, to the payer of the invoice that it was about. It has a
 * number and VAT of its own: what was issued does not change, and a charge may be taxed where parking is exempt.
 */
export async function issueCharge(
  tx: Tx,
  { invoice, site, reminder }: { invoice: InvoiceRow; site: ChosenSite; reminder: ReminderRow },
  links: InvoiceLinks,
  at: UtcTime,
): Promise<IssuedInvoice | null> {
  const draft = chargeDraft(invoice, site, reminder, at);
  if (draft.amountMinor <= 0 || (await hasInvoiceOf(tx.q, draft.cause))) return null;
  const issued = await issueNewInvoice(tx, draft, at);
  const { date } = wallClock(at, site.timeZone);
  await mailInvoice(tx, links, issued, [date, date], at);
  return issued;
}

function chargeDraft(
  invoice: InvoiceRow,
  site: ChosenSite,
  { id, chargeMinor: amountMinor, deliveredAt }: ReminderRow,
  at: UtcTime,
): UnissuedInvoice {
  const line = {
    rule: 'reminder-charge' as const,
    visitId: null,
    plate: null,
    units: 1,
    amountMinor,
    name: String(invoice.number),
    noticeAt: deliveredAt ?? at,
    ...vatTerms(vatOfCharge(invoice, site, at)),
  };
  return {
    ...invoice,
    id: newId(),
    number: null,
    series: null,
    sellerId: null,
    buyerId: null,
    soldTo: null,
    status: 'draft',
    cause: id,
    siteId: site.id,
    visitId: null,
    productId: null,
    amountMinor,
    tipMinor: 0,
    openRefundMinor: 0,
    lines: [line],
    vat: vatParts([line]),
    incomeParts: [{ siteId: site.id, vehicleCategory: 'light', invoices: 1, amountMinor }],
    paidWith: null,
    paidAt: null,
    paymentId: null,
    receiptType: null,
    receiptLastFour: null,
    periodFrom: null,
    periodBefore: null,
    period: null,
    publishStatus: invoice.publishStatus === null ? null : 'draft',
    issuedAt: null,
    dueOn: null,
    refundedAt: null,
    remoteStatus: 'draft',
    createdAt: at,
    modifiedAt: at,
  };
}
