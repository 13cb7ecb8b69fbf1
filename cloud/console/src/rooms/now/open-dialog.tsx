import { needsNote, usualInput } from '@hlid/protocol/rules/gate-command';
import { carToOpenFor } from '@hlid/protocol/rules/passage-outcome';
import type { LaneBoard } from '@hlid/protocol/site-link/site-board';
import { openText } from '@hlid/protocol/words/lanes/lane-texts';
import { CommandFields, MeantCarLine, OtherCarNotice } from '@hlid/ui/lanes/command-fields';
import { type OtherCar as OtherCarThere, useMeantCar } from '@hlid/ui/lanes/meant-car';
import { useState } from 'react';
import { ChoiceField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { commandLane, type OpenBody, OtherCar, type Settlement } from './gate-commands.ts';
import { LANE } from './lane-words.ts';
import { WORDS } from './now-words.ts';

const SETTLEMENTS: readonly Settlement[] = ['bill-later', 'paid-elsewhere', 'waived', 'invoice'];

/**
 * Opens a lane once, for the car that stood there when the dialog was opened. The site refuses it for another one,
 * and what is due is settled with it.
 */
export function OpenDialog({
  siteId,
  lane,
  settles: maySettle,
  onClose,
}: {
  siteId: string;
  lane: LaneBoard;
  /** The person can settle what is due. */
  settles: boolean;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const [input, setInput] = useState(() => usualInput('open', carToOpenFor(lane)));
  const [settlement, setSettlement] = useState<Settlement>('bill-later');
  const place = { siteId, laneId: lane.id };
  const open = useSubmit((json: OpenBody, headers) => commandLane(place, { verb: 'open', json }, headers), {
    invalidates: [['visits'], ['lanes']],
    onDone: () => {
      toasts.done(LANE.texts.opened({ lane: lane.name }));
      onClose();
    },
  });
  const refused = open.error instanceof OtherCar ? open.error.car : undefined;
  const { meant, setMeant, due, other } = useMeantCar(lane, refused);
  const settles = due !== null && meant?.visitId != null;
  const choices = maySettle ? SETTLEMENTS : SETTLEMENTS.slice(0, 1);
  const isNoteRequired = needsNote(input) || (settles && settlement === 'waived');
  const note = input.note.trim();
  const names = openText(meant, lane.name, LANE);
  const json: OpenBody = {
    reasonCode: input.reasonCode,
    ...(note !== '' && { note }),
    ...(meant && { passageId: meant.passageId }),
    ...(settles && meant?.visitId && { visitId: meant.visitId, settlement }),
  };
  const choose = (car: OtherCarThere | null) => {
    open.reset();
    setMeant(car);
    setInput({ ...usualInput('open', car), note: input.note });
    setSettlement('bill-later');
  };
  return (
    <FormDialog
      title={LANE.texts.openLane({ lane: lane.name })}
      submit={settles ? `${names} · ${WORDS.withMoney[settlement]({ amount: moneyText(due) })}` : names}
      error={open.error}
      isBusy={open.isPending}
      isReady={!isNoteRequired || note !== ''}
      onSubmit={() => open.mutate(json)}
      onClose={onClose}
    >
      {meant && <MeantCarLine car={meant} due={due} />}
      {other !== undefined && (
        <OtherCarNotice car={other} isRefused={refused !== undefined} onChoose={choose} />
      )}
      {settles && (
        <ChoiceField
          label={WORDS.settlement}
          value={settlement}
          choices={choices.map((one) => [one, WORDS.settlements[one]])}
          onChange={setSettlement}
        />
      )}
      <CommandFields
        action="open"
        direction={lane.direction}
        input={input}
        isNoteRequired={isNoteRequired}
        hint={WORDS.noteHint}
        onChange={setInput}
      />
    </FormDialog>
  );
}
