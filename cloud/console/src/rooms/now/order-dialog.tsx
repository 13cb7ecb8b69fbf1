import type { LaneBoard } from '@hlid/protocol/site-link/site-board';
import { useState } from 'react';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { commandLane, type HoldBody, type LaneVerb, type Reason } from './gate-commands.ts';
import { WORDS } from './now-words.ts';
import { REASONS } from './open-dialog.tsx';

const MINUTES = [5, 15, 30, 60, 120, 240, 480] as const;
const NEVER = 'never';
const TITLES = { hold: WORDS.holdLane, close: WORDS.closeLane, release: WORDS.releaseLane };
const DONE = { hold: WORDS.held, close: WORDS.closed, release: WORDS.released };
const USUAL_MINUTES = { hold: '60', close: '15', release: NEVER };

/** Holds a lane open or closes it until an end, or gives it back to its rules. */
export function OrderDialog({
  siteId,
  lane,
  verb,
  onClose,
}: {
  siteId: string;
  lane: LaneBoard;
  verb: Exclude<LaneVerb, 'open'>;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const [minutes, setMinutes] = useState<string>(USUAL_MINUTES[verb]);
  const [reasonCode, setReason] = useState<Reason>(verb === 'hold' ? 'event' : 'works');
  const [note, setNote] = useState('');
  const place = { siteId, laneId: lane.id };
  const order = useSubmit((json: HoldBody, headers) => commandLane(place, { verb, json }, headers), {
    old: [['lanes']],
    onDone: () => {
      toasts.done(DONE[verb](lane.name));
      onClose();
    },
  });
  const needsNote = reasonCode === 'other';
  const isShort = verb === 'close' && lane.direction === 'exit';
  const json: HoldBody = {
    reasonCode,
    ...(note.trim() !== '' && { note: note.trim() }),
    ...(verb !== 'release' && { lapseMinutes: minutes === NEVER ? null : Number(minutes) }),
  };
  return (
    <FormDialog
      title={TITLES[verb](lane.name)}
      submit={TITLES[verb](lane.name)}
      error={order.error}
      isBusy={order.isPending}
      isReady={!needsNote || note.trim() !== ''}
      onSubmit={() => order.mutate(json)}
      onClose={onClose}
    >
      {verb !== 'release' && (
        <ChoiceField
          label={WORDS.until}
          value={minutes}
          choices={[
            ...MINUTES.filter((n) => !isShort || n <= 15).map((n) => [String(n), WORDS.minutes(n)] as const),
            ...(isShort ? [] : ([[NEVER, WORDS.noEnd]] as const)),
          ]}
          {...(isShort && { hint: WORDS.exitClosed })}
          onChange={setMinutes}
        />
      )}
      <ChoiceField label={WORDS.whatFor} value={reasonCode} choices={REASONS} onChange={setReason} />
      <TextField
        label={WORDS.note}
        hint={WORDS.noteHint}
        value={note}
        isRequired={needsNote}
        maxLength={500}
        onChange={setNote}
      />
    </FormDialog>
  );
}
