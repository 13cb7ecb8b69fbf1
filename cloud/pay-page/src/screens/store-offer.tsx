import type { DriverCaps } from '@hlid/protocol/pages/driver-api';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { every } from '@hlid/ui/every';
import { useEffect, useMemo, useState } from 'react';
import { storeCard } from '../driver/store-card.ts';
import { DriverCloud } from '../driver-cloud.ts';
import { readDriverToken, writeCardToStore, writeDriverToken } from '../driver-storage.ts';
import { usePay } from '../pay-context.ts';
import { EmailForm } from '../ui/email-form.tsx';
import { Icon } from '../ui/icon.tsx';

const RETRY_MS = 3000;

type Phase = 'storing' | 'asking' | 'sending' | 'sent' | 'stored' | 'no-card' | 'wrong-proof' | 'failed';

/** The offer after a payment to store its card: stores it, or mails the link that leads to it. */
export function StoreOffer({
  payment,
  caps,
  email: given,
}: {
  payment: string;
  caps: DriverCaps;
  email: string;
}) {
  const { words, language } = usePay();
  const cloud = useMemo(() => new DriverCloud(), []);
  const [phase, setPhase] = useState<Phase>(() => (readDriverToken() === null ? 'asking' : 'storing'));
  const [email, setEmail] = useState(given);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the phase begins a call.
  useEffect(() => {
    if (phase !== 'storing' && phase !== 'sending') return;
    const stop = every(RETRY_MS, async (signal) => {
      const next = phase === 'storing' ? await store(signal) : await send(signal);
      if (next === null || signal.aborted) return;
      stop();
      setPhase(next);
    });
    return stop;
  }, [phase]);

  /** Null: the line was lost, repeat it. */
  async function store(signal: AbortSignal): Promise<Phase | null> {
    const answer = await storeCard(cloud, { payment, caps }, readDriverToken() ?? '', signal);
    if (answer.kind === 'lost') return null;
    if (answer.kind === 'ok') return answer.value.fault ?? 'stored';
    if (answer.kind === 'refused') return 'failed';
    writeDriverToken(null);
    return 'asking';
  }

  async function send(signal: AbortSignal): Promise<Phase | null> {
    const answer = await cloud.login({ email: email.trim(), language }, signal);
    if (answer.kind === 'lost') return null;
    return answer.kind === 'ok' ? 'sent' : 'failed';
  }

  const ask = () => {
    writeCardToStore({ payment, email: email.trim(), caps });
    setPhase('sending');
  };
  if (phase === 'storing') return <p role="status">{words.loading}</p>;
  const text = {
    sent: words.driver.linkSent,
    stored: words.driver.stored({ card: words.driver.card }),
    'no-card': words.driver.notStored,
    'wrong-proof': words.driver.noVehicle,
    failed: words.notices.failed,
  };
  if (phase !== 'asking' && phase !== 'sending') {
    return (
      <div className="mail" role="status">
        <p className={phase === 'sent' || phase === 'stored' ? 'mailed' : 'mistake'}>
          <Icon name={phase === 'sent' || phase === 'stored' ? 'tick' : 'alert'} />
          {text[phase]}
        </p>
        {phase !== 'sent' && (
          <a className="button" href={DRIVER_PATHS.page}>
            {words.driver.manage}
          </a>
        )}
      </div>
    );
  }
  return (
    <EmailForm
      label={words.paid.email}
      hint={words.driver.offer}
      email={email}
      onText={setEmail}
      action={words.driver.sendLink}
      isSending={phase === 'sending'}
      onSend={ask}
    />
  );
}
