import { Badge } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { useAddress } from '../../shell/room-address.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { dayText } from '../../ui/wall-text.ts';
import type { InvoiceWithLines } from '../money/money-calls.ts';
import { AskBank } from './ask-bank.tsx';
import {
  CLAIM,
  type Claim,
  claimQuery,
  type InvoiceReminders,
  isPaidInPart,
  REMINDER,
  REMINDER_TONES,
  readClaims,
  readReminder,
  readReminders,
  reminderApi,
} from './claim-calls.ts';
import { MakeClaimDialog } from './claim-dialogs.tsx';
import { ClaimState } from './claims-tab.tsx';
import { TakenBack } from './taken-back.tsx';

type Reminder = InvoiceReminders['reminders'][number];

/** The claims of an invoice at banks, and its reminders with the next step. */
export function InvoiceClaims({ invoice }: { invoice: InvoiceWithLines }) {
  return (
    <>
      <Claims invoice={invoice} />
      <Reminders invoice={invoice} />
    </>
  );
}

function Claims({ invoice }: { invoice: InvoiceWithLines }) {
  const { id: invoiceId, status, dueOn } = invoice;
  const [isMaking, setMaking] = useState(false);
  const { data } = useQuery({
    queryKey: ['claims', 'list', { invoiceId }],
    queryFn: () => readClaims({ invoiceId }),
  });
  if (data === undefined) return null;
  const isStanding = data.data.some(({ state }) => state === 'new' || state === 'unpaid' || state === 'paid');
  const canMake = status === 'draft' && dueOn !== null && !isStanding;
  if (data.data.length === 0 && !canMake) return null;
  return (
    <section className="card form" aria-labelledby="claims-of-invoice">
      <h2 id="claims-of-invoice">{CLAIM.ofInvoice}</h2>
      {data.data.map((claim) => (
        <OneClaim key={claim.id} listed={claim} />
      ))}
      {canMake && (
        <div className="row-acts">
          <Button onPress={() => setMaking(true)}>{CLAIM.make}</Button>
        </div>
      )}
      {isMaking && dueOn !== null && (
        <MakeClaimDialog invoice={{ ...invoice, dueOn }} onClose={() => setMaking(false)} />
      )}
    </section>
  );
}

/** A claim with what the bank has reported: it may be paid short, and a payment may go back. */
function OneClaim({ listed }: { listed: Claim }) {
  const addressOf = useAddress();
  const { data } = useQuery(claimQuery(listed.id));
  const { terms, currency, dueOn, paid } = data ?? listed;
  const money = (amountMinor: number) => moneyText({ amountMinor, currency });
  return (
    <>
      <p>
        <ClaimState claim={data ?? listed} />{' '}
        <Link to={addressOf(`money/claims/${listed.id}`)}>
          {money(terms.amount)} · {dayText(dueOn)}
        </Link>
      </p>
      {isPaidInPart(data ?? listed) && (
        <p>{CLAIM.paidShort({ paid: money(paid), left: money(terms.amount - paid) })}</p>
      )}
      {data !== undefined && <TakenBack claim={data} />}
      {data?.actions.includes('follow') && (
        <div className="row-acts">
          <AskBank claim={data} />
        </div>
      )}
    </>
  );
}

function Reminders({ invoice: { id, siteId } }: { invoice: InvoiceWithLines }) {
  const timeZone = useTimeZone(siteId);
  const { data } = useQuery({ queryKey: ['reminders', 'of', id], queryFn: () => readReminders(id) });
  if (data === undefined) return null;
  const { next, stopped, reminders } = data;
  const isQuiet = reminders.length === 0 && next === null && (stopped === null || stopped === 'paid');
  if (isQuiet || (stopped === 'off' && reminders.length === 0)) return null;
  return (
    <section className="card form" aria-labelledby="reminders-of-invoice">
      <h2 id="reminders-of-invoice">{REMINDER.title}</h2>
      {reminders.length > 0 && (
        <ol className="history">
          {reminders.map((reminder) => (
            <li key={reminder.id}>
              <Moment at={reminder.deliveredOn ?? reminder.writtenOn} timeZone={timeZone} isExact />
              <OneReminder reminder={reminder} />
            </li>
          ))}
        </ol>
      )}
      <p>
        <strong>{REMINDER.nextStep}:</strong> {next === null ? stopText(stopped) : nextText(next)}
      </p>
    </section>
  );
}

function nextText({ step, on, charge }: NonNullable<InvoiceReminders['next']>): string {
  const day = dayText(on);
  if (charge === 0) return REMINDER.next({ step: REMINDER.steps[step], day });
  const amount = moneyText({ amountMinor: charge, currency: 'ISK' });
  return REMINDER.nextWithCharge({ step: REMINDER.steps[step], day, charge: amount });
}

function stopText(stopped: InvoiceReminders['stopped']): string {
  return stopped === null ? '–' : REMINDER.stopped[stopped];
}

function OneReminder({ reminder }: { reminder: Reminder }) {
  const { step, state, charge, currency, chargeInvoice } = reminder;
  const addressOf = useAddress();
  const [isOpen, setOpen] = useState(false);
  return (
    <span>
      {REMINDER.steps[step]} <Badge tone={REMINDER_TONES[state]}>{REMINDER.states[state]}</Badge>{' '}
      {charge > 0 && REMINDER.charge({ amount: moneyText({ amountMinor: charge, currency }) })}{' '}
      <span className="row-acts">
        {chargeInvoice !== null && (
          <Link to={addressOf(`money/invoices/${chargeInvoice.id}`)}>
            {REMINDER.chargeInvoice({ number: chargeInvoice.number })}
          </Link>
        )}
        <Button onPress={() => setOpen(true)}>{REMINDER.letter}</Button>
      </span>
      {isOpen && <LetterDialog reminder={reminder} onClose={() => setOpen(false)} />}
    </span>
  );
}

/** The letter, to be read, printed, and noted as delivered where no mail did it. */
function LetterDialog({ reminder, onClose }: { reminder: Reminder; onClose: () => void }) {
  const { id, state, step } = reminder;
  const toasts = useToasts();
  const { data } = useQuery({ queryKey: ['reminders', 'one', id], queryFn: () => readReminder(id) });
  const deliver = useSubmit(
    (_: null, headers) =>
      read(
        reminderApi.reminder[':id'].deliver.$post(
          { param: { id }, json: { deliveredOn: new Date().toISOString() } },
          { headers },
        ),
      ),
    {
      invalidates: [['reminders'], ['invoices']],
      onDone: () => {
        toasts.done(REMINDER.isDelivered);
        onClose();
      },
    },
  );
  const isByHand = state === 'failed' || state === 'paper';
  return (
    <Dialog title={data?.letter?.subject ?? REMINDER.steps[step]} onClose={onClose}>
      <pre className="letter">{data?.letter?.text}</pre>
      {isByHand && <p className="hint">{REMINDER.deliverHint}</p>}
      <footer>
        <Button slot="close">{REMINDER.close}</Button>
        <Button onPress={() => window.print()}>{REMINDER.print}</Button>
        {isByHand && (
          <Button
            look="primary"
            isPending={deliver.isPending}
            onPress={() => deliver.mutate(null, { onError: toasts.failed })}
          >
            {REMINDER.deliver}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}
