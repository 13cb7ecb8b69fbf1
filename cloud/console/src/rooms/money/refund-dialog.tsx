import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { AmountField, type TypedAmount } from '../../ui/amount-field.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useApprovalNotice } from '../../ui/use-approval-notice.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { INVOICE } from './invoice-words.ts';
import {
  type InvoiceWithLines,
  isPaidOnline,
  MONEY_QUERIES,
  moneyOf,
  paymentApi,
  refundApi,
} from './money-calls.ts';
import { MONEY } from './money-words.ts';

type Way = keyof typeof INVOICE.ways;

/**
 * Gives the money of an invoice back: the amount is typed, the button names it, and the cloud asks for a fresh proof of
 * who the person is.
 */
export function RefundDialog({ invoice, onClose }: { invoice: InvoiceWithLines; onClose: () => void }) {
  const toasts = useToasts();
  const { id, price, actions, needsApproval } = invoice;
  const isOnline = isPaidOnline(invoice);
  const isByTerminal = !isOnline && actions.includes('reverse');
  const [way, setWay] = useState<Way>(isByTerminal ? 'card' : 'books');
  const [typed, setTyped] = useState<TypedAmount>({ text: '', amountMinor: null });
  const [reason, setReason] = useState('');
  const { amountMinor } = typed;
  const text = (amount: number) => moneyText({ amountMinor: amount, currency: price.currency });
  const mistake = mistakeIn(typed, { whole: price.amount, mayBePart: isOnline, text });

  const isForApproval = needsApproval.includes('refund') && (amountMinor ?? price.amount) === price.amount;

  const submit = useSubmit(
    async (given: { way: Way; amount: number; reason: string }, headers) => {
      const param = { id };
      const because = { reason: given.reason };
      if (!isOnline && given.way === 'card') {
        await read(paymentApi.payments[':id'].reverse.$post({ param, json: because }, { headers }));
      } else {
        const json = isOnline ? { ...because, amount: given.amount } : because;
        await read(refundApi.invoice[':id'].refund.$post({ param, json }, { headers }));
      }
    },
    {
      invalidates: MONEY_QUERIES,
      onDone: (_, given) => {
        const isBegun = !isOnline && given.way === 'card';
        toasts.done(isBegun ? INVOICE.reversalBegun : INVOICE.refundDone({ amount: text(given.amount) }));
        onClose();
      },
      onWaits: useApprovalNotice(onClose),
    },
  );

  return (
    <FormDialog
      title={`${INVOICE.refund}: ${INVOICE.title({ number: invoice.number })}`}
      submit={
        isForApproval
          ? COMMON.askForApproval
          : INVOICE.refundAmount({ amount: text(amountMinor ?? price.amount) })
      }
      error={submit.error}
      isBusy={submit.isPending}
      isReady={amountMinor !== null && mistake === undefined && reason.trim() !== ''}
      isFinal
      onSubmit={() => {
        if (amountMinor !== null) submit.mutate({ way, amount: amountMinor, reason: reason.trim() });
      }}
      onClose={onClose}
    >
      {isByTerminal && (
        <ChoiceField
          label={INVOICE.way}
          value={way}
          choices={[
            ['card', INVOICE.ways.card],
            ['books', INVOICE.ways.books],
          ]}
          onChange={setWay}
        />
      )}
      {isForApproval && <p className="notice">{COMMON.needsApproval}</p>}
      <p>{isOnline ? INVOICE.refundOnline : way === 'card' ? INVOICE.refundTerminal : INVOICE.refundBooks}</p>
      {invoice.visitId !== null && <p className="quiet-text">{INVOICE.refundVisit}</p>}
      <AmountField
        label={
          isOnline
            ? MONEY.amountUpTo({ amount: moneyText(moneyOf(price)) })
            : MONEY.typedAmount({ amount: moneyText(moneyOf(price)) })
        }
        hint={isOnline ? undefined : MONEY.typedAmountHint}
        currency={price.currency}
        value={typed.text}
        mistake={mistake}
        autoFocus
        onChange={setTyped}
      />
      <TextField
        label={COMMON.reason}
        hint={MONEY.reasonHint}
        isRequired
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}

function mistakeIn(
  { text: typed, amountMinor }: TypedAmount,
  { whole, mayBePart, text }: { whole: number; mayBePart: boolean; text: (amount: number) => string },
): string | undefined {
  if (typed.trim() === '') return undefined;
  if (amountMinor === null || amountMinor === 0) return MONEY.notAnAmount;
  if (mayBePart) return amountMinor > whole ? MONEY.tooMuch({ amount: text(whole) }) : undefined;
  return amountMinor === whole ? undefined : MONEY.otherAmount({ amount: text(whole) });
}
