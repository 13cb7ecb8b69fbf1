import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { amountText } from '../../ui/amount.ts';
import { AmountField } from '../../ui/amount-field.tsx';
import { Button } from '../../ui/button.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { LANGUAGE } from '../../words/words.ts';
import type { InvoiceWithLines } from '../money/money-calls.ts';
import { MONEY } from '../money/money-words.ts';
import { AskBank } from './ask-bank.tsx';
import { CLAIM, CLAIM_QUERIES, claimApi, type WholeClaim } from './claim-calls.ts';

/** What can be done with a claim now. */
export function ClaimActions({ claim }: { claim: WholeClaim }) {
  const [open, setOpen] = useState<'change' | 'cancel' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {claim.actions.includes('follow') && <AskBank claim={claim} />}
      {claim.actions.includes('change') && <Button onPress={() => setOpen('change')}>{CLAIM.change}</Button>}
      {claim.actions.includes('cancel') && <Button onPress={() => setOpen('cancel')}>{CLAIM.cancel}</Button>}
      {open === 'change' && <ChangeDialog claim={claim} onClose={close} />}
      {open === 'cancel' && <CancelDialog claim={claim} onClose={close} />}
    </>
  );
}

function ChangeDialog({ claim, onClose }: { claim: WholeClaim; onClose: () => void }) {
  const { id, terms, currency, invoiceNumber, movements, dueOn } = claim;
  const toasts = useToasts();
  const [finalDueOn, setFinalDueOn] = useState(terms.finalDueOn);
  const [text, setText] = useState(amountText(terms.amount, currency, LANGUAGE));
  const [amount, setAmount] = useState<number | null>(terms.amount);
  const change = useSubmit(
    (json: { finalDueOn: string; amount?: number }, headers) =>
      read(claimApi.claim[':id'].$put({ param: { id }, json }, { headers })),
    {
      invalidates: CLAIM_QUERIES,
      onDone: () => {
        toasts.done(CLAIM.changed);
        onClose();
      },
    },
  );
  const isPaidInPart = movements.length > 0;
  return (
    <FormDialog
      title={CLAIM.titleOf({ number: invoiceNumber })}
      submit={CLAIM.change}
      error={change.error}
      isBusy={change.isPending}
      isReady={finalDueOn !== '' && amount !== null}
      onSubmit={() => change.mutate({ finalDueOn, ...(!isPaidInPart && amount !== null && { amount }) })}
      onClose={onClose}
    >
      <DayField
        label={CLAIM.finalDueOn}
        name="finalDueOn"
        isRequired
        value={finalDueOn}
        today={dueOn}
        onChange={setFinalDueOn}
      />
      {!isPaidInPart && (
        <AmountField
          label={CLAIM.amount}
          currency={currency}
          value={text}
          mistake={amount === null ? MONEY.notAnAmount : undefined}
          onChange={(typed) => {
            setText(typed.text);
            setAmount(typed.amountMinor);
          }}
        />
      )}
    </FormDialog>
  );
}

function CancelDialog({ claim, onClose }: { claim: WholeClaim; onClose: () => void }) {
  const { id, invoiceNumber } = claim;
  const toasts = useToasts();
  const [reason, setReason] = useState('');
  const cancel = useSubmit(
    (json: { reason: string }, headers) =>
      read(claimApi.claim[':id'].cancel.$post({ param: { id }, json }, { headers })),
    {
      invalidates: CLAIM_QUERIES,
      onDone: () => {
        toasts.done(CLAIM.cancelled);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={CLAIM.titleOf({ number: invoiceNumber })}
      submit={CLAIM.cancel}
      isFinal
      error={cancel.error}
      isBusy={cancel.isPending}
      isReady={reason.trim() !== ''}
      onSubmit={() => cancel.mutate({ reason })}
      onClose={onClose}
    >
      <p>{CLAIM.cancelHint}</p>
      <TextField
        label={CLAIM.reason}
        hint={MONEY.reasonHint}
        name="reason"
        value={reason}
        isRequired
        onChange={setReason}
      />
    </FormDialog>
  );
}

/** Makes a claim for what is open of an invoice. */
export function MakeClaimDialog({
  invoice,
  onClose,
}: {
  invoice: Pick<InvoiceWithLines, 'id' | 'price' | 'open'> & { dueOn: string };
  onClose: () => void;
}) {
  const toasts = useToasts();
  const { id: invoiceId, price, open, dueOn } = invoice;
  const [finalDueOn, setFinalDueOn] = useState('');
  const make = useSubmit(
    (json: { invoiceId: string; finalDueOn?: string }, headers) =>
      read(claimApi.claims.$post({ json }, { headers })),
    {
      invalidates: CLAIM_QUERIES,
      onDone: () => {
        toasts.done(CLAIM.made);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={CLAIM.makeTitle({ amount: moneyText({ amountMinor: open, currency: price.currency }) })}
      submit={CLAIM.make}
      error={make.error}
      isBusy={make.isPending}
      onSubmit={() => make.mutate({ invoiceId, ...(finalDueOn !== '' && { finalDueOn }) })}
      onClose={onClose}
    >
      <p>{CLAIM.makeHint}</p>
      <DayField
        label={CLAIM.finalDueOn}
        hint={CLAIM.finalDueHint}
        name="finalDueOn"
        value={finalDueOn}
        today={dueOn}
        onChange={setFinalDueOn}
      />
    </FormDialog>
  );
}
