import { DEFAULT_LANGUAGE } from '@hlid/protocol/base/language';
import { useEffect } from 'react';
import { isCallOpen, type KioskAction, type KioskState } from '../state/kiosk-state.ts';
import { isWorking } from '../state/pay-state.ts';

const POLL_EVERY_MS = 250;
/** The length of the visible countdown. */
const COUNTDOWN_S = 15;
const SIGNS_OF_LIFE = ['pointerdown', 'keydown', 'wheel'] as const;

/** The time without a touch before the countdown begins; null: without limit. */
function patienceSeconds({ screen, site, language, largeText, speaks }: KioskState): number | null {
  switch (screen.at) {
    case 'start':
      // The next person starts with the site's language and normal text, not with the last person's choice.
      return largeText || speaks || language !== (site?.language ?? DEFAULT_LANGUAGE) ? 30 : null;
    case 'pay':
      return isWorking(screen) ? null : 30;
    case 'phone':
      // A card is found and typed meanwhile, perhaps confirmed at the bank.
      return 120;
    case 'leave':
      // Its countdown is on its button: nothing is left to be done there.
      return 8;
    case 'due':
    case 'receipt':
      return 45;
    default:
      return 40;
  }
}

function patienceOf(state: KioskState): number | null {
  if (isCallOpen(state)) return null;
  const seconds = state.helping ? 60 : patienceSeconds(state);
  // Listening takes longer than reading.
  return seconds !== null && state.speaks ? 2 * seconds : seconds;
}

/** Returns to the start when the driver has gone, with a countdown that a touch ends. */
export function useIdle(state: KioskState, dispatch: (action: KioskAction) => void): void {
  const patience = patienceOf(state);
  const { at } = state.screen;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each screen begins anew, with the same patience too.
  useEffect(() => {
    dispatch({ type: 'idle', seconds: null });
    if (patience === null) return;
    let touchedAt = performance.now();
    const touch = () => {
      touchedAt = performance.now();
      dispatch({ type: 'idle', seconds: null });
    };
    const timer = setInterval(() => {
      const left = Math.ceil(patience + COUNTDOWN_S - (performance.now() - touchedAt) / 1000);
      if (left <= 0) dispatch({ type: 'idle-over' });
      else dispatch({ type: 'idle', seconds: left > COUNTDOWN_S ? null : left });
    }, POLL_EVERY_MS);
    // The listener captures events before others stop them: a key or touch that only reads aloud comes from a
    // person too.
    const options = { capture: true };
    for (const event of SIGNS_OF_LIFE) window.addEventListener(event, touch, options);
    return () => {
      clearInterval(timer);
      for (const event of SIGNS_OF_LIFE) window.removeEventListener(event, touch, options);
    };
  }, [at, patience, dispatch]);
}
