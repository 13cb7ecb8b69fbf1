import { formatMoney } from '@hlid/protocol/money';
import { useState } from 'react';
import { usePay } from '../pay-context.ts';
import { untilText } from '../site-clock.ts';
import type { StepAt } from '../state/pay-state.ts';
import { isEmail } from '../ui/email.ts';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { Sign } from '../ui/parts.tsx';
import { TextField } from '../ui/text-field.tsx';
import { StoreOffer } from './store-offer.tsx';

export function PaidScreen({ step }: { step: StepAt<'paid'> }) {
  const { words, language, site, dispatch } = usePay();
  const { payment } = step;
  const amount = formatMoney(payment, language);
  const until = payment.daysUntil ?? payment.paidUntil;
  const title = payment.daysUntil === null ? words.paid.leave : words.paid.days;
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
          <button type="button" className="button quiet" onClick={() => dispatch({ type: 'start-over' })}>
            {words.paid.another}
          </button>
        </>
      }
    >
      <Sign icon={payment.exitOpens ? 'gate' : 'tick'} tone="good" />
      <p className="paid-amount">{amount}</p>
      <p className="leave" role="status">
        {payment.exitOpens && <strong>{words.paid.gate}</strong>}
        {!payment.exitOpens && until !== null && site !== null && (
          <>
            {title} <strong>{untilText(until, new Date(), site.timeZone, language)}</strong>
          </>
        )}
        {!payment.exitOpens && until === null && words.paid.left}
      </p>
      {step.caps !== null && payment.state === 'settled' && (
        <StoreOffer payment={payment.key} caps={step.caps} email={step.email} />
      )}
      {payment.receipt !== null && <MailForm step={step} />}
    </Frame>
  );
}

function MailForm({ step }: { step: StepAt<'paid'> }) {
  const { words, dispatch } = usePay();
  const [isWrong, setWrong] = useState(false);
  if (step.mail === 'sent') {
    return (
      <p className="mailed" role="status">
        <Icon name="tick" />
        {words.paid.sent}
      </p>
    );
  }
  const send = () => {
    const wrong = !isEmail(step.email);
    setWrong(wrong);
    if (!wrong) dispatch({ type: 'mail' });
  };
  return (
    <form
      className="mail"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextField
        label={words.paid.mail}
        type="email"
        value={step.email}
        autoComplete="email"
        inputMode="email"
        placeholder={words.paid.email}
        hint={words.paid.privacy}
        mistake={isWrong ? words.paid.wrong : undefined}
        onText={(text) => {
          setWrong(false);
          dispatch({ type: 'typed', text });
        }}
      />
      <button type="submit" className="button" disabled={step.mail === 'sending'}>
        {words.paid.send}
      </button>
    </form>
  );
}
