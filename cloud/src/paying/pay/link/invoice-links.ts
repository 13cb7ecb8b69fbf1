import { nowUtc } from '@hlid/node/clock';
import type { Language } from '@hlid/protocol/base/language';
import type { PayLink } from '@hlid/protocol/site-link/edge-api';
import type { Queries } from '../../../platform/db/db.ts';
import type { CloudContext } from '../../../platform/http/cloud-env.ts';
import { offerInvoice } from '../../online-payments/order-payment.ts';
import { PayLinks } from './pay-links.ts';

/** Links by which an invoice is paid by card, where it can be: for its mail, its document and the console. */
export class InvoiceLinks {
  readonly #context: Pick<CloudContext, 'cardGateways' | 'clock'>;
  readonly #links: PayLinks;

  constructor(context: Pick<CloudContext, 'db' | 'clock' | 'publicUrl' | 'cardGateways'>) {
    this.#context = context;
    this.#links = new PayLinks(context);
  }

  /** Links can be made within a transaction from here on. */
  async prepare(): Promise<void> {
    await this.#links.prepare();
  }

  /** Null: it is paid or taken back, or none of its sites takes cards online. */
  async of(q: Queries, invoiceId: string, language?: Language): Promise<PayLink | null> {
    const { cardGateways, clock } = this.#context;
    const offer = await offerInvoice(q, { invoiceId }, cardGateways, nowUtc(clock));
    return offer.ok ? await this.#links.ofInvoice(invoiceId, language) : null;
  }
}
