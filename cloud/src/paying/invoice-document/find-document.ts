import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { findInvoice, invoiceById } from '../../money/invoices/find-invoice.ts';
import {
  type InvoiceBuyer,
  type Place,
  type Seller,
  snapshotsOf,
} from '../../money/invoices/invoice-snapshot.ts';
import type { InvoiceWithCustomer } from '../../money/invoices/invoice-store.ts';
import { pendingInvoice } from '../../money/payments/pending-invoice.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import { daysOf } from '../billing/billing-period.ts';

/** What the document of an invoice shows: of an issued one, nothing but what stood there when it was issued. */
export interface InvoiceDocument {
  invoice: InvoiceWithCustomer;
  /** The car park is simulated, and so is the document. */
  isTraining: boolean;
  seller: Seller | undefined;
  /** What electronic invoices say about the customer; null: nothing. */
  buyer: InvoiceBuyer | null;
  /** What a credit note takes back, or what takes a credit note back. */
  credited: { number: number; issuedAt: UtcTime } | null;
  /** The places by the number of their row. */
  places: ReadonlyMap<number, Place>;
  /** The time zone for the times of the invoice itself. */
  timeZone: string;
  /** The first and the last day of a collected invoice. */
  days: readonly [string, string] | null;
  /** The address at which it is paid by card; null: it is paid, or cannot be paid by card. */
  payAt: string | null;
}

/** The document of an invoice that the caller may see. */
export async function findInvoiceDocument(
  q: Queries,
  id: string,
  own: OwnRows,
  now: UtcTime,
): Promise<Omit<InvoiceDocument, 'payAt'> | null> {
  const invoice = (await findInvoice(q, id, own)) ?? (await pendingInvoice(q, id, own, now));
  if (invoice === null) return null;
  const { sellers, places, buyers } = await snapshotsOf(q, [invoice]);
  const credited = invoice.creditOf === null ? null : await invoiceById(q, invoice.creditOf);
  const [place] = places.values();
  // One that has not been issued may still change.
  const site = invoice.number === null && invoice.siteId !== null ? await siteById(q, invoice.siteId) : null;
  return {
    invoice,
    isTraining: await isTrainingDatabase(q),
    seller: invoice.sellerId === null ? site?.settings.seller : sellers.get(invoice.sellerId),
    buyer: (invoice.buyerId === null ? null : buyers.get(invoice.buyerId)) ?? null,
    credited:
      credited?.number == null || credited.issuedAt === null
        ? null
        : { number: credited.number, issuedAt: credited.issuedAt },
    places,
    timeZone: place?.timeZone ?? site?.timeZone ?? 'UTC',
    days: invoice.period === null ? null : daysOf(invoice.period),
  };
}
