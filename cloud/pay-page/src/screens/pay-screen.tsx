import type { PayNext } from '@hlid/protocol/pages/pay-api';
import { CHALLENGE_RETURNED } from '@hlid/protocol/pages/pay-paths';
import { useEffect, useRef, useState } from 'react';
import { usePay } from '../pay-context.ts';
import { loadScripts } from '../providers/load-scripts.ts';
import type { StepAt } from '../state/pay-state.ts';
import { isChecking } from '../state/pay-steps.ts';
import { Frame } from '../ui/frame.tsx';
import { Sign } from '../ui/parts.tsx';

/** A payment on its way: the bank, its challenge, or the search for its outcome. */
export function PayScreen({ step }: { step: StepAt<'pay'> }) {
  const { words } = usePay();
  const { payment } = step;
  if (payment?.state === 'reversed') return <ReversedScreen />;
  if (isChecking(step)) return <CheckingScreen needsPerson={payment?.needsPerson ?? false} />;
  const next = payment?.next ?? null;
  if (next?.kind === 'form') return <BankScreen form={next} step={step} />;
  return (
    <Frame
      title={step.cancelling ? words.pay.cancelling : words.pay.working}
      lead={words.pay.keepOpen}
      className="verdict"
    >
      <span className="spinner" />
    </Frame>
  );
}

function CheckingScreen({ needsPerson }: { needsPerson: boolean }) {
  const { words } = usePay();
  return (
    <Frame
      title={words.pay.checking}
      lead={needsPerson ? words.pay.person : words.pay.checkingLead}
      className="verdict"
    >
      {needsPerson ? <Sign icon="clock" tone="doubt" /> : <span className="spinner" />}
      <p className="until" data-tone="doubt">
        {words.pay.notAgain}
      </p>
    </Frame>
  );
}

function ReversedScreen() {
  const { words, dispatch } = usePay();
  return (
    <Frame
      title={words.pay.reversed}
      lead={words.pay.reversedLead}
      className="verdict"
      actions={
        <button type="button" className="button" onClick={() => dispatch({ type: 'start-over' })}>
          {words.again}
        </button>
      }
    >
      <Sign icon="info" tone="plain" />
    </Frame>
  );
}

function isReturned(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === CHALLENGE_RETURNED;
}

type BankForm = Extract<PayNext, { kind: 'form' }>;

/** The bank's page in a frame: the form goes there, and the bank's answer comes back to our own page in that frame. */
function BankScreen({ form, step }: { form: BankForm; step: StepAt<'pay'> }) {
  const { words, cloud, dispatch } = usePay();
  const posted = useRef<HTMLFormElement>(null);
  const [isReady, setReady] = useState(form.scripts.length === 0);
  const key = step.order.payment;

  useEffect(() => {
    if (isReady) return posted.current?.submit();
    // A form is posted even if its script cannot be loaded.
    void loadScripts(form.scripts)
      .catch(() => undefined)
      .then(() => setReady(true));
    return undefined;
  }, [form.scripts, isReady]);

  useEffect(() => {
    const ending = new AbortController();
    const onMessage = async ({ origin, data }: MessageEvent<unknown>) => {
      if (origin !== location.origin || !isReturned(data)) return;
      // The message only means that it is time to ask; the cloud has the bank's answer.
      const answer = await cloud.payment(key, ending.signal);
      if (answer.kind === 'ok') dispatch({ type: 'payment', payment: answer.value });
    };
    addEventListener('message', onMessage);
    return () => {
      ending.abort();
      removeEventListener('message', onMessage);
    };
  }, [cloud, key, dispatch]);

  return (
    <Frame
      title={words.pay.bank}
      lead={words.pay.bankLead}
      className="bank"
      actions={
        <button
          type="button"
          className="button quiet"
          disabled={step.cancelling}
          onClick={() => dispatch({ type: 'cancel' })}
        >
          {step.cancelling ? words.pay.cancelling : words.pay.cancel}
        </button>
      }
    >
      <form ref={posted} method="post" action={form.url} target="bank" hidden>
        {form.fields.map(({ name, value }) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      </form>
      <iframe name="bank" title={words.pay.bankFrame} />
    </Frame>
  );
}
