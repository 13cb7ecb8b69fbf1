import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import { answered, read } from '../../calls/api.ts';
import { useAddress, useGo, useId } from '../../shell/room-address.ts';
import { may, useSession } from '../../shell/session.ts';
import { useSites, useTimeZone } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { TextField } from '../../ui/field.tsx';
import { Money, moneyText } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { DateField } from '../../ui/period-field.tsx';
import { Empty, Failed, Loading, RefusedNotice } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  chargebackApi,
  findingApi,
  moneyOf,
  OLD_MONEY,
  paymentApi,
  readPayments,
  visitCommandApi,
  type WaitingPayment,
} from './money-calls.ts';
import { MONEY } from './money-words.ts';
import { answersTo } from './payment-answers.ts';
import { type Answer, PAYMENT } from './payment-words.ts';
import { placeOf } from './payments-tab.tsx';
import './money.css';

/** A payment that needs a person: what is wrong, and what each answer does. */
export function PaymentPage() {
  const id = useId();
  const addressOf = useAddress();
  const query = useQuery({ queryKey: ['payments', 'one', id], queryFn: () => findWaiting(id) });
  const payment = query.data;
  const title = payment ? PAYMENT.title(moneyText(moneyOf(payment.price))) : PAYMENT.needPerson;
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

/** The cloud lists those that wait, and there are few. @returns null: it waits no more */
async function findWaiting(id: string): Promise<WaitingPayment | null> {
  let next: string | null | undefined;
  do {
    const page = await readPayments(next ? { next } : {});
    const found = page.data.find((one) => one.id === id);
    if (found) return found;
    next = page.next;
  } while (next);
  return null;
}

function Payment({ payment }: { payment: WaitingPayment }) {
  const addressOf = useAddress();
  const sites = useSites();
  const timeZone = useTimeZone(payment.siteId);
  const { problem, chargeback, card, state, price, visitId, siteId, reason, refunds } = payment;
  const moment = (at: string) => <Moment at={at} timeZone={timeZone} isExact />;
  return (
    <>
      <p className="notice caution">
        <strong>{PAYMENT.problems[problem]}.</strong> {explanationOf(payment)}
      </p>
      <Details
        rows={[
          [MONEY.amount, <Money key="amount" {...moneyOf(price)} />],
          [MONEY.status, PAYMENT.states[state]],
          [MONEY.site, sites.find(({ id }) => id === siteId)?.name ?? siteId],
          [PAYMENT.where, placeOf(payment)],
          [PAYMENT.card, card?.lastFour && `${card.type ?? ''} ${PAYMENT.cardText(card.lastFour)}`],
          [MONEY.created, moment(payment.createdOn)],
          [PAYMENT.changed, moment(payment.changedOn)],
          [PAYMENT.code, reason],
          [
            MONEY.visit,
            <Link key="visit" to={addressOf(`visits/${visitId}`)}>
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
      {chargeback && (
        <section className="card">
          <h2>{PAYMENT.chargeback}</h2>
          <Details
            rows={[
              [PAYMENT.reference, chargeback.reference],
              [
                PAYMENT.disputed,
                <Money key="amount" amountMinor={chargeback.amount} currency={price.currency} />,
              ],
              [PAYMENT.reasonCode, chargeback.reasonCode],
              [PAYMENT.deadline, chargeback.deadline],
              [PAYMENT.opened, moment(chargeback.openedOn)],
            ]}
          />
        </section>
      )}
      {/* What was chosen for another state of the payment does not count for this one. */}
      <Answers key={`${problem} ${state} ${chargeback?.state}`} payment={payment} />
    </>
  );
}

function explanationOf({ problem, reason, refunds }: WaitingPayment): string {
  if (reason === 'refund-failed') return PAYMENT.refundFailed;
  const isUnclear = refunds.some(({ state }) => state === 'unclear' || state === 'ordered');
  return problem === 'provider' && isUnclear ? PAYMENT.refundUnclear : PAYMENT.explained[problem];
}

interface Given {
  answer: Answer;
  reason: string;
  evidence: string;
  deadline: string;
}

function Answers({ payment }: { payment: WaitingPayment }) {
  const session = useSession();
  const go = useGo();
  const toasts = useToasts();
  const answers = answersTo(payment, may(session, 'visits'));
  const [answer, choose] = useState<Answer | null>(answers.length === 1 ? (answers[0] ?? null) : null);
  const [reason, setReason] = useState('');
  const [evidence, setEvidence] = useState(payment.chargeback?.evidence ?? '');
  const [deadline, setDeadline] = useState(payment.chargeback?.deadline ?? '');
  const submit = useSubmit((given: Given, headers) => send(payment, given, headers), {
    old: OLD_MONEY,
    onDone: (_, given) => {
      toasts.done(PAYMENT.answers[given.answer].done);
      if (given.answer !== 'evidence') go('money');
    },
  });
  if (answers.length === 0) {
    return (
      <Empty title={PAYMENT.atSite}>
        <p>{PAYMENT.atSiteHint}</p>
      </Empty>
    );
  }
  const isChargeback = payment.problem === 'chargeback';
  const isReady = answer !== null && (isChargeback || reason.trim() !== '');
  const amount = moneyText(moneyOf(payment.price));
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !submit.isPending)
          submit.mutate({ answer, reason: reason.trim(), evidence, deadline });
      }}
    >
      <RadioGroup
        className="answers"
        value={answer}
        aria-label={PAYMENT.choose}
        onChange={(value) => choose(answers.find((one) => one === value) ?? null)}
      >
        <h2>{PAYMENT.choose}</h2>
        {answers.map((one) => (
          <Radio key={one} value={one} className="answer card">
            <strong>{PAYMENT.answers[one].name}</strong>
            <span>{PAYMENT.answers[one].effect}</span>
          </Radio>
        ))}
      </RadioGroup>
      {answer === 'evidence' && (
        <>
          <TextField
            label={PAYMENT.evidence}
            hint={PAYMENT.evidenceHint}
            rows={4}
            value={evidence}
            onChange={setEvidence}
          />
          <DateField label={PAYMENT.deadline} value={deadline} onChange={setDeadline} />
        </>
      )}
      {answer !== null && !isChargeback && (
        <ReasonField answer={answer} value={reason} onChange={setReason} />
      )}
      <RefusedNotice error={submit.error} />
      {answer !== null && (
        <div>
          <Button
            type="submit"
            look={answer === 'evidence' ? 'primary' : 'negative'}
            isDisabled={!isReady}
            isPending={submit.isPending}
          >
            {PAYMENT.answers[answer].act(amount)}
          </Button>
        </div>
      )}
    </form>
  );
}

function ReasonField({
  answer,
  ...field
}: {
  answer: Answer;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  const isFinding = answer === 'booked' || answer === 'not-booked' || answer === 'given-back';
  return isFinding ? (
    <TextField label={PAYMENT.source} hint={PAYMENT.sourceHint} isRequired {...field} />
  ) : (
    <TextField label={COMMON.reason} hint={MONEY.reasonHint} isRequired {...field} />
  );
}

async function send(payment: WaitingPayment, given: Given, headers: Record<string, string>): Promise<void> {
  const { answer, reason } = given;
  const param = { id: payment.id };
  const byId = paymentApi.payments[':id'];
  switch (answer) {
    case 'booked':
    case 'not-booked':
    case 'given-back': {
      const json = { finding: answer, reason };
      await read(findingApi.payments[':id'].finding.$post({ param, json }, { headers }));
      return;
    }
    case 'reverse':
      await read(byId.reverse.$post({ param, json: { reason } }, { headers }));
      return;
    case 'keep': {
      const visit = { id: payment.visitId };
      const json = { flags: ['settled-twice' as const], reason };
      await answered(visitCommandApi.visit[':id'].reviewed.$post({ param: visit, json }, { headers }));
      return;
    }
    case 'evidence':
    case 'won':
    case 'lost': {
      if (payment.chargeback === null) return;
      const { reference, amount, reasonCode } = payment.chargeback;
      const json = {
        reference,
        amount,
        reasonCode,
        state: answer === 'evidence' ? ('open' as const) : answer,
        evidence: given.evidence.trim() || null,
        deadline: given.deadline || null,
      };
      await read(chargebackApi.payments[':id'].chargeback.$post({ param, json }, { headers }));
      return;
    }
    default:
      answer satisfies never;
  }
}
