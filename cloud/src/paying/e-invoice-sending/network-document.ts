import { contentDigest } from '@hlid/node/digest';
import type { Mistake } from '@hlid/protocol/base/mistakes/mistake';
import { invoiceById } from '../../money/invoices/find-invoice.ts';
import type { NetworkDocument } from '../../platform/access-points/access-point.ts';
import { documentTypeId, participantId, processId } from '../../platform/access-points/peppol-ids.ts';
import type { Queries } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { EInvoiceRow } from '../../records/invoices/e-invoice-store.ts';
import type { EInvoiceReason } from '../../records/invoices/e-invoice-table.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import type { EInvoice, ElectronicAddress } from '../invoice-document/e-invoice/e-invoice.ts';
import type { InvoiceDocuments } from '../invoice-document/invoice-documents.ts';

/** A document ready for the network, or why there is none. */
export type MadeDocument =
  | { ok: true; document: Omit<NetworkDocument, 'key'>; receiver: string; digest: string }
  | { ok: false; reason: EInvoiceReason; detail: string | null };

export type Documents = Pick<InvoiceDocuments, 'find' | 'cardReceipt'>;

/** Puts an issued invoice or credit note into the form and the envelope of the network. */
export async function makeNetworkDocument(
  documents: Documents,
  { id, buyer: company }: Pick<EInvoiceRow, 'id' | 'buyer'>,
): Promise<MadeDocument> {
  const electronic =
    company === null
      ? ((await documents.find(id, ALL_ROWS))?.electronic() ?? null)
      : await documents.cardReceipt(id, company);
  if (electronic === null) return { ok: false, reason: 'lacks-data', detail: null };
  if (!electronic.ok) return lacking(electronic.mistakes);
  const { seller, buyer } = electronic.invoice;
  if (seller.address === null || buyer.address === null) {
    return { ok: false, reason: 'lacks-data', detail: 'electronicAddress' };
  }
  const { profileOf, ublDocument } = await import('../invoice-document/e-invoice/ubl.ts');
  const profile = profileOf(electronic.invoice);
  const xml = ublDocument(electronic.invoice);
  return {
    ok: true,
    document: {
      sender: participantId(seller.address),
      receiver: participantId(buyer.address),
      documentType: documentTypeId(rootOf(electronic.invoice), profile),
      process: processId(profile),
      country: seller.country,
      xml,
    },
    receiver: addressText(buyer.address),
    digest: contentDigest(xml),
  };
}

function rootOf({ kind }: EInvoice): 'Invoice' | 'CreditNote' {
  return kind === 'invoice' ? 'Invoice' : 'CreditNote';
}

function addressText({ scheme, id }: ElectronicAddress): string {
  return `${scheme}:${id}`;
}

const REASONS: Readonly<Partial<Record<Mistake['code'], EInvoiceReason>>> = {
  'e-invoice-vat-open': 'vat-undecided',
  'e-invoice-vat-mixed': 'vat-mixed',
  'e-invoice-account': 'bank-account',
};

/** What needs another invoice is named before what is only missing. */
function lacking(mistakes: readonly Mistake[]): MadeDocument {
  const deepest = mistakes.flatMap(({ code }) => REASONS[code] ?? []);
  const fields = mistakes.map(({ path }) => path.join('.')).filter((path) => path !== '');
  return { ok: false, reason: deepest[0] ?? 'lacks-data', detail: fields.join(', ') || null };
}

/** The access point that an invoice's site names; of several sites, the first that names one. */
export async function accessPointOf(q: Queries, invoiceId: string): Promise<string | undefined> {
  const invoice = await invoiceById(q, invoiceId);
  const parts = invoice?.incomeParts.map(({ siteId }) => siteId) ?? [];
  for (const siteId of new Set([invoice?.siteId ?? null, ...parts])) {
    const site = siteId === null ? null : await siteById(q, siteId);
    if (site?.settings.accessPoint !== undefined) return site.settings.accessPoint;
  }
  return undefined;
}
