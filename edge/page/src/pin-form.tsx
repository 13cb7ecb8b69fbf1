import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { type RefObject, useId, useRef, useState } from 'react';
import { type Answer, send } from './link/calls.ts';
import type { Words } from './words/en.ts';
import { useWords } from './words/words.ts';

/** The form stands in place of the lanes, if they must not be seen without the PIN. */
export function PinForm({ onEntered }: { onEntered: () => void }) {
  const words = useWords().pin;
  const field = useRef<HTMLInputElement>(null);
  const [pin, setPin] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const enter = async () => {
    if (isBusy) return;
    setBusy(true);
    const refused = await enterPin(pin, words);
    setBusy(false);
    setPin('');
    setProblem(refused);
    if (refused === '') onEntered();
    else field.current?.focus();
  };
  return (
    <form
      className="pin"
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      <h2>{words.title}</h2>
      <PinField value={pin} onChange={setPin} ref={field} />
      <Problem text={problem} />
      <button type="submit" className="button primary">
        {words.enter}
      </button>
    </form>
  );
}

export function PinField({
  value,
  onChange,
  ref,
}: {
  value: string;
  onChange: (pin: string) => void;
  ref?: RefObject<HTMLInputElement | null>;
}) {
  const words = useWords().pin;
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{words.label}</label>
      {/* It has no name under which a browser would store it. */}
      <input
        id={id}
        ref={ref}
        type="password"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={20}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

export function Problem({ text }: { text: string }) {
  return (
    <p className="problem" role="alert">
      {text}
    </p>
  );
}

/** @returns why the PIN is not accepted; empty: it is */
export async function enterPin(pin: string, words: Words['pin']): Promise<string> {
  return pinProblem(await send('POST', '/api/access', { pin: pin.trim() }), words);
}

function pinProblem({ status, code, waitMs }: Answer, words: Words['pin']): string {
  if (status === 200) return '';
  if (code === 'wrong-pin') return words.wrong;
  if (code === 'too-many') return words.tooMany({ n: Math.ceil(waitMs / MINUTE_MS) });
  return words.failed;
}
