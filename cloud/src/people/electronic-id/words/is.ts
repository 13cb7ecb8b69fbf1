import { translate } from '@hlid/protocol/base/texts';
import type { IDENTIFICATION_EN } from './en.ts';

export const IDENTIFICATION_IS = translate<typeof IDENTIFICATION_EN>()({
  verification: 'Öryggistala',
  login: 'Innskráning hjá bílastæði',
  connect: 'Tengja við aðgang hjá bílastæði',
  method: {
    sim: 'Rafræn skilríki í síma',
    app: 'Auðkennisappið',
    phone: 'Símanúmer',
    kennitala: 'Kennitala',
  },
});
