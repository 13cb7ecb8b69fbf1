import type { BoardState } from '@hlid/edge/local-api/lane-routes';
import { useId, useRef, useState } from 'react';
import { send } from './link/calls.ts';
import { PinField, Problem } from './pin-form.tsx';
import { usePin } from './use-pin.ts';
import { useSubmit } from './use-submit.ts';
import { useWords } from './words/words.ts';

interface CodeFormProps {
  state: BoardState;
  mayAct: boolean;
  onDone: (text: string) => void;
  onPin: () => void;
}

/**
 * Takes the code of a payment by phone that the site could not receive, as its driver reads it to an operator
 * on site. Folded until it is needed; only at a site with a cloud.
 */
export function CodeForm({ state, mayAct, onDone, onPin }: CodeFormProps) {
  const { code: words, codes, failed } = useWords();
  const pin = usePin(mayAct, onPin);
  const details = useRef<HTMLDetailsElement>(null);
  const plateField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [plate, setPlate] = useState('');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');

  const unfold = (opens: boolean) => {
    setOpen(opens);
    if (!opens) return;
    pin.setNeeded(!mayAct);
    const meant = plate === '' ? firstWaiting(state) : plate;
    setPlate(meant);
    (meant === '' ? plateField : codeField).current?.focus();
  };
  const submit = async () => {
    setProblem('');
    const wrongPin = await pin.enter();
    if (wrongPin !== '') return setProblem(wrongPin);
    const answer = await send('POST', '/api/codes', { plate: plate.trim(), code: code.trim() });
    if (answer.code === 'pin-needed') return pin.setNeeded(true);
    if (answer.status !== 200) {
      const faults: Readonly<Record<string, string | undefined>> = codes.codeFault;
      return setProblem(faults[answer.code] ?? [failed, ...answer.messages].join(' '));
    }
    onDone(words.done({ plate: plate.trim() }));
    setPlate('');
    setCode('');
    if (details.current) details.current.open = false;
  };
  const { isBusy, onSubmit } = useSubmit(submit);
  return (
    <section id="code" className="code">
      <details ref={details} onToggle={({ currentTarget }) => unfold(currentTarget.open)}>
        <summary>{words.title}</summary>
        <form className="command" onSubmit={onSubmit}>
          <p>{words.meaning}</p>
          <CapitalsField label={words.plate} value={plate} onChange={setPlate} ref={plateField} />
          <CapitalsField label={words.code} value={code} onChange={setCode} ref={codeField} />
          {/* Only while it is needed: the page may have another field for the PIN. */}
          {isOpen && pin.isNeeded && <PinField value={pin.pin} onChange={pin.setPin} />}
          <Problem text={problem} />
          <div className="choices">
            <button type="submit" className="button primary" disabled={isBusy}>
              {words.send}
            </button>
          </div>
        </form>
      </details>
    </section>
  );
}

function CapitalsField({
  label,
  value,
  onChange,
  ref,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  ref: React.RefObject<HTMLInputElement | null>;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        ref={ref}
        required
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        translate="no"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

/** The plate of the car that has waited longest: most likely it is meant. */
function firstWaiting({ board: { waiting, lanes } }: BoardState): string {
  const [laneId] = waiting;
  return lanes.find(({ id }) => id === laneId)?.car?.plate ?? '';
}
