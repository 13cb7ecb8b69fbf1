import type { Language } from '@hlid/protocol/base/language';
import type { KioskSite } from '@hlid/protocol/pages/kiosk-api';
import { createContext, useContext } from 'react';
import type { KioskAction } from './state/kiosk-state.ts';
import type { Words } from './words/en.ts';

/** The context of every screen. */
export interface Kiosk {
  language: Language;
  words: Words;
  site: KioskSite;
  largeText: boolean;
  speaks: boolean;
  dispatch: (action: KioskAction) => void;
}

export const KioskContext = createContext<Kiosk | null>(null);

export function useKiosk(): Kiosk {
  const kiosk = useContext(KioskContext);
  if (!kiosk) throw new Error('A screen stands outside of the kiosk.');
  return kiosk;
}
