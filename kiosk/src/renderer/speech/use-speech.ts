import type { Language } from '@hlid/protocol/base/language';
import { useEffect, useRef } from 'react';
import type { KioskAction } from '../state/kiosk-state.ts';
import type { ScreenSpeaker } from './screen-speaker.ts';

/**
 * Keys of a keypad with raised signs, which is beside the glass: the first turns speech on, and then repeats; the other turns
 * it off. No plate and no address has them.
 */
const READ_KEY = '*';
const OFF_KEY = '/';

/** Reads the screen aloud from the driver's request until the driver has gone. What it needs loads then. */
export function useSpeech(
  speaks: boolean,
  { language, instructions }: { language: Language; instructions: string },
  dispatch: (action: KioskAction) => void,
): void {
  const speaker = useRef<ScreenSpeaker | null>(null);
  const isOn = useRef(false);

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== READ_KEY && !(speaks && event.key === OFF_KEY)) return;
      // The keyboard on the screen has neither key.
      event.preventDefault();
      event.stopPropagation();
      if (speaks && event.key === READ_KEY) speaker.current?.repeat();
      else dispatch({ type: 'speech', on: event.key === READ_KEY });
    };
    // The idle timer listens too, and notices the person.
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, [speaks, dispatch]);

  useEffect(() => {
    if (!speaks) {
      isOn.current = false;
      return;
    }
    let isOver = false;
    const start = async () => {
      const parts = await import('./screen-speaker.ts').catch(() => null);
      if (isOver) return;
      // The edge does not answer: the key can be pressed again.
      if (parts === null) return dispatch({ type: 'speech', on: false });
      speaker.current = new parts.ScreenSpeaker(language, instructions);
      speaker.current.start(!isOn.current);
      isOn.current = true;
    };
    void start();
    return () => {
      isOver = true;
      speaker.current?.stop();
      speaker.current = null;
    };
  }, [speaks, language, instructions, dispatch]);
}
