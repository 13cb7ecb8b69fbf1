import type { OfficeLanguage } from '../base/language.ts';
import type { PaidWith } from '../records/visit.ts';

/** How a payment came in: by card at a kiosk's terminal or online, or as a person has received it. */
export const PAYMENT_WAY_WORDS: Record<OfficeLanguage, Record<'kiosk' | 'online' | PaidWith, string>> = {
  is: {
    kiosk: 'Kort í greiðsluvél',
    online: 'Kort á netinu',
    cash: 'Reiðufé',
    transfer: 'Millifærsla',
    'other-card': 'Kort í öðrum posa',
    other: 'Móttekið á annan hátt',
  },
  en: {
    kiosk: 'Card at a kiosk',
    online: 'Card online',
    cash: 'Cash',
    transfer: 'Bank transfer',
    'other-card': 'Card at another terminal',
    other: 'Received in another way',
  },
};
