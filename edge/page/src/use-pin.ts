import { useState } from 'react';
import { enterPin } from './pin-form.tsx';
import { useWords } from './words/words.ts';

/** The PIN in a form that does something: it is needed where it was not typed for some time. */
export function usePin(mayAct: boolean, onPin: () => void) {
  const words = useWords();
  const [isNeeded, setNeeded] = useState(!mayAct);
  const [pin, setPin] = useState('');
  return {
    isNeeded,
    setNeeded,
    pin,
    setPin,
    /** @returns why the PIN is not accepted; empty: it is, or it is not needed */
    async enter(): Promise<string> {
      if (!isNeeded) return '';
      const refused = await enterPin(pin, words.pin);
      setPin('');
      onPin();
      if (refused === '') setNeeded(false);
      return refused;
    },
  };
}
