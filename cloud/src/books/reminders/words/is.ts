import { translate } from '@hlid/protocol/base/texts';
import type { REMINDER_EN } from './en.ts';

export const REMINDER_IS = translate<typeof REMINDER_EN>()({
  warningSubject: 'Innheimtuviðvörun: reikningur nr. {number} er ógreiddur – {amount}',
  letterSubject: 'Innheimtubréf: reikningur nr. {number} er ógreiddur – {amount}',
  overdue: 'Reikningur nr. {number} var á gjalddaga {day} og {amount} af honum eru ógreiddar.',
  warning:
    'Þetta er innheimtuviðvörun samkvæmt 7. gr. innheimtulaga nr. 95/2008. Ef ekki er greitt innan {days: one # dags | other # daga} heldur innheimtan áfram og frekari kostnaður getur bæst við.',
  letter:
    'Viðvörun um þetta var send {day}. Ef ekki er greitt innan {days: one # dags | other # daga} heldur innheimtan áfram og frekari kostnaður getur bæst við.',
  lastLetter: 'Viðvörun um þetta var send {day}. Næst getur krafan farið til innheimtufyrirtækis.',
  charge: 'Gjald fyrir þetta bréf er {amount} með virðisaukaskatti. Þú færð reikning fyrir því.',
  noCharge: 'Ekkert gjald er tekið fyrir þetta bréf.',
  contest:
    'Ef þú mótmælir reikningnum skaltu svara okkur áður en þú greiðir: ekkert bætist við á meðan mótmælunum er ósvarað.',
  paid: 'Ef þú hefur þegar greitt þarftu ekkert að gera.',
});
