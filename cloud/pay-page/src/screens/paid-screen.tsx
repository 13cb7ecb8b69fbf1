import { formatMoney } from '@hlid/protocol/base/money';
import { deadlineOf } from '@hlid/protocol/rules/paid-deadline';
import { ExitCodes } from '../offline/offline.tsx';
import { writePaid } from '../paid-record.ts';
import { usePay } from '../pay-context.ts';
import { untilText } from '../site-clock.ts';
import type { StepAt } from '../state/pay-state.ts';
import { EmailForm } from '../ui/email-form.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { Sign } from '../ui/parts.tsx';
import { StoreOffer } from './store-offer.tsx';

export function PaidScreen({ step }: { step: StepAt<'paid'> }) {
  const { words, language, site, dispatch } = usePay();
  const { payment } = step;
  const amount = formatMoney(payment, language);
  const until = deadlineOf(payment);
  const startOver = () => {
    writePaid(null);
    dispatch({ type: 'start-over' });
  };
  const title = payment.quantity === null ? words.paid.leave : words.paid.days;
  return (
    <Frame
      title={words.paid.title}
      notice={step.notice}
      className="verdict paid"
      actions={
        <>
          {payment.receipt !== null && (
            <a
              className="button primary"
              href={`${payment.receipt}?lang=${language}`}
              target="_blank"
              rel="noreferrer"
            >
              {words.paid.receipt}
            </a>
          )}
          <button type="button" className="button quiet" onClick={startOver}>
            {words.paid.another}
          </button>
        </>
      }
    >
      <Sign icon={payment.exitOpens ? 'gate' : 'tick'} tone="good" />
      <p className="paid-amount" translate="no">
        {amount}
      </p>
      <p className="leave" role="status">
        {payment.exitOpens && <strong>{words.paid.gate}</strong>}
        {!payment.exitOpens && until !== null && site !== null && (
          <>
            {title} <strong>{untilText(until, new Date(), site.timeZone, language)}</strong>
          </>
        )}
        {!payment.exitOpens && until === null && (payment.invoice ? words.invoice.done : words.paid.left)}
      </p>
      <ExitCodes codes={payment.codes} />
      {step.caps !== null && payment.state === 'settled' && (
        <StoreOffer payment={payment.key} caps={step.caps} email={step.email} />
      )}
      {payment.receipt !== null && payment.invoice === undefined && <MailForm step={step} />}
    </Frame>
  );
}

function MailForm({ step }: { step: StepAt<'paid'> }) {
  const { words, dispatch } = usePay();
  if (step.mail === 'sent') {
    return (
      <div className="mail">
        <p className="mailed" role="status">
          <Icon name="tick" />
          {words.paid.sent}
        </p>
        <button type="button" className="button quiet" onClick={() => dispatch({ type: 'mail-again' })}>
          {words.paid.sendAgain}
        </button>
      </div>
    );
  }
  return (
    <EmailForm
      label={words.paid.mail}
      hint={words.paid.privacy}
      placeholder={words.paid.email}
      email={step.email}
      onText={(text) => dispatch({ type: 'typed', text })}
      action={words.paid.send}
      isSending={step.mail === 'sending'}
      onSend={() => dispatch({ type: 'mail' })}
    />
  );
}
