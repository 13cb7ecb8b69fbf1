import { MAX_NOTE } from '@hlid/protocol/base/limits';
import {
  HOLD_MINUTES,
  MAX_EXIT_CLOSED_MINUTES,
  USUAL_CLOSE_MINUTES,
  USUAL_HOLD_MINUTES,
} from '@hlid/protocol/records/gate-times';
import type { LaneBoard } from '@hlid/protocol/site-link/site-board';
import { useState } from 'react';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { commandLane, type HoldBody, type LaneVerb, type Reason } from './gate-commands.ts';
import { WORDS } from './now-words.ts';
import { REASONS } from './open-dialog.tsx';

const NEVER = 'never';
const TITLES = { hold: WORDS.holdLane, close: WORDS.closeLane, release: WORDS.releaseLane };
const DONE = { hold: WORDS.held, close: WORDS.closed, release: WORDS.released };
const USUAL_MINUTES = {
  hold: String(USUAL_HOLD_MINUTES),
  close: String(USUAL_CLOSE_MINUTES),
  release: NEVER,
};

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
    invalidates: [['lanes']],
    onDone: () => {
      toasts.done(DONE[verb]({ lane: lane.name }));
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
      title={TITLES[verb]({ lane: lane.name })}
      submit={TITLES[verb]({ lane: lane.name })}
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
            ...HOLD_MINUTES.filter((n) => !isShort || n <= MAX_EXIT_CLOSED_MINUTES).map(
              (n) => [String(n), n < 60 ? WORDS.minutes({ n }) : WORDS.hours({ n: n / 60 })] as const,
            ),
            ...(isShort ? [] : ([[NEVER, WORDS.noEnd]] as const)),
          ]}
          {...(isShort && { hint: WORDS.exitClosed({ minutes: MAX_EXIT_CLOSED_MINUTES }) })}
          onChange={setMinutes}
        />
      )}
      <ChoiceField label={WORDS.whatFor} value={reasonCode} choices={REASONS} onChange={setReason} />
      <TextField
        label={WORDS.note}
        hint={WORDS.noteHint}
        value={note}
        isRequired={needsNote}
        maxLength={MAX_NOTE}
        onChange={setNote}
      />
    </FormDialog>
  );
}
