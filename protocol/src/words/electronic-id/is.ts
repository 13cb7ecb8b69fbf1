import { translate } from '../../base/texts.ts';
import type { ELECTRONIC_ID_EN } from './en.ts';

export const ELECTRONIC_ID_IS = translate<typeof ELECTRONIC_ID_EN>()({
  states: {
    success: 'Innskráning tókst.',
    pending: 'Samþykktu beiðnina í símanum ef öryggistalan er sú sama þar og hér.',
    timeout: 'Ekkert svar barst frá símanum í tæka tíð. Reyndu aftur.',
    cancelled: 'Hætt var við innskráningu í símanum.',
    'account-not-found': 'Enginn aðgangur fannst fyrir þessi rafrænu skilríki.',
    error:
      'Ekki er hægt að nota rafrænu skilríkin núna. Athugaðu hvort þau eru læst eða skráðu þig inn á annan hátt.',
    unknown: 'Óvíst er hvernig innskráningin fór. Reyndu aftur.',
  },
  noDriver:
    'Enginn aðgangur fannst. Athugaðu númerið, eða skráðu þig fyrst inn með tölvupósti og tengdu skilríkin svo.',
  connected: 'Rafrænu skilríkin eru tengd.',
});
