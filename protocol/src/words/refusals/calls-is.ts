import type { RefusalWords } from '../say-refusal.ts';
import type { CALLS_EN, Thing } from './calls-en.ts';

export const CALLS_IS: Pick<RefusalWords, keyof typeof CALLS_EN> = {
  'not-found': ({ what }) => `${THINGS[what]} fannst ekki.`,
  'no-such-route': 'Ekkert er á þessari slóð.',
  'method-not-allowed': ({ method, allowed }) =>
    `${method} er ekki leyft á þessari slóð, aðeins ${allowed.join(', ')}.`,
  'changed-meanwhile': 'Annar hefur breytt þessu á meðan. Skoðaðu breytinguna og reyndu svo aftur.',
  'too-many-requests': ({ seconds }) =>
    `Of margar tilraunir. Reyndu aftur eftir ${seconds < 60 ? `${seconds} sek.` : `${Math.ceil(seconds / 60)} mín.`}`,
  'send-json': 'Sendu JSON með hausnum Content-Type: application/json.',
  'send-csv': 'Sendu CSV með hausnum Content-Type: text/csv.',
  'body-too-large': ({ bytes }) => `Fyrirspurnin er of stór. Hámarkið er ${bytes} bæti.`,
  'body-too-full': ({ of, max }) => `Fyrirspurnin er of umfangsmikil. Hámarkið er ${max} ${PARTS[of]}.`,
  malformed: ({ detail }) => `Fyrirspurnin er ekki læsileg: ${detail}`,
  'internal-error': ({ requestId }) => `Eitthvað fór úrskeiðis hjá okkur. Villan er skráð sem ${requestId}.`,
  'not-allowed': 'Þú hefur ekki heimild til þessa.',
  'not-logged-in': 'Skráðu þig inn.',
  'site-credentials-needed': 'Auðkenni staðarins vantar eða þau eru ekki gild.',
  'api-key-needed': 'Gildan API-lykil vantar í hausinn x-api-key.',
  'token-not-valid': 'Tengillinn er ekki gildur, eða er útrunninn.',
  'camera-token-needed': ({ name }) => `Lykil myndavélarinnar vantar í slóðina: ?${name}=<lykill>.`,
  'other-origin': 'Þetta er aðeins hægt af síðum þessa kerfis. Endurhladdu síðuna og reyndu aftur.',
  'second-factor-needed': 'Staðfestu innskráninguna með kóða eða aðgangslykli.',
  'no-second-factor': 'Settu fyrst upp aðgangslykil eða kóða í síma.',
  'step-up-needed': 'Staðfestu aftur hver þú ert.',
  'session-needed': 'Þetta er aðeins hægt eftir innskráningu í vafra.',
  'permission-needed': ({ permission }) =>
    `Aðganginn þinn vantar heimild: ${PERMISSIONS[permission] ?? permission}.`,
  'every-site-needed': 'Þetta varðar alla staði, en aðgangurinn þinn nær aðeins til sumra þeirra.',
  'of-every-site': 'Þetta tilheyrir öllum stöðum, en aðgangurinn þinn nær aðeins til sumra þeirra.',
  'operators-only': 'Aðeins rekstraraðilar geta stillt þetta.',
  'no-customer': 'Aðgangurinn þinn tilheyrir engum viðskiptavini.',
  'site-needed': 'Veldu stað.',
  'not-your-site': 'Aðgangurinn þinn nær ekki til þessa staðar.',
  'key-form': 'Lykillinn þarf að vera 1 til 255 sýnilegir ASCII-stafir.',
  'key-used-otherwise': 'Lykillinn var notaður fyrir annað kall.',
  'outcome-unknown': 'Fyrri tilraun stendur enn yfir, eða rofnaði. Athugaðu hvort aðgerðin fór í gegn.',
};

const PARTS = { escapes: 'escape-stafir', levels: 'þrep', values: 'gildi' };

/** With the article, as each begins a sentence. */
const THINGS: Record<Thing, string> = {
  account: 'Aðgangurinn',
  'account-with-codes': 'Aðgangur með kóða í síma',
  camera: 'Myndavélin',
  code: 'Kóðinn',
  custodian: 'Umráðaskráningin',
  customer: 'Viðskiptavinurinn',
  driver: 'Ökumaðurinn',
  invoice: 'Reikningurinn',
  'lane-at-site': 'Akreinin á þessum stað',
  login: 'Innskráningin',
  mail: 'Pósturinn',
  'online-payment': 'Netgreiðslan',
  passkey: 'Aðgangslykillinn',
  payment: 'Greiðslan',
  photo: 'Myndin',
  picture: 'Myndin',
  product: 'Varan',
  quota: 'Kvótinn',
  session: 'Lotan',
  site: 'Staðurinn',
  terminal: 'Posinn',
  'terminal-at-site': 'Posinn á þessum stað',
  token: 'Lykillinn',
  plate: 'Bílnúmerið',
  'unpaid-vehicle': 'Ökutæki með ógreidda heimsókn',
  'valid-reference': 'Gild tilvísun greiðslunnar',
  vehicle: 'Ökutækið',
  'vehicle-known': 'Ökutækið er ekki skráð hér og ökutækjaskrá svarar ekki. Það',
  visit: 'Heimsóknin',
  'visit-at-site': 'Heimsóknin á þessum stað',
  'visit-at-terminal': 'Heimsóknin við þennan posa',
  webhook: 'Vefkrókurinn',
  'whitelist-entry': 'Leyfið',
  zone: 'Svæðið',
};

const PERMISSIONS: Readonly<Record<string, string>> = {
  lanes: 'akreinar',
  visits: 'heimsóknir',
  money: 'fjármál',
  tariffs: 'gjaldskrár',
  devices: 'tæki',
  people: 'fólk',
};
