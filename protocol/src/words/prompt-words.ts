import type { KioskPayment } from '../kiosk-api.ts';

type Prompt = NonNullable<KioskPayment['prompt']>;

/** What the driver is to do at the card terminal now. */
export const PROMPT_WORDS: Record<'is' | 'en', Record<Prompt, string>> = {
  en: {
    wait: 'One moment …',
    'present-card': 'Hold your card or phone to the terminal',
    'insert-card': 'Insert your card into the terminal',
    'enter-pin': 'Enter your PIN on the terminal',
    'wrong-pin': 'Wrong PIN. Try again on the terminal',
    'confirm-amount': 'Confirm the amount on the terminal',
    'remove-card': 'Take your card',
    'contacting-bank': 'Asking your bank …',
    approved: 'Approved',
    declined: 'Declined',
    'see-terminal': 'Follow the instructions on the terminal',
  },
  is: {
    wait: 'Augnablik …',
    'present-card': 'Leggðu kort eða síma að posanum',
    'insert-card': 'Settu kortið í posann',
    'enter-pin': 'Sláðu inn PIN\u2011númerið á posanum',
    'wrong-pin': 'Rangt PIN\u2011númer. Reyndu aftur á posanum',
    'confirm-amount': 'Staðfestu upphæðina á posanum',
    'remove-card': 'Taktu kortið',
    'contacting-bank': 'Spyr bankann …',
    approved: 'Samþykkt',
    declined: 'Hafnað',
    'see-terminal': 'Fylgdu leiðbeiningum á posanum',
  },
};
