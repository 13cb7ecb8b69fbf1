import type { InvoiceEdit } from '@hlid/cloud/money/invoices/invoice';
import type { receiptRoutes } from '@hlid/cloud/paying/receipts/receipt-routes';
import type { PaidWith } from '@hlid/protocol/records/visit';
import { useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { CODES, STATUS } from '../../words/codes.ts';
import { INVOICE } from './invoice-words.ts';
import { type InvoiceWithLines, invoiceApi, MONEY_QUERIES, moneyOf } from './money-calls.ts';
import { MONEY } from './money-words.ts';

const receiptApi = apiOf<typeof receiptRoutes>();

interface Props {
  invoice: InvoiceWithLines;
  onClose: () => void;
}

async function editInvoice(id: string, json: InvoiceEdit, headers?: Record<string, string>) {
  return await read(invoiceApi.invoice[':id'].$put({ param: { id }, json }, headers ? { headers } : {}));
}

/** @param done the text of the notice, and the effect of its undo */
function useEditInvoice(
  { invoice, onClose }: Props,
  done: (edit: InvoiceEdit) => { text: string; undo?: InvoiceEdit },
) {
  const toasts = useToasts();
  const { id } = invoice;
  return useSubmit((edit: InvoiceEdit, headers) => editInvoice(id, edit, headers), {
    invalidates: MONEY_QUERIES,
    onDone: (_, edit) => {
      const { text, undo } = done(edit);
      if (undo) toasts.done(text, () => editInvoice(id, undo));
      else toasts.done(text);
      onClose();
    },
  });
}

/** Names the payer of an invoice that waits for one: it is then issued. */
export function PayerDialog(props: Props) {
  const [name, setName] = useState('');
  const [ssn, setSsn] = useState('');
  const submit = useEditInvoice(props, () => ({ text: INVOICE.issuedNow }));
  return (
    <FormDialog
      title={INVOICE.setPayer}
      submit={INVOICE.issue({ amount: moneyText(moneyOf(props.invoice.price)) })}
      error={submit.error}
      isBusy={submit.isPending}
      isReady={name.trim() !== ''}
      isFinal
      onSubmit={() => submit.mutate({ payer: { name: name.trim(), ssn: ssn.trim() || null } })}
      onClose={props.onClose}
    >
      <p>{INVOICE.payerHint}</p>
      <TextField label={INVOICE.name} isRequired autoFocus value={name} onChange={setName} />
      <TextField
        label={INVOICE.ssn}
        hint={INVOICE.ssnHint}
        inputMode="numeric"
        value={ssn}
        onChange={setSsn}
      />
    </FormDialog>
  );
}

const WAYS: readonly PaidWith[] = ['transfer', 'cash', 'other-card', 'other'];

export function PaidDialog(props: Props) {
  const [paidWith, setPaidWith] = useState<PaidWith>('transfer');
  const submit = useEditInvoice(props, () => ({ text: INVOICE.markedPaid }));
  const { number, open, price } = props.invoice;
  return (
    <FormDialog
      title={`${INVOICE.markPaid}: ${INVOICE.title({ number })}`}
      submit={INVOICE.markPaidAmount({ amount: moneyText({ amountMinor: open, currency: price.currency }) })}
      error={submit.error}
      isBusy={submit.isPending}
      isFinal
      onSubmit={() => submit.mutate({ status: 'paid', paidWith })}
      onClose={props.onClose}
    >
      <p>{INVOICE.markPaidHint}</p>
      <ChoiceField
        label={INVOICE.paidBy}
        value={paidWith}
        choices={WAYS.map((way) => [way, CODES.paymentWay[way]] as const)}
        onChange={setPaidWith}
      />
    </FormDialog>
  );
}

type Remote = InvoiceWithLines['remoteStatus'];
const REMOTE: readonly Remote[] = ['completed', 'failed', 'draft'];

/** How far the accounting system has the invoice, where that system does not mark it itself. */
export function RemoteDialog(props: Props) {
  const before = props.invoice.remoteStatus;
  const choices = REMOTE.filter((one) => one !== before);
  const [remoteStatus, setRemote] = useState<Remote>('completed');
  const submit = useEditInvoice(props, (edit) => ({
    text: INVOICE.markedRemote({ status: STATUS.accounting[edit.remoteStatus ?? before] }),
    ...(edit.remoteStatus !== 'completed' && { undo: { remoteStatus: before } }),
  }));
  return (
    <FormDialog
      title={INVOICE.markRemote}
      submit={INVOICE.markedRemote({ status: STATUS.accounting[remoteStatus] })}
      error={submit.error}
      isBusy={submit.isPending}
      onSubmit={() => submit.mutate({ remoteStatus })}
      onClose={props.onClose}
    >
      <ChoiceField
        label={INVOICE.remote}
        value={remoteStatus}
        choices={choices.map((one) => [one, STATUS.accounting[one]] as const)}
        hint={INVOICE.markFinal}
        onChange={setRemote}
      />
    </FormDialog>
  );
}

/** Mails the receipt of what was paid for the visit. */
export function MailDialog({ invoice, onClose }: Props) {
  const toasts = useToasts();
  const [email, setEmail] = useState(invoice.invoiceEmail ?? '');
  const [language, setLanguage] = useState(invoice.language);
  const id = invoice.visitId ?? '';
  const submit = useSubmit(
    (json: { email: string; language: typeof language }, headers) =>
      read(receiptApi.visit[':id'].receipt.$post({ param: { id }, json }, { headers })),
    {
      invalidates: [['mail']],
      onDone: () => {
        toasts.done(INVOICE.mailed);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={INVOICE.mail}
      submit={INVOICE.mailTo({ address: email.trim() })}
      error={submit.error}
      isBusy={submit.isPending}
      isReady={email.includes('@')}
      onSubmit={() => submit.mutate({ email: email.trim(), language })}
      onClose={onClose}
    >
      <TextField
        label={MONEY.email}
        type="email"
        autoComplete="off"
        isRequired
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <ChoiceField
        label={MONEY.language}
        value={language}
        choices={[
          ['is', MONEY.languages.is],
          ['en', MONEY.languages.en],
        ]}
        onChange={setLanguage}
      />
    </FormDialog>
  );
}
