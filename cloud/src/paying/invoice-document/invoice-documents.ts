import { nowUtc } from '@hlid/node/clock';
import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { MailFile } from '../../people/mail/smtp-mailer.ts';
import { ALL_ROWS, type OwnRows } from '../../platform/http/caller.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import type { EInvoiceBuyer } from '../../records/invoices/e-invoice-table.ts';
import { InvoiceLinks } from '../pay/link/invoice-links.ts';
import { cardReceiptOf } from './e-invoice/card-receipt.ts';
import type { EInvoice } from './e-invoice/e-invoice.ts';
import { type EInvoiceResult, eInvoiceOf } from './e-invoice/e-invoice-of.ts';
import { findInvoiceDocument } from './find-document.ts';
import { type InvoicePaper, invoicePaper } from './invoice-paper.ts';

type Context = Pick<CloudContext, 'db' | 'clock' | 'publicUrl' | 'cardGateways'>;

/** An invoice in the forms for people and for programs. */
export interface InvoiceForms {
  paper: InvoicePaper;
  /** Computed when it is asked for: pages do without it. */
  electronic: () => EInvoiceResult;
  /** The time in its files. */
  madeAt: UtcTime;
}

/** Finds invoices as documents, with the links to pay them. */
export class InvoiceDocuments {
  readonly #context: Context;
  readonly #links: InvoiceLinks;

  constructor(context: Context) {
    this.#context = context;
    this.#links = new InvoiceLinks(context);
  }

  /** @param asked absent: the language of the invoice */
  async find(id: string, own: OwnRows, asked?: OfficeLanguage): Promise<InvoiceForms | null> {
    const { db, clock, publicUrl } = this.#context;
    const found = await db.read((q) => findInvoiceDocument(q, id, own, nowUtc(clock)));
    if (found === null) return null;
    const { issuedAt, createdAt } = found.invoice;
    const language = asked ?? found.invoice.language;
    const payAt = (await db.read((q) => this.#links.of(q, found.invoice.id, language)))?.url ?? null;
    const document = { ...found, payAt };
    const address = `${publicUrl()}/console/money/invoices/${found.invoice.id}`;
    return {
      paper: invoicePaper(document, language, address),
      electronic: () => eInvoiceOf(document, language),
      madeAt: issuedAt ?? createdAt,
    };
  }

  /** The receipt of a card payment for a company, as TS 240 drafts it; null: there is no such invoice. */
  async cardReceipt(id: string, buyer: EInvoiceBuyer): Promise<EInvoiceResult | null> {
    const { db, clock } = this.#context;
    const found = await db.read((q) => findInvoiceDocument(q, id, ALL_ROWS, nowUtc(clock)));
    return found && cardReceiptOf({ ...found, payAt: null }, buyer, found.invoice.language);
  }

  /**
   * The files of an invoice for its mail: for people, and for programs where it has what they need.
   *
   * @param company gets it as the receipt of a card payment; null: it is no such receipt
   */
  async files(id: string, company: EInvoiceBuyer | null = null): Promise<MailFile[]> {
    if (company !== null) return await this.#receiptFiles(id, company);
    const found = await this.find(id, ALL_ROWS);
    if (found === null) return [];
    const { paper, madeAt } = found;
    const electronic = found.electronic();
    // Loaded when they are first needed: the cloud starts faster without them.
    const { paperPdf } = await import('../../platform/http/paper-pdf.ts');
    const content = await paperPdf(paper, new Date(madeAt));
    const files: MailFile[] = [{ filename: `${paper.title}.pdf`, contentType: 'application/pdf', content }];
    if (electronic.ok) files.push(await xmlFile(paper.title, electronic.invoice));
    return files;
  }

  async #receiptFiles(id: string, company: EInvoiceBuyer): Promise<MailFile[]> {
    const receipt = await this.cardReceipt(id, company);
    return receipt?.ok ? [await xmlFile(`TS240 ${receipt.invoice.number}`, receipt.invoice)] : [];
  }
}

async function xmlFile(title: string, invoice: EInvoice): Promise<MailFile> {
  const { ublDocument } = await import('./e-invoice/ubl.ts');
  return { filename: `${title}.xml`, contentType: 'application/xml', content: ublDocument(invoice) };
}
