import { needsNote, usualInput } from '@hlid/protocol/rules/gate-command';
import type { LaneBoard } from '@hlid/protocol/site-link/site-board';
import { CommandFields } from '@hlid/ui/lanes/command-fields';
import { useState } from 'react';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { commandLane, type HoldBody, type LaneVerb } from './gate-commands.ts';
import { LANE } from './lane-words.ts';
import { WORDS } from './now-words.ts';

const TITLES = {
  hold: LANE.texts.holdLane,
  close: LANE.texts.closeLane,
  release: LANE.texts.releaseLane,
};
const DONE = { hold: LANE.texts.held, close: LANE.texts.closed, release: LANE.texts.released };

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
  const [input, setInput] = useState(() => usualInput(verb, null));
  const place = { siteId, laneId: lane.id };
  const order = useSubmit((json: HoldBody, headers) => commandLane(place, { verb, json }, headers), {
    invalidates: [['lanes']],
    onDone: () => {
      toasts.done(DONE[verb]({ lane: lane.name }));
      onClose();
    },
  });
  const note = input.note.trim();
  const json: HoldBody = {
    reasonCode: input.reasonCode,
    ...(note !== '' && { note }),
    ...(verb !== 'release' && { lapseMinutes: input.lapseMinutes }),
  };
  return (
    <FormDialog
      title={TITLES[verb]({ lane: lane.name })}
      submit={TITLES[verb]({ lane: lane.name })}
      error={order.error}
      isBusy={order.isPending}
      isReady={!needsNote(input) || note !== ''}
      onSubmit={() => order.mutate(json)}
      onClose={onClose}
    >
      <CommandFields
        action={verb}
        direction={lane.direction}
        input={input}
        isNoteRequired={needsNote(input)}
        isEndless
        hint={WORDS.noteHint}
        onChange={setInput}
      />
    </FormDialog>
  );
}
