import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { CheckField, ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useApprovalNotice } from '../../ui/use-approval-notice.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { INVOICE } from './invoice-words.ts';
import { type InvoiceWithLines, MONEY_QUERIES, refundApi } from './money-calls.ts';
import { MONEY } from './money-words.ts';

type Outcome = keyof typeof INVOICE.creditOutcomes;

const OUTCOMES: readonly Outcome[] = ['bill', 'due', 'nothing'];

/** Takes visits off an issued invoice, by a credit note that names it. */
export function CreditDialog({ invoice, onClose }: { invoice: InvoiceWithLines; onClose: () => void }) {
  const toasts = useToasts();
  const { id, lines, price } = invoice;
  const visits = visitsOf(lines);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(visits.size === 1 ? visits.keys() : []));
  const [outcome, setOutcome] = useState<Outcome>('bill');
  const [reason, setReason] = useState('');
  const amount = [...chosen].reduce((sum, visitId) => sum + (visits.get(visitId)?.amount ?? 0), 0);
  const submit = useSubmit(
    (given: { visitIds: string[]; outcome: Outcome; reason: string }, headers) =>
      read(refundApi.invoice[':id'].credit.$post({ param: { id }, json: given }, { headers })),
    {
      invalidates: MONEY_QUERIES,
      onDone: () => {
        toasts.done(INVOICE.credited);
        onClose();
      },
      onWaits: useApprovalNotice(onClose),
    },
  );
  return (
    <FormDialog
      title={`${INVOICE.credit}: ${INVOICE.title({ number: invoice.number })}`}
      submit={INVOICE.creditAmount({ amount: moneyText({ amountMinor: amount, currency: price.currency }) })}
      error={submit.error}
      isBusy={submit.isPending}
      isReady={chosen.size > 0 && reason.trim() !== ''}
      isFinal
      onSubmit={() => submit.mutate({ visitIds: [...chosen], outcome, reason: reason.trim() })}
      onClose={onClose}
    >
      <p>{INVOICE.creditHint}</p>
      {invoice.needsApproval.includes('credit') && <p className="notice">{COMMON.mayNeedApproval}</p>}
      <fieldset className="field">
        <legend className="label">{INVOICE.lines}</legend>
        {[...visits].map(([visitId, visit]) => (
          <CheckField
            key={visitId}
            label={`${visit.plate ?? MONEY.noPlate}: ${moneyText({ amountMinor: visit.amount, currency: price.currency })}`}
            isSelected={chosen.has(visitId)}
            onChange={(isChosen) => setChosen(withOrWithout(chosen, visitId, isChosen))}
          />
        ))}
      </fieldset>
      <ChoiceField
        label={INVOICE.creditOutcome}
        value={outcome}
        choices={OUTCOMES.map((one) => [one, INVOICE.creditOutcomes[one]] as const)}
        onChange={setOutcome}
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

/** Each visit with the amount of its lines before a discount. */
function visitsOf(lines: InvoiceWithLines['lines']): Map<string, { plate: string | null; amount: number }> {
  const visits = new Map<string, { plate: string | null; amount: number }>();
  for (const { visitId, plate, amount } of lines) {
    if (visitId === null) continue;
    visits.set(visitId, { plate, amount: amount + (visits.get(visitId)?.amount ?? 0) });
  }
  return visits;
}

function withOrWithout(chosen: ReadonlySet<string>, id: string, isChosen: boolean): ReadonlySet<string> {
  const others = [...chosen].filter((one) => one !== id);
  return new Set(isChosen ? [...others, id] : others);
}
