import { type CommandInput, needsNote, usualInput } from '@hlid/protocol/rules/gate-command';
import { carToOpenFor } from '@hlid/protocol/rules/passage-outcome';
import type { CarAtGate, CommandAction } from '@hlid/protocol/site-link/commands';
import type { LaneBoard } from '@hlid/protocol/site-link/site-board';
import { openText } from '@hlid/protocol/words/lanes/lane-texts';
import { Dialog } from '@hlid/ui/dialog';
import { CommandFields, MeantCarLine, OtherCarNotice } from '@hlid/ui/lanes/command-fields';
import { useLaneWords } from '@hlid/ui/lanes/lane-words';
import { type OtherCar, useMeantCar } from '@hlid/ui/lanes/meant-car';
import { useState } from 'react';
import { type Answer, send } from './link/calls.ts';
import { PinField, Problem } from './pin-form.tsx';
import { usePin } from './use-pin.ts';
import { useSubmit } from './use-submit.ts';
import { useWords } from './words/words.ts';

/** A person on site keeps no gate closed: that is for the console. */
type PageAction = Exclude<CommandAction, 'close'>;

export interface Command {
  action: PageAction;
  laneId: string;
}

interface CommandDialogProps {
  action: PageAction;
  lane: LaneBoard;
  mayAct: boolean;
  onDone: (text: string) => void;
  onPin: () => void;
  onClose: () => void;
}

/** Asks for the reason of a command, and for the PIN where that has lapsed, and sends it. */
export function CommandDialog({ action, lane, mayAct, onDone, onPin, onClose }: CommandDialogProps) {
  const words = useWords();
  const laneWords = useLaneWords();
  const { texts } = laneWords;
  const pin = usePin(mayAct, onPin);
  const [input, setInput] = useState(() => usualInput(action, action === 'open' ? carToOpenFor(lane) : null));
  const [refused, setRefused] = useState<CarAtGate | null | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const { meant, setMeant, due, other } = useMeantCar(lane, refused);
  const opens = action === 'open';
  const name = { lane: lane.name };
  const titles = {
    open: texts.openLane(name),
    hold: texts.holdLane(name),
    release: texts.releaseLane(name),
  };
  const dones = { open: texts.opened(name), hold: texts.held(name), release: texts.released(name) };

  const choose = (car: OtherCar | null) => {
    setMeant(car);
    setRefused(undefined);
    setProblem('');
    setInput({ ...usualInput('open', car), note: input.note });
  };
  const submit = async () => {
    setProblem('');
    setRefused(undefined);
    const wrongPin = await pin.enter();
    if (wrongPin !== '') return setProblem(wrongPin);
    const body = bodyOf(action, input, opens ? (meant?.passageId ?? null) : null);
    const answer = await send('POST', `/api/lanes/${encodeURIComponent(lane.id)}/commands`, body);
    if (answer.code === 'pin-needed') return pin.setNeeded(true);
    if (answer.code === 'other-car') {
      setRefused(answer.car);
      return setProblem(texts.otherCar({ plate: answer.car && (answer.car.plate ?? texts.unread) }));
    }
    if (answer.status === 200 && answer.outcome === 'done') {
      onDone(dones[action]);
      return onClose();
    }
    setProblem(failureText(answer, texts.gateErrors, words.failed));
  };
  const { isBusy, onSubmit } = useSubmit(submit);
  return (
    <Dialog title={titles[action]} onClose={onClose}>
      <form className="command" onSubmit={onSubmit}>
        {opens && meant && <MeantCarLine car={meant} due={due} />}
        <p>{words.meaning[action]}</p>
        {opens && other !== undefined && (
          <OtherCarNotice car={other} isRefused={refused !== undefined} onChoose={choose} />
        )}
        <CommandFields
          action={action}
          direction={lane.direction}
          input={input}
          isNoteRequired={needsNote(input)}
          onChange={setInput}
        />
        {pin.isNeeded && <PinField value={pin.pin} onChange={pin.setPin} />}
        <Problem text={problem} />
        <div className="choices">
          <button type="button" className="button" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="submit" className="button primary" disabled={isBusy}>
            {opens ? openText(meant, lane.name, laneWords) : titles[action]}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function bodyOf(action: PageAction, input: CommandInput, passageId: string | null) {
  const why = { action, reasonCode: input.reasonCode, note: input.note.trim() };
  switch (action) {
    case 'open':
      return { ...why, passageId };
    case 'hold':
      return { ...why, passageId, lapseMinutes: input.lapseMinutes };
    case 'release':
      return why;
  }
}

function failureText(
  { status, outcome, messages }: Answer,
  gateErrors: Readonly<Record<string, string | undefined>>,
  failed: string,
): string {
  if (status !== 200) return [failed, ...messages].join(' ');
  return gateErrors[outcome ?? ''] ?? failed;
}
