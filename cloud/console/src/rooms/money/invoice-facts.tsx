import { REVERSAL_LOST } from '@hlid/protocol/rules/payment-transitions';
import { Badge } from '@hlid/ui/badge';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../../shell/room-address.ts';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useSites, useTimeZone } from '../../shell/site.ts';
import { Details } from '../../ui/details.tsx';
import { Money, moneyText } from '../../ui/money.tsx';
import { Moment, wallText } from '../../ui/time.tsx';
import { dayText } from '../../ui/wall-text.ts';
import { STATUS } from '../../words/codes.ts';
import { COMMON } from '../../words/common.ts';
import { INVOICE } from './invoice-words.ts';
import { INVOICE_TONES } from './invoices-tab.tsx';
import { type InvoiceWithLines, moneyOf } from './money-calls.ts';
import { MONEY } from './money-words.ts';
import { PAYMENT } from './payment-words.ts';

/** Amount, status, payer, payment and accounting of an invoice. */
export function InvoiceFacts({ invoice }: { invoice: InvoiceWithLines }) {
  const session = useSession();
  const addressOf = useAddress();
  const sites = useSites();
  const timeZone = useTimeZone(invoice.siteId);
  const { id, price, tip, openRefund, status, payer, customer, paymentType, receipt, period } = invoice;
  const { siteId, visitId, openRefundReason, open } = invoice;
  const { seller, credits, creditNotes, settlement } = invoice;
  const site = siteId === null ? MONEY.severalSites : (sites.find(({ id }) => id === siteId)?.name ?? null);
  const payerText = [payer?.name ?? customer?.name, payer?.ssn].filter(Boolean).join(' · ');
  return (
    <Details
      rows={[
        [MONEY.amount, <Money key="amount" {...moneyOf(price)} />],
        [
          INVOICE.stillToPay,
          open > 0 && open !== price.amount ? (
            <Money key="open" amountMinor={open} currency={price.currency} />
          ) : null,
        ],
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
          credits && (
            <Link key="credits" to={addressOf(`money/invoices/${credits.invoiceId}`)}>
              {INVOICE.title({ number: credits.number })}
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
          invoice.actions.includes('payment') ? (
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
        [INVOICE.due, invoice.dueOn && dayText(invoice.dueOn)],
        [INVOICE.bankAccount, isOpen(invoice) ? seller?.bankAccount : null],
        [INVOICE.reference, isOpen(invoice) ? INVOICE.title({ number: invoice.number }) : null],
        [INVOICE.email, invoice.invoiceEmail],
        [
          INVOICE.remote,
          isOperator(session) && invoice.number !== null ? STATUS.accounting[invoice.remoteStatus] : null,
        ],
        [
          MONEY.visit,
          visitId !== null && can(session, 'see-visits') ? (
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

/** Issued and due; or a purchase, which is issued when it is paid. */
function isOpen({ status, number, credits, paymentType, visitId }: InvoiceWithLines): boolean {
  const isPurchase = paymentType === 'online' && visitId === null;
  return status === 'draft' && (number !== null || isPurchase) && credits === null;
}
