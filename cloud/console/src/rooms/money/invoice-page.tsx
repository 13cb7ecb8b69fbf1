import type { auditRoutes } from '@hlid/cloud/people/audit/audit-routes';
import { formatRate } from '@hlid/protocol/base/money';
import { REVERSAL_LOST } from '@hlid/protocol/rules/payment-transitions';
import { Badge } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { useAddress, useId } from '../../shell/room-address.ts';
import { isOperator, may, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSites, useTimeZone } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { Money, moneyText } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Moment, wallText } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { LANGUAGE } from '../../words/words.ts';
import { actionText } from '../audit/audit-words.ts';
import { ContestDialog, DisputeCard } from '../disputes/dispute-card.tsx';
import { DISPUTE } from '../disputes/dispute-words.ts';
import { ChargebackDialog } from './chargeback-dialog.tsx';
import { CreditDialog } from './credit-dialog.tsx';
import { MailDialog, PaidDialog, PayerDialog, RemoteDialog } from './invoice-dialogs.tsx';
import { INVOICE } from './invoice-words.ts';
import { INVOICE_TONES } from './invoices-tab.tsx';
import { type InvoiceWithLines, moneyOf, payLinkApi, readInvoice } from './money-calls.ts';
import { MONEY } from './money-words.ts';
import { PAYMENT } from './payment-words.ts';
import { RefundDialog } from './refund-dialog.tsx';
import '../../ui/plain-table.css';
import './money.css';
import { STATUS } from '../../words/codes.ts';

/** An invoice with its lines, its VAT and its history, and what can be done with it. */
export function InvoicePage() {
  const id = useId();
  const addressOf = useAddress();
  const query = useQuery({ queryKey: ['invoices', 'one', id], queryFn: () => readInvoice(id) });
  const invoice = query.data;
  return (
    <Page title={titleOf(invoice)} isWide={false} {...(invoice && { actions: <Acts invoice={invoice} /> })}>
      <BackLink to={addressOf('money')} search={{ tab: 'invoices' }}>
        {INVOICE.back}
      </BackLink>
      {query.error && !invoice && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {invoice && (
        <>
          <Facts invoice={invoice} />
          <DisputeCard about={{ invoiceId: invoice.id }} />
          <Lines invoice={invoice} />
          <Vat invoice={invoice} />
          <History invoice={invoice} />
        </>
      )}
    </Page>
  );
}

/** A credit note has a number of the same series. */
function titleOf(invoice: InvoiceWithLines | undefined): string {
  const { number = null, price } = invoice ?? {};
  return number !== null && price !== undefined && price.amount < 0
    ? INVOICE.creditTitle({ number })
    : INVOICE.title({ number });
}

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

function isByCard({ paymentType, receipt }: InvoiceWithLines): boolean {
  return paymentType === 'online' || (paymentType === 'kiosk' && receipt !== null);
}

function Acts({ invoice }: { invoice: InvoiceWithLines }) {
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

/** Issued and due; or a purchase, which is issued when it is paid. */
function isOpen({ status, number, creditOf, paymentType, visitId }: InvoiceWithLines): boolean {
  const isPurchase = paymentType === 'online' && visitId === null;
  return status === 'draft' && (number !== null || isPurchase) && creditOf === null;
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

function Facts({ invoice }: { invoice: InvoiceWithLines }) {
  const session = useSession();
  const addressOf = useAddress();
  const sites = useSites();
  const timeZone = useTimeZone(invoice.siteId);
  const { id, price, tip, openRefund, status, payer, customer, paymentType, receipt, period } = invoice;
  const { siteId, visitId, openRefundReason } = invoice;
  const { seller, creditOf, creditNotes, settlement } = invoice;
  const site = siteId === null ? MONEY.severalSites : (sites.find(({ id }) => id === siteId)?.name ?? null);
  const payerText = [payer?.name ?? customer?.name, payer?.ssn].filter(Boolean).join(' · ');
  return (
    <Details
      rows={[
        [MONEY.amount, <Money key="amount" {...moneyOf(price)} />],
        [PAYMENT.tip, tip === 0 ? null : <Money key="tip" amountMinor={tip} currency={price.currency} />],
        [
          INVOICE.openRefund,
          openRefund === 0 ? null : (
            <Badge key="open-refund" tone="caution">
              {INVOICE.mayBeRefunded({
                amount: moneyText({ amountMinor: openRefund, currency: price.currency }),
              })}
            </Badge>
          ),
        ],
        [
          MONEY.status,
          <Badge key="status" tone={INVOICE_TONES[status]}>
            {STATUS.invoice[status]}
          </Badge>,
        ],
        [MONEY.payer, payerText],
        [INVOICE.seller, seller && `${seller.name} · ${seller.ssn}`],
        [
          INVOICE.creditOf,
          creditOf && (
            <Link key="credit-of" to={addressOf(`money/invoices/${creditOf.id}`)}>
              {INVOICE.title({ number: creditOf.number })}
            </Link>
          ),
        ],
        [
          INVOICE.creditNotes,
          creditNotes.length === 0 ? null : <CreditNotes key="notes" invoice={invoice} />,
        ],
        [INVOICE.paidBy, MONEY.paymentTypes[settlement?.way ?? paymentType]],
        [
          PAYMENT.payment,
          isByCard(invoice) && invoice.creditOf === null && may(session, 'money') && isOperator(session) ? (
            <Link key="payment" to={addressOf(`money/payments/${settlement?.paymentId ?? id}`)}>
              {openRefundReason === REVERSAL_LOST ? PAYMENT.lostAtSite : COMMON.open}
            </Link>
          ) : null,
        ],
        [INVOICE.card, receipt && `${receipt.type ?? ''} ${PAYMENT.cardText({ last: receipt.last_four })}`],
        [MONEY.site, isOperator(session) ? site : null],
        [
          INVOICE.period,
          period && `${wallText(period.from, timeZone)} – ${wallText(period.before, timeZone)}`,
        ],
        [INVOICE.paidOn, settlement && <Moment key="paid" at={settlement.on} timeZone={timeZone} />],
        [INVOICE.due, invoice.dueOn],
        [INVOICE.bankAccount, isOpen(invoice) ? seller?.bankAccount : null],
        [INVOICE.reference, isOpen(invoice) ? INVOICE.title({ number: invoice.number }) : null],
        [INVOICE.email, invoice.invoiceEmail],
        [
          INVOICE.remote,
          isOperator(session) && invoice.number !== null ? STATUS.accounting[invoice.remoteStatus] : null,
        ],
        [INVOICE.publish, invoice.publishStatus === null ? null : STATUS.accounting[invoice.publishStatus]],
        [
          MONEY.visit,
          visitId !== null && (!isOperator(session) || may(session, 'visits')) ? (
            <Link key="visit" to={addressOf(`visits/${visitId}`)}>
              {COMMON.open}
            </Link>
          ) : null,
        ],
      ]}
    />
  );
}

function CreditNotes({ invoice: { creditNotes, price } }: { invoice: InvoiceWithLines }) {
  const addressOf = useAddress();
  return (
    <ul>
      {creditNotes.map(({ id, number, amount }) => (
        <li key={id}>
          <Link to={addressOf(`money/invoices/${id}`)}>
            {number !== null && amount < 0 ? INVOICE.creditTitle({ number }) : INVOICE.title({ number })}
          </Link>{' '}
          <Money amountMinor={amount} currency={price.currency} />
        </li>
      ))}
    </ul>
  );
}

/** A collective invoice may have thousands. */
const LINES_AT_FIRST = 50;

function Lines({ invoice: { lines, price } }: { invoice: InvoiceWithLines }) {
  const addressOf = useAddress();
  const [isWhole, setWhole] = useState(lines.length <= LINES_AT_FIRST);
  const shown = isWhole ? lines : lines.slice(0, LINES_AT_FIRST);
  const { currency } = price;
  return (
    <section className="card">
      <h2 id="lines">{INVOICE.lines}</h2>
      <table className="plain-table" aria-labelledby="lines">
        <thead>
          <tr>
            <th scope="col">{INVOICE.line}</th>
            <th scope="col">{MONEY.plate}</th>
            <th scope="col" className="number">
              {INVOICE.vatRate}
            </th>
            <th scope="col" className="number">
              {MONEY.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ rule, units, plate, visitId, vatRate, amount }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place, and do not change
            <tr key={place}>
              <td>
                {INVOICE.rules[rule]}
                {units > 1 && ` × ${units}`}
              </td>
              <td>
                {visitId === null ? (
                  (plate ?? '')
                ) : (
                  <Link to={addressOf(`visits/${visitId}`)}>{plate ?? MONEY.noPlate}</Link>
                )}
              </td>
              <td className="number">{formatRate(vatRate, LANGUAGE)}</td>
              <td className="number">
                <Money amountMinor={amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {INVOICE.total}
            </th>
            <td className="number">
              <Money {...moneyOf(price)} />
            </td>
          </tr>
        </tfoot>
      </table>
      {!isWhole && (
        <Button onPress={() => setWhole(true)}>{INVOICE.moreLines({ count: lines.length })}</Button>
      )}
    </section>
  );
}

function Vat({ invoice: { vat, price } }: { invoice: InvoiceWithLines }) {
  return (
    <section className="card">
      <h2>{INVOICE.vatTitle}</h2>
      <Details
        rows={vat.map(({ rate, net, vat: part }) => [
          INVOICE.vatOf({ rate: formatRate(rate, LANGUAGE) }),
          `${moneyText({ amountMinor: part, currency: price.currency })} (${INVOICE.net}: ${moneyText({
            amountMinor: net,
            currency: price.currency,
          })})`,
        ])}
      />
    </section>
  );
}

const auditApi = apiOf<typeof auditRoutes>();

/** When it was made, issued and refunded; with the reasons in the audit log, for those who may read it. */
function History({ invoice }: { invoice: InvoiceWithLines }) {
  const session = useSession();
  const timeZone = useTimeZone(invoice.siteId);
  const { id, createdOn, issuedOn, refundedOn } = invoice;
  const query = { subject: 'invoice', subjectId: id };
  const { data: audit } = useQuery({
    queryKey: ['invoices', 'one', id, 'audit'],
    queryFn: () => read(auditApi.audit.$get({ query })),
    enabled: may(session, 'people') && session.siteIds === null,
  });
  const { events } = INVOICE;
  const entries = [
    { at: createdOn, text: events.created },
    ...(issuedOn === null ? [] : [{ at: issuedOn, text: events.issued }]),
    ...(refundedOn === null ? [] : [{ at: refundedOn, text: events.refunded }]),
    ...(audit?.data ?? []).map(({ on, action, reason }) => {
      const what = actionText({ subject: 'invoice', subjectName: null, action });
      return { at: on, text: reason === null ? what : `${what} – ${reason}` };
    }),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <section className="card">
      <h2>{INVOICE.history}</h2>
      <ol className="history">
        {entries.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <Moment at={at} timeZone={timeZone} isExact /> <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
