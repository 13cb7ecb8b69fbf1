import { useTimeZone } from '../../shell/site.ts';
import { Details } from '../../ui/details.tsx';
import { Money } from '../../ui/money.tsx';
import { Moment } from '../../ui/time.tsx';
import type { CardPayment } from './money-calls.ts';
import { MONEY } from './money-words.ts';
import { type Chargeback, PaymentAnswers } from './payment-answers.tsx';
import { PAYMENT } from './payment-words.ts';

/** The answers to a chargeback: those that the cloud accepts are shown. */
const CHARGEBACK_ANSWERS = [
  'evidence',
  'won',
  'lost',
] as const satisfies readonly Chargeback['actions'][number][];

/** A chargeback of a payment: its facts, and the answers to it. */
export function ChargebackCard({ payment, chargeback }: { payment: CardPayment; chargeback: Chargeback }) {
  const timeZone = useTimeZone(payment.siteId);
  const moment = (at: string) => <Moment at={at} timeZone={timeZone} isExact />;
  return (
    <section>
      <div className="card">
        <h2>{PAYMENT.chargeback}</h2>
        <Details
          rows={[
            [PAYMENT.reference, chargeback.reference],
            [MONEY.status, PAYMENT.chargebackStates[chargeback.state]],
            [
              PAYMENT.disputed,
              <Money key="amount" amountMinor={chargeback.amount} currency={payment.price.currency} />,
            ],
            [PAYMENT.reasonCode, chargeback.reasonCode],
            [PAYMENT.deadline, chargeback.deadline],
            [PAYMENT.evidence, chargeback.evidence],
            [PAYMENT.opened, moment(chargeback.openedOn)],
            [PAYMENT.decided, chargeback.decidedOn && moment(chargeback.decidedOn)],
          ]}
        />
      </div>
      {chargeback.actions.length > 0 && (
        <PaymentAnswers
          key={chargeback.state}
          payment={payment}
          answers={CHARGEBACK_ANSWERS.filter((answer) => chargeback.actions.includes(answer))}
          chargeback={chargeback}
        />
      )}
    </section>
  );
}
