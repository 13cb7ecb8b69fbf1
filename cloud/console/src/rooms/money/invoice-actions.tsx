import { FileText } from 'lucide-react';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { isOperator, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { LANGUAGE } from '../../words/words.ts';
import { ContestDialog } from '../disputes/dispute-card.tsx';
import { DISPUTE } from '../disputes/dispute-words.ts';
import { ChargebackDialog } from './chargeback-dialog.tsx';
import { CreditDialog } from './credit-dialog.tsx';
import { MailDialog, PaidDialog, PayerDialog, RemoteDialog } from './invoice-dialogs.tsx';
import { INVOICE } from './invoice-words.ts';
import { type InvoiceWithLines, payLinkApi } from './money-calls.ts';
import { PAYMENT } from './payment-words.ts';
import { RefundDialog } from './refund-dialog.tsx';

const ACT_NAMES = {
  'set-payer': INVOICE.setPayer,
  'mark-paid': INVOICE.markPaid,
  receipt: INVOICE.mail,
  'mark-accounting': INVOICE.markRemote,
  chargeback: PAYMENT.newChargeback,
  credit: INVOICE.credit,
  contest: DISPUTE.contest,
  refund: INVOICE.refund,
} as const satisfies Partial<Record<InvoiceWithLines['actions'][number], string>>;
type Act = keyof typeof ACT_NAMES;

const DIALOGS = {
  'set-payer': PayerDialog,
  'mark-paid': PaidDialog,
  receipt: MailDialog,
  'mark-accounting': RemoteDialog,
  chargeback: ChargebackDialog,
  credit: CreditDialog,
  contest: ContestInvoice,
  refund: RefundDialog,
} as const satisfies Record<Act, unknown>;
/** The acts in the order of their buttons. */
const ACTS = Object.keys(DIALOGS).filter((act): act is Act => act in ACT_NAMES);

function ContestInvoice({ invoice, onClose }: { invoice: InvoiceWithLines; onClose: () => void }) {
  const title = DISPUTE.contestInvoice({ number: invoice.number });
  return <ContestDialog about={{ invoiceId: invoice.id }} title={title} onClose={onClose} />;
}

/** What the reader may do with an invoice: buttons, keys and the dialogs that they open. */
export function InvoiceActions({ invoice }: { invoice: InvoiceWithLines }) {
  const session = useSession();
  const [open, setOpen] = useState<Act | null>(null);
  const acts = ACTS.filter((act) => invoice.actions.includes(act));
  const on = (act: Act) => (acts.includes(act) && open === null ? () => setOpen(act) : null);
  useShortcut('r', INVOICE.refund, on('refund'));
  useShortcut('m', INVOICE.mail, on('receipt'));
  useShortcut('b', INVOICE.markRemote, on('mark-accounting'));
  const Shown = open === null ? null : DIALOGS[open];
  const document = `/invoice/${encodeURIComponent(invoice.id)}/document`;
  const pay = usePayInvoice(invoice);
  const openDocument = () => void window.open(document, '_blank', 'noopener');
  useShortcut('d', INVOICE.document, open === null ? openDocument : null);
  return (
    <>
      <a className="button plain" href={document} target="_blank" rel="noopener">
        <FileText size={14} aria-hidden="true" /> {INVOICE.document}
      </a>
      <a className="button plain" href={`${document}?as=pdf`} target="_blank" rel="noopener">
        <FileText size={14} aria-hidden="true" /> {INVOICE.pdf}
      </a>
      {invoice.number !== null && invoice.customer !== null && (
        <DownloadButton label={INVOICE.xml} href={`${document}?as=xml`} fileName={`${invoice.number}.xml`} />
      )}
      {invoice.actions.includes('pay-link') && !isOperator(session) && (
        <Button look="primary" onPress={pay}>
          {INVOICE.pay}
        </Button>
      )}
      {acts.map((act) => (
        <Button key={act} look={act === 'set-payer' ? 'primary' : 'plain'} onPress={() => setOpen(act)}>
          {ACT_NAMES[act]}
        </Button>
      ))}
      {Shown && <Shown invoice={invoice} onClose={() => setOpen(null)} />}
    </>
  );
}

/** Leads to the invoice on the payment page, in the same tab: one way back leads here. */
function usePayInvoice({ id }: InvoiceWithLines): () => void {
  const toasts = useToasts();
  const begin = useSubmit(
    (_: null, headers) =>
      read(
        payLinkApi.invoice[':id']['pay-link'].$post(
          { param: { id }, json: { language: LANGUAGE } },
          { headers },
        ),
      ),
    { invalidates: [], onDone: ({ url }) => location.assign(url) },
  );
  return () => begin.mutate(null, { onError: toasts.failed });
}
