import { MAX_NOTE } from '@hlid/protocol/base/limits';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { moneyText } from '../../ui/money.tsx';
import { PhotoPicture } from '../../ui/picture.tsx';
import { Moment } from '../../ui/time.tsx';
import { useEdit } from '../../ui/use-edit.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import {
  DISPUTE_QUERIES,
  type Dispute,
  type DisputeEdit,
  editDispute,
  readDispute,
  readForEdit,
  type WholeDispute,
  withdraw,
  write,
} from './dispute-api.ts';
import { DISPUTE } from './dispute-words.ts';
import { LetterDialog } from './letter-dialog.tsx';

/** All of a dispute: its messages, its evidence side by side, and what both sides can still do. */
export function DisputeFile({ dispute }: { dispute: Dispute }) {
  const { id, actions, answer } = dispute;
  const timeZone = useTimeZone(dispute.siteId);
  const { data } = useQuery({ queryKey: ['disputes', 'one', id], queryFn: () => readDispute(id) });
  const [does, setDoes] = useState<'message' | 'withdraw' | 'deadline' | null>(null);
  if (data === undefined) return null;
  const end = () => setDoes(null);
  const given = answer?.given ?? null;
  return (
    <>
      <Details
        rows={[
          [DISPUTE.channel, DISPUTE.channels[data.channel]],
          [
            DISPUTE.answerBy,
            data.state === 'open' ? (
              <Moment key="answerBy" at={data.answerBy} timeZone={timeZone} isExact />
            ) : null,
          ],
          [
            DISPUTE.given,
            given === null
              ? null
              : DISPUTE.ways[given.way]({
                  amount: moneyText({ amountMinor: given.amount, currency: given.currency }),
                }),
          ],
        ]}
      />
      <Messages dispute={data} timeZone={timeZone} />
      {data.evidence !== null && <Evidence evidence={data.evidence} timeZone={timeZone} />}
      <div className="dispute-head">
        {actions.includes('message') && (
          <Button onPress={() => setDoes('message')}>{DISPUTE.writeMessage}</Button>
        )}
        {actions.includes('edit') && (
          <Button onPress={() => setDoes('deadline')}>{DISPUTE.changeDeadline}</Button>
        )}
        {actions.includes('withdraw') && (
          <Button onPress={() => setDoes('withdraw')}>{DISPUTE.withdraw}</Button>
        )}
      </div>
      {does === 'message' && (
        <LetterDialog
          title={DISPUTE.writeMessage}
          submit={DISPUTE.sendMessage}
          label={DISPUTE.message}
          send={(text, headers) => write(id, text, headers)}
          onClose={end}
        />
      )}
      {does === 'deadline' && <DeadlineDialog id={id} timeZone={timeZone} onClose={end} />}
      {does === 'withdraw' && <WithdrawDialog id={id} onClose={end} />}
    </>
  );
}

function Messages({ dispute: { messages }, timeZone }: { dispute: WholeDispute; timeZone: string }) {
  return messages.map(({ side, by, text, on }) => (
    <blockquote key={`${side} ${on}`} className={side === 'office' ? 'answer' : ''}>
      {text}
      <p className="quiet-text">
        {by ?? DISPUTE.sides[side]} · <Moment at={on} timeZone={timeZone} isExact />
      </p>
    </blockquote>
  ));
}

type Evidence = NonNullable<WholeDispute['evidence']>;

function Evidence({ evidence, timeZone }: { evidence: Evidence; timeZone: string }) {
  const { stay, reads, likelierPlate, payments, draftedOn } = evidence;
  return (
    <section className="dispute-evidence" aria-label={DISPUTE.evidence}>
      <h3>{DISPUTE.evidence}</h3>
      <p className="quiet-text">
        <Moment at={draftedOn} timeZone={timeZone} isExact />
      </p>
      <div className="dispute-reads">
        {reads.map(({ photoId, role, plate, score, on, hasPicture }) => (
          <figure key={photoId}>
            <PhotoPicture photoId={hasPicture ? photoId : null} name={plate ?? DISPUTE.noPlate} />
            <figcaption>
              {DISPUTE.roles[role]}: {plate ?? DISPUTE.noPlate} ({Math.round(score * 100)}%)
              <br />
              <Moment at={on} timeZone={timeZone} isExact />
            </figcaption>
          </figure>
        ))}
      </div>
      <Details
        rows={[
          [
            DISPUTE.likelier,
            likelierPlate === null
              ? DISPUTE.likelierNone({ plate: stay.plate ?? DISPUTE.noPlate })
              : likelierPlate.plate,
          ],
          [DISPUTE.asked, priceText(evidence.asked)],
          [DISPUTE.priced, priceText(evidence.priced)],
          [DISPUTE.today, priceText(evidence.today)],
          [
            DISPUTE.paidBefore,
            payments.length === 0
              ? DISPUTE.paidNothing
              : payments
                  .map(({ amount, currency }) => moneyText({ amountMinor: amount, currency }))
                  .join(', '),
          ],
        ]}
      />
    </section>
  );
}

function priceText(price: Evidence['asked']): string {
  if (price === null) return DISPUTE.noPrice;
  return moneyText({ amountMinor: price.amount, currency: price.currency });
}

/** Another deadline, with the reason. */
function DeadlineDialog({ id, timeZone, onClose }: { id: string; timeZone: string; onClose: () => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const edit = useEdit(
    ['disputes', 'edit', id],
    () => readForEdit(id),
    (json: DisputeEdit, headers) => editDispute(id, json, headers),
    { invalidates: DISPUTE_QUERIES, onDone: onClose },
  );
  const answerBy = typed ?? (edit.theirs ?? edit.before)?.answerBy ?? null;
  return (
    <FormDialog
      title={DISPUTE.changeDeadline}
      submit={DISPUTE.saveDeadline}
      isReady={typed !== null && reason.trim() !== ''}
      error={edit.error ?? edit.loadError}
      isBusy={edit.isBusy}
      onSubmit={() => typed !== null && edit.save({ answerBy: typed, reason: reason.trim() })}
      onClose={onClose}
    >
      <MomentField
        label={DISPUTE.answerBy}
        name="answerBy"
        value={answerBy}
        timeZone={timeZone}
        onChange={setTyped}
        isRequired
      />
      <TextField
        label={DISPUTE.deadlineReason}
        name="reason"
        maxLength={MAX_NOTE}
        value={reason}
        onChange={setReason}
        hint={DISPUTE.deadlineHint}
        isRequired
      />
    </FormDialog>
  );
}

function WithdrawDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const send = useSubmit((_: null, headers) => withdraw(id, headers), {
    invalidates: DISPUTE_QUERIES,
    onDone: onClose,
  });
  return (
    <FormDialog
      title={DISPUTE.withdraw}
      submit={DISPUTE.withdraw}
      isReady
      isFinal
      error={send.error}
      isBusy={send.isPending}
      onSubmit={() => send.mutate(null)}
      onClose={onClose}
    >
      <p>{DISPUTE.withdrawHint}</p>
    </FormDialog>
  );
}
