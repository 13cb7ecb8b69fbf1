import type { PersonFinding } from '@hlid/protocol/rules/payment-transitions';
import { type ReactNode, useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import { answered, read } from '../../calls/api.ts';
import { useGo } from '../../shell/room-address.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { moneyText } from '../../ui/money.tsx';
import { DateField } from '../../ui/period-field.tsx';
import { Empty, RefusedNotice } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useApprovalNotice } from '../../ui/use-approval-notice.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  type CardPayment,
  chargebackApi,
  findingApi,
  MONEY_QUERIES,
  moneyOf,
  paymentApi,
  visitCommandApi,
} from './money-calls.ts';
import { MONEY } from './money-words.ts';
import { type Answer, PAYMENT } from './payment-words.ts';

export type Chargeback = CardPayment['chargebacks'][number];

/** The answers to a payment that needs a person: those that the cloud accepts are shown. */
const ANSWERS = [
  'booked',
  'not-booked',
  'given-back',
  'reverse',
  'keep',
] as const satisfies readonly CardPayment['actions'][number][];

/** What was found out there, or at the bank, of a payment at a terminal. */
const AT_TERMINAL = {
  booked: 'stands-there',
  'not-booked': 'never-there',
  'given-back': 'reversed-there',
} as const;

/** The answers to a payment itself that the cloud accepts. */
export function answersTo({ actions, terminalId }: CardPayment): Answer[] {
  const possible = ANSWERS.filter((answer) => actions.includes(answer));
  if (terminalId === null) return possible;
  return possible.map((answer) => (answer === 'reverse' || answer === 'keep' ? answer : AT_TERMINAL[answer]));
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

/**
 * The answers to a payment or to a chargeback, and the form that sends the one that is chosen.
 *
 * @param given.chargeback the chargeback that the answers are about; null: they are about the payment
 */
export function PaymentAnswers({
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
    onWaits: useApprovalNotice(() => go('money')),
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
