import type { Language } from '@hlid/protocol/language';
import type { PaySite } from '@hlid/protocol/pay-api';
import { createContext, useContext } from 'react';
import type { CardHolder } from './card/card-holder.ts';
import type { PayCloud } from './pay-cloud.ts';
import type { PayAction } from './state/pay-state.ts';
import type { Words } from './words/en.ts';

/** What every screen needs. */
export interface Pay {
  language: Language;
  words: Words;
  /** Null: not known yet. */
  site: PaySite | null;
  canGoBack: boolean;
  online: boolean;
  cloud: PayCloud;
  holder: CardHolder;
  dispatch: (action: PayAction) => void;
}

export const PayContext = createContext<Pay | null>(null);

export function usePay(): Pay {
  const pay = useContext(PayContext);
  if (!pay) throw new Error('A screen is outside of the page.');
  return pay;
}
