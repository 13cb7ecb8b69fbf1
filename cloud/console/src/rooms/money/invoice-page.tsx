import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useAddress, useId } from '../../shell/room-address.ts';
import { useSession } from '../../shell/session.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { loadRoomWords } from '../../words/words.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { DisputeCard } from '../disputes/dispute-card.tsx';
import { EInvoiceCard } from './e-invoice-card.tsx';
import { InvoiceActions } from './invoice-actions.tsx';
import { InvoiceFacts } from './invoice-facts.tsx';
import { InvoiceHistory } from './invoice-history.tsx';
import { InvoiceLines, InvoiceVat } from './invoice-lines.tsx';
import { INVOICE } from './invoice-words.ts';
import { type InvoiceWithLines, readInvoice } from './money-calls.ts';
import './money.css';

const InvoiceClaims = lazy(async () => {
  await loadRoomWords(['claims']);
  return { default: (await import('../claims/invoice-claims.tsx')).InvoiceClaims };
});

/** An invoice with its lines, its VAT and its history, and what can be done with it. */
export function InvoicePage() {
  const id = useId();
  const addressOf = useAddress();
  const session = useSession();
  const query = useQuery({ queryKey: ['invoices', 'one', id], queryFn: () => readInvoice(id) });
  const invoice = query.data;
  // A credit note asks for nothing.
  const isForOffice =
    session.permissions.includes('money') && invoice?.number !== null && (invoice?.price.amount ?? 0) > 0;
  return (
    <Page
      title={titleOf(invoice)}
      isWide={false}
      {...(invoice && { actions: <InvoiceActions invoice={invoice} /> })}
    >
      <BackLink to={addressOf('money')} search={{ tab: 'invoices' }}>
        {INVOICE.back}
      </BackLink>
      {query.error && !invoice && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {invoice && (
        <>
          <InvoiceFacts invoice={invoice} />
          <EInvoiceCard invoice={invoice} />
          {isForOffice && (
            <Suspense>
              <InvoiceClaims invoice={invoice} />
            </Suspense>
          )}
          <DisputeCard about={{ invoiceId: invoice.id }} />
          <ApprovalCard about={{ invoiceId: invoice.id }} />
          <InvoiceLines invoice={invoice} />
          <InvoiceVat invoice={invoice} />
          <InvoiceHistory invoice={invoice} />
        </>
      )}
    </Page>
  );
}

/** A credit note has a number of the same series. */
function titleOf(invoice: InvoiceWithLines | undefined): string {
  const { number = null, kind } = invoice ?? {};
  return number !== null && kind === 'credit-note'
    ? INVOICE.creditTitle({ number })
    : INVOICE.title({ number });
}
