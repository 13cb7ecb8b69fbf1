import { MAX_NOTE } from '@hlid/protocol/base/limits';
import { formatMoney, type Money } from '@hlid/protocol/base/money';
import { codeText } from '@hlid/protocol/base/texts';
import { MAX_EXIT_CLOSED_MINUTES } from '@hlid/protocol/records/gate-times';
import type { Direction } from '@hlid/protocol/records/lane';
import { type CommandInput, endChoices, isShortClosing, reasonsFor } from '@hlid/protocol/rules/gate-command';
import type { CommandAction } from '@hlid/protocol/site-link/commands';
import { reasonText } from '@hlid/protocol/words/lanes/lane-texts';
import { useId } from 'react';
import { ChoiceField } from '../choice-field.tsx';
import { PlateSign } from '../plate-sign.tsx';
import { useLaneWords } from './lane-words.tsx';
import type { MeantCar, OtherCar } from './meant-car.tsx';

interface CommandFieldsProps {
  action: CommandAction;
  direction: Direction;
  input: CommandInput;
  onChange: (input: CommandInput) => void;
  /** The note is required. */
  isNoteRequired: boolean;
  /** A hold may last until a person ends it. */
  isEndless?: boolean;
  hint?: string;
}

const NEVER = 'never';

/** The fields of a command for a gate: its duration, the reason, and a note. */
export function CommandFields({
  action,
  direction,
  input,
  onChange,
  isNoteRequired,
  isEndless = false,
  hint,
}: CommandFieldsProps) {
  const { texts, codes } = useLaneWords();
  const noteId = useId();
  const isShort = isShortClosing(action, direction);
  const ends = endChoices(action, direction).map(
    (n) => [String(n), n < 60 ? texts.minutes({ n }) : texts.hours({ n: n / 60 })] as const,
  );
  return (
    <>
      {(action === 'hold' || action === 'close') && (
        <ChoiceField
          label={texts.until}
          value={input.lapseMinutes === null ? NEVER : String(input.lapseMinutes)}
          choices={[...ends, ...(isEndless && !isShort ? [[NEVER, texts.noEnd] as const] : [])]}
          hint={isShort && texts.exitClosed({ minutes: MAX_EXIT_CLOSED_MINUTES })}
          onChange={(end) => onChange({ ...input, lapseMinutes: end === NEVER ? null : Number(end) })}
        />
      )}
      <ChoiceField
        label={texts.whatFor}
        value={input.reasonCode}
        choices={reasonsFor(action).map((code) => [code, codeText(codes.gateReason, code)])}
        onChange={(reasonCode) => onChange({ ...input, reasonCode })}
      />
      <div className="field">
        <label htmlFor={noteId}>{texts.note}</label>
        <input
          id={noteId}
          value={input.note}
          required={isNoteRequired}
          maxLength={MAX_NOTE}
          autoComplete="off"
          aria-describedby={hint === undefined ? undefined : `${noteId}-hint`}
          // biome-ignore lint/a11y/noAutofocus: what follows the choices that are made already
          autoFocus={action === 'open'}
          onChange={({ currentTarget }) => onChange({ ...input, note: currentTarget.value })}
        />
        {hint !== undefined && (
          <span id={`${noteId}-hint`} className="hint">
            {hint}
          </span>
        )}
      </div>
    </>
  );
}

/** The car for which a gate is opened: its plate, why it waits, and what it owes. */
export function MeantCarLine({ car, due }: { car: MeantCar; due: Money | null }) {
  const words = useLaneWords();
  const { texts, language } = words;
  return (
    <p className="lane-meant">
      <PlateSign plate={car.plate} large unread={texts.noPlate} />
      <span>
        {car.reason && reasonText({ reason: car.reason }, words)}
        {due && <strong className="lane-due">{texts.due({ amount: formatMoney(due, language) })}</strong>}
      </span>
    </p>
  );
}

/** The notice that another car, or none, is at the lane by now: the person chooses again. */
export function OtherCarNotice({
  car,
  isRefused,
  onChoose,
}: {
  car: OtherCar | null;
  /** The site has refused the command already, and a notice shows it. */
  isRefused: boolean;
  onChoose: (car: OtherCar | null) => void;
}) {
  const { texts } = useLaneWords();
  const plate = car === null ? null : (car.plate ?? texts.unread);
  return (
    <div className="notice caution" role="status">
      {!isRefused && <p>{texts.otherCarThere({ plate })}</p>}
      <button type="button" className="button plain" onClick={() => onChoose(car)}>
        {plate === null ? texts.openWithoutCar : texts.openInstead({ plate })}
      </button>
    </div>
  );
}
