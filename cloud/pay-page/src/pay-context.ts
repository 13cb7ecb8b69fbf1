import type { Language } from '@hlid/protocol/base/language';
import type { PaySite } from '@hlid/protocol/pages/pay-api';
import { createContext, useContext } from 'react';
import type { CardHolder } from './card/card-holder.ts';
import type { PayCloud } from './pay-cloud.ts';
import type { CardProviders } from './providers/card-provider.ts';
import type { PayAction } from './state/pay-state.ts';
import type { Words } from './words/en.ts';

/** The context of every screen. */
export interface Page {
  language: Language;
  words: Words;
  /** Null: not known yet, or the page is of no site. */
  site: PaySite | null;
  canGoBack: boolean;
  setLanguage: (language: Language) => void;
}

/** The context of every screen of a payment. */
export interface Pay extends Page {
  online: boolean;
  cloud: PayCloud;
  holder: CardHolder;
  providers: CardProviders;
  dispatch: (action: PayAction) => void;
}

export const PageContext = createContext<Page | null>(null);
export const PayContext = createContext<Pay | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A screen is outside of the page.');
  return page;
}

export function usePay(): Pay {
  const pay = useContext(PayContext);
  if (!pay) throw new Error('A screen is outside of the payment.');
  return pay;
}
