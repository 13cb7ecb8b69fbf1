import { translate } from '../../base/texts.ts';
import type { PROMPTS_EN } from './en.ts';

export const PROMPTS_IS = translate<typeof PROMPTS_EN>()({
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
});
