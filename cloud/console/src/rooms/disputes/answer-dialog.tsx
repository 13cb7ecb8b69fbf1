import { MAX_LETTER } from '@hlid/protocol/base/limits';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AmountField, type TypedAmount } from '../../ui/amount-field.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useApprovalNotice } from '../../ui/use-approval-notice.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import {
  type Answer,
  answerDispute,
  DISPUTE_QUERIES,
  type Dispute,
  readDispute,
  type WholeDispute,
} from './dispute-api.ts';
import { DISPUTE } from './dispute-words.ts';

type Outcome = keyof typeof DISPUTE.outcomes;
type Way = WholeDispute['ways'][number];

/** The decision in words and in money: the amount is shown before it is given. */
export function AnswerDialog({
  dispute,
  title,
  isToWaive = false,
  onClose,
}: {
  dispute: Dispute;
  title: string;
  /** Begins with giving up all of it, by the first way that there is. */
  isToWaive?: boolean;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const { id } = dispute;
  const { data } = useQuery({ queryKey: ['disputes', 'one', id], queryFn: () => readDispute(id) });
  const [chosen, setOutcome] = useState<Outcome | null>(null);
  const [typed, setTyped] = useState<TypedAmount>({ text: '', amountMinor: null });
  const [text, setText] = useState('');
  const choices = choicesOf(dispute, data?.ways ?? []);
  const outcome = chosen ?? (isToWaive ? (choices.find(isWhole) ?? '') : '');
  const way = data?.ways.find((one) => one.way === outcome) ?? null;
  const send = useSubmit((answer: Answer, headers) => answerDispute(id, answer, headers), {
    invalidates: DISPUTE_QUERIES,
    onDone: () => {
      toasts.done(DISPUTE.answered);
      onClose();
    },
    onWaits: useApprovalNotice(onClose),
  });
  const amount = amountOf(way, typed);
  return (
    <FormDialog
      title={title}
      submit={DISPUTE.submit[outcome]}
      isReady={outcome !== '' && text.trim() !== '' && (way === null || amount !== null)}
      isFinal={way !== null}
      error={send.error}
      isBusy={send.isPending}
      onSubmit={() => outcome !== '' && send.mutate(answerOf(outcome, text.trim(), way, amount))}
      onClose={onClose}
    >
      <blockquote className="dispute-words">{dispute.text}</blockquote>
      <ChoiceField
        label={DISPUTE.outcome}
        name="outcome"
        value={outcome}
        choices={choices.map((one) => [one, DISPUTE.outcomes[one]] as const)}
        onChange={setOutcome}
        hint={DISPUTE.correctFirst}
      />
      {way !== null && <MoneyFields way={way} amount={amount} typed={typed} onChange={setTyped} />}
      <TextField
        label={DISPUTE.answerText}
        name="answer"
        rows={5}
        maxLength={MAX_LETTER}
        value={text}
        onChange={setText}
        hint={DISPUTE.answerHint({ email: dispute.email })}
        isRequired
      />
    </FormDialog>
  );
}

/** Whether a decision can give up all of it. */
function isWhole(outcome: Outcome): boolean {
  return outcome === 'void' || outcome === 'credit' || outcome === 'refund';
}

function choicesOf(dispute: Dispute, ways: readonly Way[]): Outcome[] {
  const has = (name: Way['way']) => ways.some(({ way }) => way === name);
  const voids: Outcome[] = dispute.actions.includes('void') ? ['void'] : [];
  const others = (['waive', 'refund', 'credit'] as const).filter(has);
  return ['', ...voids, ...others, 'upheld', 'rejected'];
}

/** The amount that is given; null: what was typed is none, or too much. */
function amountOf(way: Way | null, { text, amountMinor }: TypedAmount): number | null {
  if (way === null) return null;
  if (way.isWholeOnly || (text === '' && way.way !== 'waive')) return way.max;
  return amountMinor !== null && amountMinor > 0 && amountMinor <= way.max ? amountMinor : null;
}

function MoneyFields({
  way,
  amount,
  typed,
  onChange,
}: {
  way: Way;
  amount: number | null;
  typed: TypedAmount;
  onChange: (typed: TypedAmount) => void;
}) {
  const { currency, max, isWholeOnly, isRunning, by } = way;
  const textOf = (amountMinor: number) => moneyText({ amountMinor, currency });
  return (
    <>
      {!isWholeOnly && (
        <AmountField
          label={DISPUTE.amount}
          currency={currency}
          value={typed.text}
          hint={DISPUTE.amountHint({ max: textOf(max) })}
          isRequired={way.way === 'waive'}
          onChange={onChange}
        />
      )}
      {amount !== null && (
        <p role="status">
          {isRunning
            ? DISPUTE.running({ amount: amount === 0 ? null : textOf(amount) })
            : `${DISPUTE.ways[way.way]({ amount: textOf(amount) })} ${DISPUTE.by[by]}`}
        </p>
      )}
    </>
  );
}

function answerOf(
  outcome: Exclude<Outcome, ''>,
  answer: string,
  way: Way | null,
  amount: number | null,
): Answer {
  if (outcome === 'upheld' || outcome === 'rejected') return { outcome, answer };
  const upheld = { outcome: 'upheld', answer } as const;
  if (outcome === 'void') return { ...upheld, void: true };
  if (outcome === 'waive') return { ...upheld, waive: amount ?? 0 };
  const invoice = way === null || way.invoiceId === null ? {} : { invoiceId: way.invoiceId };
  const gift = { ...invoice, ...(amount !== null && amount !== way?.max && { amount }) };
  return outcome === 'refund' ? { ...upheld, refund: gift } : { ...upheld, credit: gift };
}
