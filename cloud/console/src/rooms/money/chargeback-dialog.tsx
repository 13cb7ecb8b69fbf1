import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { amountText } from '../../ui/amount.ts';
import { AmountField, type TypedAmount } from '../../ui/amount-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { DateField } from '../../ui/period-field.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { LANGUAGE } from '../../words/words.ts';
import { chargebackApi, type InvoiceWithLines, MONEY_QUERIES, moneyOf } from './money-calls.ts';
import { MONEY } from './money-words.ts';
import { PAYMENT } from './payment-words.ts';

/** Records that the bank of a card's holder has taken the money of a payment back. */
export function ChargebackDialog({ invoice, onClose }: { invoice: InvoiceWithLines; onClose: () => void }) {
  const toasts = useToasts();
  const { price, settlement } = invoice;
  const id = settlement?.paymentId ?? invoice.id;
  const whole = amountText(price.amount, price.currency, LANGUAGE);
  const [typed, setTyped] = useState<TypedAmount>({ text: whole, amountMinor: price.amount });
  const [given, setGiven] = useState({ reference: '', reasonCode: '', evidence: '', deadline: '' });
  const set = (name: keyof typeof given) => (value: string) => setGiven({ ...given, [name]: value });
  const { amountMinor } = typed;
  const isTooMuch = amountMinor !== null && amountMinor > price.amount;
  const amount = moneyText({ amountMinor: amountMinor ?? price.amount, currency: price.currency });
  const submit = useSubmit(
    (input: typeof given & { amount: number }, headers) => {
      const { reference, reasonCode, evidence, deadline } = input;
      const json = {
        reference: reference.trim(),
        reasonCode: reasonCode.trim(),
        amount: input.amount,
        evidence: evidence.trim() || null,
        deadline: deadline || null,
      };
      return read(chargebackApi.payments[':id'].chargeback.$post({ param: { id }, json }, { headers }));
    },
    {
      invalidates: MONEY_QUERIES,
      onDone: () => {
        toasts.done(PAYMENT.chargebackRecorded);
        onClose();
      },
    },
  );
  const isReady = amountMinor !== null && amountMinor > 0 && !isTooMuch;
  return (
    <FormDialog
      title={PAYMENT.newChargeback}
      submit={PAYMENT.recordChargeback({ amount })}
      error={submit.error}
      isBusy={submit.isPending}
      isReady={isReady && given.reference.trim() !== '' && given.reasonCode.trim() !== ''}
      isFinal
      onSubmit={() => {
        if (amountMinor !== null) submit.mutate({ ...given, amount: amountMinor });
      }}
      onClose={onClose}
    >
      <p>{PAYMENT.newChargebackHint}</p>
      <TextField label={PAYMENT.reference} isRequired value={given.reference} onChange={set('reference')} />
      <AmountField
        label={MONEY.amountUpTo({ amount: moneyText(moneyOf(price)) })}
        currency={price.currency}
        value={typed.text}
        mistake={
          amountMinor === null
            ? MONEY.notAnAmount
            : isTooMuch
              ? MONEY.tooMuch({ amount: moneyText(moneyOf(price)) })
              : undefined
        }
        onChange={setTyped}
      />
      <TextField
        label={PAYMENT.reasonCode}
        isRequired
        value={given.reasonCode}
        onChange={set('reasonCode')}
      />
      <DateField label={PAYMENT.deadline} value={given.deadline} onChange={set('deadline')} />
      <TextField
        label={PAYMENT.evidence}
        hint={PAYMENT.evidenceHint}
        rows={3}
        value={given.evidence}
        onChange={set('evidence')}
      />
    </FormDialog>
  );
}
