import { translate } from '@hlid/protocol/base/texts';
import type * as en from '../en/login.ts';

export const login = translate<typeof en.login>()({
  id: 'Netfang eða heiti',
  password: 'Lykilorð',
  logIn: 'Skrá inn',
  forgot: 'Gleymt lykilorð?',
  forgotTitle: 'Gleymt lykilorð',
  forgotWhy:
    'Sláðu inn netfangið sem þú skráir þig inn með. Þangað verður sendur hlekkur til að velja nýtt lykilorð.',
  email: 'Netfang',
  sendLink: 'Senda hlekk',
  linkSent:
    'Ef einhver skráir sig inn með þessu netfangi er póstur á leiðinni. Hlekkurinn gildir einu sinni og í 15 mínútur.',
  back: 'Til baka í innskráningu',
  insecure: 'Þessi slóð er ekki örugg',
  insecureWhy:
    'Vafrar geyma ekki innskráningu á slóð án https. Opnaðu stjórnborðið á https-slóð þess, eða á localhost í tölvunni sem keyrir skýið.',
  over: 'Þú ert ekki lengur innskráð(ur).',
  kept: 'Það sem þú slóst inn er hér enn. Skráðu þig inn eins og áður til að halda áfram.',
  lost: 'Skráðu þig inn til að halda áfram.',
  byPasskey: 'Nota aðgangslykil',
  other: 'Skrá inn sem annar',
  secondFactor: 'Eitt skref enn fyrir {who}.',
  code: 'Kóði',
  codeHint: 'Sex tölustafir úr auðkenningarforriti eða endurheimtarkóði.',
  goOn: 'Áfram',
  stepUpTitle: 'Staðfestu að þetta sért þú',
  stepUpWhy: 'Hér þarf nýja staðfestingu. Hún gildir í fimm mínútur.',
  enrolTitle: 'Settu upp aðra auðkenningu',
  enrolWhy: 'Notendur þurfa hana hér. Aðgangslykill er fljótlegastur: fingrafar, andlit eða öryggislykill.',
  makePasskey: 'Setja upp aðgangslykil',
  passkeyName: 'Heiti þessa tækis',
  totpInstead: 'Nota auðkenningarforrit í staðinn',
  totpScan: 'Skannaðu kóðann með auðkenningarforriti eða sláðu inn lykilinn.',
  totpConfirm: 'Kóði sem forritið sýnir',
  recoveryTitle: 'Geymdu þessa endurheimtarkóða',
  recoveryWhy: 'Hver þeirra veitir aðgang einu sinni ef þú týnir tækinu. Þeir birtast aðeins núna.',
  codesKept: 'Ég hef geymt þá',
  passkeyFailed: 'Vafrinn bjó ekki til aðgangslykil. Reyndu aftur eða notaðu aðra leið.',
});
