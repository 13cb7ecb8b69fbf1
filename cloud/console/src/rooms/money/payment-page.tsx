import { FINDING_CONTRADICTED, type PersonFinding } from '@hlid/protocol/rules/payment-transitions';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import { answered, read } from '../../calls/api.ts';
import { Refusal } from '../../calls/refusal.ts';
import { useAddress, useGo, useId } from '../../shell/room-address.ts';
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
  type CardPayment,
  chargebackApi,
  findingApi,
  MONEY_QUERIES,
  moneyOf,
  paymentApi,
  readPayment,
  visitCommandApi,
} from './money-calls.ts';
import { MONEY } from './money-words.ts';
import { isInDoubt } from './payment-doubt.ts';
import { type Answer, PAYMENT } from './payment-words.ts';
import { placeOf } from './payments-tab.tsx';
import './money.css';
import { STATUS } from '../../words/codes.ts';

type Chargeback = CardPayment['chargebacks'][number];

/** The answers to a payment that needs a person, and to a chargeback: those that the cloud accepts are shown. */
const ANSWERS = [
  'booked',
  'not-booked',
  'given-back',
  'reverse',
  'keep',
] as const satisfies readonly CardPayment['actions'][number][];
const CHARGEBACK_ANSWERS = [
  'evidence',
  'won',
  'lost',
] as const satisfies readonly Chargeback['actions'][number][];

/** What was found out there, or at the bank, of a payment at a terminal. */
const AT_TERMINAL = {
  booked: 'stands-there',
  'not-booked': 'never-there',
  'given-back': 'reversed-there',
} as const;

function answersTo({ actions, terminalId }: CardPayment): Answer[] {
  const possible = ANSWERS.filter((answer) => actions.includes(answer));
  if (terminalId === null) return possible;
  return possible.map((answer) => (answer === 'reverse' || answer === 'keep' ? answer : AT_TERMINAL[answer]));
}

/** A payment that needs a person: what is wrong, and what each answer does. */
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
      {payment !== undefined && (payment === null || payment.problem === null) && (
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
      {/* What was chosen for another state of the payment does not count for this one. */}
      {problem !== 'chargeback' && problem !== null && (
        <Answers
          key={`${problem} ${state}`}
          payment={payment}
          answers={answersTo(payment)}
          chargeback={null}
        />
      )}
      {chargebacks.map((chargeback) => (
        <section key={chargeback.reference}>
          <div className="card">
            <h2>{PAYMENT.chargeback}</h2>
            <Details
              rows={[
                [PAYMENT.reference, chargeback.reference],
                [MONEY.status, PAYMENT.chargebackStates[chargeback.state]],
                [
                  PAYMENT.disputed,
                  <Money key="amount" amountMinor={chargeback.amount} currency={price.currency} />,
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
            <Answers
              key={chargeback.state}
              payment={payment}
              answers={CHARGEBACK_ANSWERS.filter((answer) => chargeback.actions.includes(answer))}
              chargeback={chargeback}
            />
          )}
        </section>
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

/** What a person found out, at the provider, or at the terminal or the bank. */
const FINDINGS = {
  booked: 'booked',
  'not-booked': 'not-booked',
  'given-back': 'given-back',
  'stands-there': 'booked',
  'never-there': 'not-booked',
  'reversed-there': 'given-back',
} as const satisfies Partial<Record<Answer, PersonFinding>>;

interface Given {
  answer: Answer;
  reason: string;
  evidence: string;
  deadline: string;
}

/** @param given.chargeback which one the answers are about; null: they are about the payment */
function Answers({
  payment,
  answers,
  chargeback,
}: {
  payment: CardPayment;
  answers: readonly Answer[];
  chargeback: Chargeback | null;
}) {
  const go = useGo();
  const toasts = useToasts();
  const [answer, choose] = useState<Answer | null>(answers.length === 1 ? (answers[0] ?? null) : null);
  const [reason, setReason] = useState('');
  const [evidence, setEvidence] = useState(chargeback?.evidence ?? '');
  const [deadline, setDeadline] = useState(chargeback?.deadline ?? '');
  const submit = useSubmit((given: Given, headers) => send(payment, chargeback, given, headers), {
    invalidates: MONEY_QUERIES,
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
  const isChargeback = chargeback !== null;
  const isReady = answer !== null && (isChargeback || reason.trim() !== '');
  const { currency } = payment.price;
  // A reversal gives the tip back too.
  const tip = answer === 'reverse' || answer === 'reversed-there' ? payment.tip : 0;
  const amount = moneyText(moneyOf({ amount: chargeback?.amount ?? payment.price.amount + tip, currency }));
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
            {actText(answer, amount)}
          </Button>
        </div>
      )}
    </form>
  );
}

/** The text on the button that sends an answer. */
function actText(answer: Answer, amount: string): string {
  const { act } = PAYMENT.answers[answer];
  return typeof act === 'string' ? act : act({ amount });
}

function ReasonField({
  answer,
  ...field
}: {
  answer: Answer;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  return answer in FINDINGS ? (
    <TextField label={PAYMENT.source} hint={PAYMENT.sourceHint} isRequired {...field} />
  ) : (
    <TextField label={COMMON.reason} hint={MONEY.reasonHint} isRequired {...field} />
  );
}

async function send(
  payment: CardPayment,
  chargeback: Chargeback | null,
  given: Given,
  headers: Record<string, string>,
): Promise<void> {
  const { answer, reason } = given;
  const param = { id: payment.id };
  const byId = paymentApi.payments[':id'];
  switch (answer) {
    case 'booked':
    case 'not-booked':
    case 'given-back':
    case 'stands-there':
    case 'never-there':
    case 'reversed-there': {
      const json = { finding: FINDINGS[answer], reason };
      await read(findingApi.payments[':id'].finding.$post({ param, json }, { headers }));
      return;
    }
    case 'reverse':
      await read(byId.reverse.$post({ param, json: { reason } }, { headers }));
      return;
    case 'keep': {
      if (payment.visitId === null) return;
      const visit = { id: payment.visitId };
      const json = { flags: ['settled-twice' as const], reason };
      await answered(visitCommandApi.visit[':id'].reviewed.$post({ param: visit, json }, { headers }));
      return;
    }
    case 'evidence':
    case 'won':
    case 'lost': {
      if (chargeback === null) return;
      const { reference, amount, reasonCode } = chargeback;
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
