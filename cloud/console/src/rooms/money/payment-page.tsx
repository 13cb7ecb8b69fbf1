import { FINDING_CONTRADICTED } from '@hlid/protocol/rules/payment-transitions';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Refusal } from '../../calls/refusal.ts';
import { useAddress, useId } from '../../shell/room-address.ts';
import { useSites, useTimeZone } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Details } from '../../ui/details.tsx';
import { Money, moneyText } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { STATUS } from '../../words/codes.ts';
import { COMMON } from '../../words/common.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { ChargebackCard } from './chargeback-card.tsx';
import { type CardPayment, moneyOf, readPayment } from './money-calls.ts';
import { MONEY } from './money-words.ts';
import { answersTo, PaymentAnswers } from './payment-answers.tsx';
import { isInDoubt } from './payment-doubt.ts';
import { PAYMENT } from './payment-words.ts';
import { placeOf } from './payments-tab.tsx';
import './money.css';

/** A payment. If it needs a person: what is wrong, and what each answer does. */
export function PaymentPage() {
  const id = useId();
  const addressOf = useAddress();
  const query = useQuery({ queryKey: ['payments', 'one', id], queryFn: () => findPayment(id) });
  const payment = query.data;
  const title = payment ? PAYMENT.title({ amount: moneyText(moneyOf(payment.price)) }) : PAYMENT.needPerson;
  return (
    <Page title={title} isWide={false}>
      <BackLink to={addressOf('money')}>{PAYMENT.back}</BackLink>
      {query.error && !query.data && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {payment === null && (
        <Empty title={PAYMENT.gone}>
          <p>{PAYMENT.goneHint}</p>
          <Link to={addressOf(`money/invoices/${id}`)}>{PAYMENT.toInvoice}</Link>
        </Empty>
      )}
      {payment && <Payment payment={payment} />}
    </Page>
  );
}

/** Null: there is none of that id, or it is at a site that one does not see. */
async function findPayment(id: string): Promise<CardPayment | null> {
  try {
    return await readPayment(id);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

function Payment({ payment }: { payment: CardPayment }) {
  const addressOf = useAddress();
  const sites = useSites();
  const timeZone = useTimeZone(payment.siteId);
  const { problem, chargebacks, card, state, price, tip, visitId, invoiceId, siteId, reason, refunds } =
    payment;
  const moment = (at: string) => <Moment at={at} timeZone={timeZone} isExact />;
  return (
    <>
      {problem !== null && (
        <p className="notice caution">
          <strong>{PAYMENT.problems[problem]}.</strong> {explanationOf(payment)}
        </p>
      )}
      <Details
        rows={[
          [MONEY.amount, <Money key="amount" {...moneyOf(price)} />],
          [PAYMENT.tip, tip === 0 ? null : <Money key="tip" amountMinor={tip} currency={price.currency} />],
          [MONEY.status, STATUS.payment[state]],
          [MONEY.site, sites.find(({ id }) => id === siteId)?.name ?? siteId],
          [PAYMENT.where, placeOf(payment)],
          [PAYMENT.card, card?.lastFour && `${card.type ?? ''} ${PAYMENT.cardText({ last: card.lastFour })}`],
          [MONEY.created, moment(payment.createdOn)],
          [PAYMENT.changed, moment(payment.changedOn)],
          [PAYMENT.siteLostOn, payment.siteLostOn && moment(payment.siteLostOn)],
          [PAYMENT.found, payment.finding && PAYMENT.findings[payment.finding]],
          [PAYMENT.code, reason],
          invoiceId === null
            ? [
                MONEY.visit,
                <Link key="visit" to={addressOf(`visits/${visitId}`)}>
                  {COMMON.open}
                </Link>,
              ]
            : [
                MONEY.invoice,
                <Link key="invoice" to={addressOf(`money/invoices/${invoiceId}`)}>
                  {COMMON.open}
                </Link>,
              ],
        ]}
      />
      {refunds.length > 0 && (
        <section className="card">
          <h2>{PAYMENT.refunds}</h2>
          <Details
            rows={refunds.map(({ id, amount, state: refundState, createdOn }) => [
              PAYMENT.refundStates[refundState],
              <span key={id}>
                <Money amountMinor={amount} currency={price.currency} /> {moment(createdOn)}
              </span>,
            ])}
          />
        </section>
      )}
      <ApprovalCard about={{ paymentId: payment.id }} />
      {/* What was chosen for another state of the payment does not count for this one. */}
      {problem !== 'chargeback' && problem !== null && (
        <PaymentAnswers
          key={`${problem} ${state}`}
          payment={payment}
          answers={answersTo(payment)}
          chargeback={null}
        />
      )}
      {chargebacks.map((chargeback) => (
        <ChargebackCard key={chargeback.reference} payment={payment} chargeback={chargeback} />
      ))}
    </>
  );
}

function explanationOf(payment: CardPayment): string {
  const { problem, reason, refunds } = payment;
  if (problem === null) return '';
  if (reason === 'refund-failed') return PAYMENT.refundFailed;
  if (reason === FINDING_CONTRADICTED) return PAYMENT.findingContradicted;
  if (problem === 'terminal' && payment.siteLostOn !== null) return PAYMENT.siteLost;
  if (problem === 'terminal' && isInDoubt(payment)) return PAYMENT.reversalUnclear;
  if (reason === 'quota-used') return PAYMENT.quotaUsed;
  const isUnclear = refunds.some(({ state }) => state === 'unclear' || state === 'ordered');
  return problem === 'provider' && isUnclear ? PAYMENT.refundUnclear : PAYMENT.explained[problem];
}
