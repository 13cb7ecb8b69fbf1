import { Badge, type Tone } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { isOperator, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { type Channel, type Contested, contest, type Dispute, listDisputes } from './dispute-api.ts';
import { DISPUTE } from './dispute-words.ts';
import { LetterDialog } from './letter-dialog.tsx';
import './disputes.css';

const DisputeFile = lazy(async () => ({ default: (await import('./dispute-file.tsx')).DisputeFile }));
const AnswerDialog = lazy(async () => ({ default: (await import('./answer-dialog.tsx')).AnswerDialog }));

export const DISPUTE_TONES: Record<Dispute['state'], Tone> = {
  open: 'caution',
  upheld: 'positive',
  rejected: 'neutral',
  withdrawn: 'neutral',
};

/** The disputes about a visit or an invoice, newest first. Nothing is shown without a dispute. */
export function DisputeCard({ about }: { about: Contested }) {
  const { data } = useQuery({ queryKey: ['disputes', about], queryFn: () => listDisputes(about) });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <section className="card" aria-label={DISPUTE.title}>
      <h2>{DISPUTE.title}</h2>
      {data.data.map((dispute) => (
        <ShownDispute key={dispute.id} dispute={dispute} />
      ))}
    </section>
  );
}

export function aboutText({ visitId, plate, invoiceNumber }: Dispute): string {
  return visitId === null
    ? DISPUTE.invoice({ number: invoiceNumber })
    : DISPUTE.visit({ plate: plate ?? DISPUTE.noPlate });
}

export function fromText({ customer, openedBy, source }: Dispute): string {
  const name = source === 'driver' ? null : (customer?.name ?? openedBy);
  const kind = DISPUTE.whoNames[source];
  return name === null ? kind : `${name} · ${kind}`;
}

/** @param withPicture where the page does not show the car anyway */
function ShownDispute({ dispute, withPicture = false }: { dispute: Dispute; withPicture?: boolean }) {
  const timeZone = useTimeZone(dispute.siteId);
  const [answering, setAnswering] = useState<'answer' | 'waive' | null>(null);
  const { state, text, answer, openedOn, picture, plate, actions } = dispute;
  return (
    <article className="dispute">
      <p className="dispute-head">
        <Badge tone={DISPUTE_TONES[state]}>{DISPUTE.states[state]}</Badge>
        <span className="quiet-text">
          {fromText(dispute)} · <Moment at={openedOn} timeZone={timeZone} isExact />
        </span>
      </p>
      {withPicture && picture !== null && (
        <Picture
          src={picture}
          thumb={`${picture}?kind=thumb`}
          name={DISPUTE.picture({ plate: plate ?? '' })}
        />
      )}
      <blockquote>{text}</blockquote>
      {answer !== null && (
        <blockquote className="answer">
          {answer.text}
          {answer.voided && <p>{DISPUTE.voided}</p>}
          <p className="quiet-text">
            <Moment at={answer.on} timeZone={timeZone} isExact />
          </p>
        </blockquote>
      )}
      <Suspense>
        <DisputeFile dispute={dispute} />
      </Suspense>
      {actions.includes('answer') && (
        <div className="row-acts">
          <Button look="primary" onPress={() => setAnswering('answer')}>
            {DISPUTE.answer}
          </Button>
          <Button onPress={() => setAnswering('waive')}>{DISPUTE.waiveAll}</Button>
        </div>
      )}
      {answering !== null && (
        <Suspense>
          <AnswerDialog
            dispute={dispute}
            title={DISPUTE.answerTitle({ what: aboutText(dispute) })}
            isToWaive={answering === 'waive'}
            onClose={() => setAnswering(null)}
          />
        </Suspense>
      )}
    </article>
  );
}

const CHANNELS: readonly Channel[] = ['telephone', 'mail', 'letter', 'in-person', 'console'];

/** A person contests a visit or an invoice; an operator does it for a caller. */
export function ContestDialog({
  about,
  title,
  onClose,
}: {
  about: Contested;
  title: string;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const isForSomebody = isOperator(useSession());
  const [channel, setChannel] = useState<Channel>('telephone');
  return (
    <LetterDialog
      title={title}
      submit={DISPUTE.send}
      label={DISPUTE.why}
      hint={DISPUTE.whyHint}
      send={(text, headers) => contest(about, { text, ...(isForSomebody && { channel }) }, headers)}
      onDone={() => toasts.done(DISPUTE.sent)}
      onClose={onClose}
    >
      {isForSomebody && (
        <ChoiceField
          label={DISPUTE.arrived}
          name="channel"
          value={channel}
          choices={CHANNELS.map((one) => [one, DISPUTE.channels[one]] as const)}
          onChange={setChannel}
        />
      )}
    </LetterDialog>
  );
}
