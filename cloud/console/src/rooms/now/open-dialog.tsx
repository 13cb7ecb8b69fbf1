import { MAX_NOTE } from '@hlid/protocol/base/limits';
import { carToOpenFor } from '@hlid/protocol/rules/passage-outcome';
import type { CarAtGate } from '@hlid/protocol/site-link/commands';
import type { BoardCar, LaneBoard } from '@hlid/protocol/site-link/site-board';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useState } from 'react';
import { may, useSession } from '../../shell/session.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { CODES } from '../../words/codes.ts';
import { commandLane, type OpenBody, OtherCar, type Reason, type Settlement } from './gate-commands.ts';
import { reasonText } from './lane-text.ts';
import { WORDS } from './now-words.ts';

const SETTLEMENTS: readonly Settlement[] = ['bill-later', 'paid-elsewhere', 'waived', 'invoice'];
export const REASONS = (Object.keys(CODES.gateReason) as Reason[]).map(
  (reason) => [reason, CODES.gateReason[reason]] as const,
);

/** The car for which the gate is opened. */
type MeantCar = Pick<BoardCar, 'passageId' | 'visitId' | 'plate'> & Partial<Pick<BoardCar, 'due' | 'reason'>>;

function usualReason(car: MeantCar | null): Reason {
  if (car?.plate === null) return 'unreadable-plate';
  return car?.reason === 'need-payment' ? 'cannot-pay' : 'guest';
}

/**
 * Opens a lane once, for the car that stood there when the dialog was opened. The site refuses it for another one,
 * and what is due is settled with it.
 */
export function OpenDialog({
  siteId,
  lane,
  onClose,
}: {
  siteId: string;
  lane: LaneBoard;
  onClose: () => void;
}) {
  const session = useSession();
  const toasts = useToasts();
  const [meant, setMeant] = useState<MeantCar | null>(() => carToOpenFor(lane));
  const [reasonCode, setReason] = useState<Reason>(() => usualReason(meant));
  const [note, setNote] = useState('');
  const [settlement, setSettlement] = useState<Settlement>('bill-later');
  const place = { siteId, laneId: lane.id };
  const open = useSubmit((json: OpenBody, headers) => commandLane(place, { verb: 'open', json }, headers), {
    invalidates: [['visits'], ['lanes']],
    onDone: () => {
      toasts.done(WORDS.opened({ lane: lane.name }));
      onClose();
    },
  });
  // What is due was read for the car as it stands on the board: the amount grows while the dialog is open.
  const shown = carToOpenFor(lane);
  const isStill = shown?.passageId === meant?.passageId;
  const due = (isStill ? shown?.due : meant?.due) ?? null;
  const settles = due !== null && meant?.visitId != null;
  const choices = may(session, 'visits') ? SETTLEMENTS : SETTLEMENTS.slice(0, 1);
  const needsNote = reasonCode === 'other' || (settles && settlement === 'waived');
  const names = meant === null ? WORDS.openLane({ lane: lane.name }) : forCar(meant.plate);
  const json: OpenBody = {
    reasonCode,
    ...(note.trim() !== '' && { note: note.trim() }),
    ...(meant && { passageId: meant.passageId }),
    ...(settles && meant?.visitId && { visitId: meant.visitId, settlement }),
  };
  const choose = (car: MeantCar | null) => {
    open.reset();
    setMeant(car);
    setReason(usualReason(car));
    setSettlement('bill-later');
  };
  const other = open.error instanceof OtherCar ? open.error.car : isStill ? undefined : shown;
  return (
    <FormDialog
      title={WORDS.openLane({ lane: lane.name })}
      submit={settles ? `${names} · ${WORDS.withMoney[settlement]({ amount: moneyText(due) })}` : names}
      error={open.error}
      isBusy={open.isPending}
      isReady={!needsNote || note.trim() !== ''}
      onSubmit={() => open.mutate(json)}
      onClose={onClose}
    >
      {meant && (
        <p className="lane-meant">
          <PlateSign plate={meant.plate} large unread={WORDS.noPlate} />
          <span>
            {meant.reason && reasonText({ reason: meant.reason })}
            {due && <strong className="lane-due">{WORDS.due({ amount: moneyText(due) })}</strong>}
          </span>
        </p>
      )}
      {other !== undefined && (
        <OtherCarNotice
          car={other && (other.passageId === shown?.passageId ? shown : other)}
          isRefused={open.error instanceof OtherCar}
          onChoose={choose}
        />
      )}
      {settles && (
        <ChoiceField
          label={WORDS.settlement}
          value={settlement}
          choices={choices.map((one) => [one, WORDS.settlements[one]])}
          onChange={setSettlement}
        />
      )}
      <ChoiceField label={WORDS.whatFor} value={reasonCode} choices={REASONS} onChange={setReason} />
      <TextField
        label={WORDS.note}
        hint={WORDS.noteHint}
        value={note}
        isRequired={needsNote}
        maxLength={MAX_NOTE}
        autoFocus
        onChange={setNote}
      />
    </FormDialog>
  );
}

/** The notice that another car, or none, is at the lane by now: the person chooses again. */
function OtherCarNotice({
  car,
  isRefused,
  onChoose,
}: {
  car: MeantCar | CarAtGate | null;
  isRefused: boolean;
  onChoose: (car: MeantCar | null) => void;
}) {
  const plate = car === null ? null : (car.plate ?? WORDS.unread);
  return (
    <div className="notice caution" role="status">
      {!isRefused && <p>{WORDS.otherCarThere({ plate })}</p>}
      <Button onPress={() => onChoose(car)}>
        {plate === null ? WORDS.openWithoutCar : WORDS.openInstead({ plate })}
      </Button>
    </div>
  );
}

function forCar(plate: string | null): string {
  return plate === null ? WORDS.openForUnread : WORDS.openFor({ plate });
}
