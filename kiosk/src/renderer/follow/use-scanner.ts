import { isWellFormed, MAX_CODE_TEXT, plainCode } from '@hlid/protocol/records/exit-code';
import { useEffect } from 'react';

/** The largest gap between a scanner's keys: it types faster than any person. */
const MAX_GAP_MS = 100;

/** Listens for a scanner that types the code of a payment, as the QR code on the phone has it, and Enter. */
export function useScanner(isWanted: boolean, onCode: (code: string) => void): void {
  useEffect(() => {
    if (!isWanted) return;
    let [text, at] = ['', 0];
    const type = (event: KeyboardEvent) => {
      if (event.timeStamp - at > MAX_GAP_MS) text = '';
      at = event.timeStamp;
      if (event.key.length === 1) text = (text + event.key).slice(-MAX_CODE_TEXT);
      if (event.key !== 'Enter' || !isWellFormed(text)) return;
      event.preventDefault();
      event.stopPropagation();
      onCode(plainCode(text));
      text = '';
    };
    addEventListener('keydown', type, { capture: true });
    return () => removeEventListener('keydown', type, { capture: true });
  }, [isWanted, onCode]);
}
