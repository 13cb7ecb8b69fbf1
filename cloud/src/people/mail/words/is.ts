import { translate } from '@hlid/protocol/base/texts';
import type { ALARM_MAIL_EN } from './en.ts';

export const ALARM_MAIL_IS = translate<typeof ALARM_MAIL_EN>()({
  device: {
    subject: 'Athugaðu {site}',
    since: 'síðan',
    settledTwice:
      '{amount} voru greiddar í posa {terminalId} fyrir dvöl sem var þegar gerð upp eða felld niður ({visitId}).\nEndurgreiddu annan reikninginn.\n',
    needsPerson:
      'Ekki er vitað hvað varð um netgreiðslu upp á {amount}, eða ekki tókst að endurgreiða hana ({id}).\nFlettu henni upp hjá færsluhirði og skráðu niðurstöðuna.\n',
  },
  certificate: {
    subject: 'Skilríki skýsins rennur út',
    advice:
      'Endurnýjaðu skilríkið eins og lýst er í deploy/TLS.md. Skýið les skrárnar sjálft; ekki þarf að endurræsa það. Án gilds skilríkis tengist ekkert svæði.',
    ends: '{path} gildir til {endsAt}',
  },
  database: {
    subject: 'Gagnagrunnur skýsins er skemmdur',
    advice:
      'Stöðvaðu skýið og endurheimtu nýjasta afritið eins og lýst er í deploy/BACKUP.md. Svæðin senda aftur það sem vantar.',
  },
  backup: {
    subject: 'Afritun skýsins er ekki í lagi',
    last: 'Síðasta afrit: {at: none ekkert | other #}',
    advice: 'Athugaðu geymslustað afrita eins og lýst er í deploy/BACKUP.md.',
  },
  rollout: {
    subject: 'Uppfærsla í {version} er í bið',
    'went-back': '{site} fór aftur í fyrri útgáfu.',
    stuck: '{site} virkar hvorki með nýju útgáfunni né þeirri fyrri.',
    'ring-failed': 'Ekkert bílastæði í hring {ring} keyrir nýju útgáfuna.',
    advice: 'Fleiri stæði verða ekki uppfærð fyrr en einhver heldur áfram í stjórnborðinu.',
  },
});
