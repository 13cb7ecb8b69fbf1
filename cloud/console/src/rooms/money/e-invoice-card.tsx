import { Badge, type Tone } from '@hlid/ui/badge';
import { isOperator, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { INVOICE } from './invoice-words.ts';
import { type InvoiceWithLines, MONEY_QUERIES, sendInvoice } from './money-calls.ts';

type EInvoice = NonNullable<InvoiceWithLines['eInvoice']>;

const TONES = {
  waiting: 'neutral',
  sending: 'neutral',
  unknown: 'caution',
  accepted: 'neutral',
  delivered: 'positive',
  refused: 'negative',
} as const satisfies Record<EInvoice['state'], Tone>;

/** How far an invoice is on its way to its payer electronically, why it is not there, and what to do. */
export function EInvoiceCard({ invoice }: { invoice: InvoiceWithLines }) {
  const timeZone = useTimeZone(invoice.siteId);
  // Customers see how far it is; why it is not there is for the office.
  const isOffice = isOperator(useSession());
  const { eInvoice } = invoice;
  const canSend = invoice.actions.includes('send');
  if (eInvoice === null) return canSend ? <NotSent invoice={invoice} /> : null;
  const { state, on, receiver, accessPoint, reference, reason, detail, attempts } = eInvoice;
  const { explained, reasons, whatToDo } = INVOICE.electronic;
  return (
    <section className="card form" aria-labelledby="e-invoice">
      <h2 id="e-invoice">{INVOICE.electronic.title}</h2>
      <p>
        <Badge tone={reason === 'no-access-point' ? 'caution' : TONES[state]}>
          {INVOICE.electronic.states[state]}
        </Badge>{' '}
        {explained[state]}
      </p>
      {isOffice && reason !== null && (
        <p>
          <strong>{reasons[reason]}</strong> {whatToDo[reason]}
        </p>
      )}
      <Details
        rows={[
          [INVOICE.electronic.since, <Moment key="on" at={on} timeZone={timeZone} isExact />],
          [INVOICE.electronic.receiver, receiver],
          [INVOICE.electronic.accessPoint, isOffice ? accessPoint : null],
          [INVOICE.electronic.reference, reference],
          [INVOICE.electronic.detail, isOffice ? detail : null],
          [INVOICE.electronic.attempts, attempts > 1 ? String(attempts) : null],
        ]}
      />
      {canSend && <SendButton invoice={invoice} label={INVOICE.electronic.sendAgain} />}
    </section>
  );
}

/** One that can be sent, though its customer did not want that when it was issued. */
function NotSent({ invoice }: { invoice: InvoiceWithLines }) {
  return (
    <section className="card form" aria-labelledby="e-invoice">
      <h2 id="e-invoice">{INVOICE.electronic.title}</h2>
      <p>{INVOICE.electronic.notSent}</p>
      <SendButton invoice={invoice} label={INVOICE.electronic.send} />
    </section>
  );
}

function SendButton({ invoice: { id }, label }: { invoice: InvoiceWithLines; label: string }) {
  const toasts = useToasts();
  const send = useSubmit((_: null, headers) => sendInvoice(id, headers), {
    invalidates: MONEY_QUERIES,
    onDone: () => toasts.done(INVOICE.electronic.queued),
  });
  return (
    <div className="row-acts">
      <Button isDisabled={send.isPending} onPress={() => send.mutate(null, { onError: toasts.failed })}>
        {label}
      </Button>
    </div>
  );
}
