import { translate } from '@hlid/protocol/base/texts';
import type { ACCOUNT_EN } from './en.ts';

export const ACCOUNT_IS = translate<typeof ACCOUNT_EN>()({
  recovery: {
    subject: 'Nýtt lykilorð',
    text: 'Góðan dag, {name}.\n\nBeðið var um nýtt lykilorð fyrir þetta netfang. Það er sett hér:\n\n{link}\n\nHlekkurinn gildir einu sinni og í 15 mínútur. Ef þú baðst ekki um nýtt lykilorð þarftu ekkert að gera: það gamla gildir áfram.\n',
  },
  invitation: {
    subject: 'Aðgangur þinn að Hliði',
    text: 'Góðan dag, {name}.\n\nÞér hefur verið gefinn aðgangur að Hliði. Veldu þér lykilorð hér:\n\n{link}\n\nHlekkurinn gildir einu sinni og í sjö daga. Eftir það má fá nýjan með „Gleymt lykilorð“ þar sem þú skráir þig inn.\n',
  },
  page: {
    title: 'Nýtt lykilorð',
    password: 'Nýja lykilorðið',
    hint: 'Minnst {characters} stafir.',
    set: 'Vista lykilorðið',
    done: 'Lykilorðið hefur verið vistað.',
    doneText: 'Þú getur skráð þig inn með því núna. Fyrri innskráningar gilda ekki lengur.',
    expired: 'Hlekkurinn gildir ekki lengur.',
    expiredText:
      'Hlekkur gildir einu sinni og aðeins um tíma. Veldu „Gleymt lykilorð“ þar sem þú skráir þig inn til að fá nýjan.',
    logIn: 'Skrá inn',
  },
});
