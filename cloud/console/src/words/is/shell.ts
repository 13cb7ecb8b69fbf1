import { translate } from '@hlid/protocol/base/texts';
import type * as en from '../en/shell.ts';

export const shortcuts = translate<typeof en.shortcuts>()({
  title: 'Flýtilyklar',
  single: 'Stakir lyklar virka',
  help: 'Sýna flýtilykla',
  after: 'svo',
});

export const pageError = translate<typeof en.pageError>()({
  title: 'Ekki tókst að sýna þessa síðu',
  ours: 'Villan er í kerfinu, ekki í því sem þú gerðir. Það sem búið var að vista er vistað.',
  reload: 'Endurhlaða stjórnborðið',
});

export const pickers = translate<typeof en.pickers>()({
  search: 'Leita eftir nafni',
  nothing: 'Ekkert fannst',
  failed: 'Ekkert svar',
  choose: 'Veldu …',
});

export const connectionBadge = translate<typeof en.connectionBadge>()({
  connected: 'Tengt',
  lost: 'Ótengt',
  never: 'Aldrei tengst',
  revoked: 'Aðgangur afturkallaður',
  archived: 'Í geymslu',
});

export const paletteActs = translate<typeof en.paletteActs>()({
  open: 'Opna {lane} …',
  opening: 'Opna bílastæðið skref fyrir skref',
  firstSteps: 'Fyrstu skref nýrrar uppsetningar',
  themes: {
    dark: 'Dökkt',
    light: 'Ljóst',
    system: 'Litir kerfisins',
  },
  language: 'English',
  keys: 'Sýna flýtilykla',
  logOut: 'Skrá út',
  invite: 'Bjóða aðgang',
  adds: {
    visits: 'Ný dvöl',
    permits: 'Ný heimild',
    customers: 'Nýr viðskiptavinur',
    vehicles: 'Nýtt ökutæki',
    quotas: 'Nýr kvóti',
    products: 'Ný vara',
    accounts: 'Nýr aðgangur',
    cameras: 'Ný myndavél',
    zones: 'Nýtt svæði',
    sites: 'Nýtt bílastæði',
    webhooks: 'Nýr vefkrókur',
  },
});

export const roomNames = translate<typeof en.roomNames>()({
  now: 'Núna',
  visits: 'Dvalir',
  review: 'Yfirferð',
  money: 'Fjármál',
  approvals: 'Samþykki',
  permits: 'Heimildir',
  customers: 'Viðskiptavinir',
  company: 'Fyrirtækið mitt',
  vehicles: 'Ökutæki',
  quotas: 'Kvótar',
  accounts: 'Aðgangar',
  devices: 'Tæki',
  cameras: 'Myndavélar',
  zones: 'Svæði',
  sites: 'Bílastæði',
  upgrades: 'Uppfærslur',
  products: 'Vörur',
  reports: 'Skýrslur',
  audit: 'Atburðaskrá',
  webhooks: 'Vefkrókar',
  mail: 'Póstur',
  privacy: 'Persónuvernd',
  training: 'Æfingar',
  login: 'Innskráningin mín',
});

export const shell = translate<typeof en.shell>()({
  roomHelp: 'Til hvers þessi síða er',
  menu: 'Valmynd',
  rooms: 'Herbergi',
  skip: 'Beint í efnið',
  skipToList: 'Beint í listann',
  find: 'Finna …',
  live: 'Í beinni',
  connecting: 'Tengist …',
  stale: 'Ekkert samband í {since}. Það sem sést gæti verið úrelt.',
  account: 'Aðgangur',
  logOut: 'Skrá út',
  language: 'English',
  themes: {
    system: 'Litir kerfisins',
    light: 'Ljóst',
    dark: 'Dökkt',
  },
  keys: 'Flýtilyklar',
  goTo: 'Fara í: {room}',
  waiting: 'í bið',
});

export const pictureNow = translate<typeof en.pictureNow>()({
  title: 'Mynd núna',
  take: 'Taka mynd',
  again: 'Taka aðra mynd',
  taking: 'Myndavélin tekur mynd …',
  hint: 'Það sem myndavélin sér á þessari stundu. Myndinni er eytt eftir tíu mínútur og atburðaskráin geymir hver tók hana.',
  taken: 'Tekin',
  erased: 'eytt',
  of: '{camera} núna',
  screen: 'Skjárinn núna',
  screenHint:
    'Það sem ökumaður við sjálfsalann sér á þessari stundu. Myndinni er eytt eftir tíu mínútur og atburðaskráin geymir hver tók hana.',
});

export const listKeys = translate<typeof en.listKeys>()({
  next: 'Næsta lína í lista',
  previous: 'Fyrri lína í lista',
  choose: 'Velja línuna',
  open: 'Opna línuna',
  openTab: 'Opna línuna í öðrum flipa',
  ends: 'Fyrsta eða síðasta lína',
  all: 'Velja allar línur',
  close: 'Loka glugganum',
});

export const find = translate<typeof en.find>()({
  title: 'Finna',
  placeholder: 'Bílnúmer eftir heyrn, reikningur, viðskiptavinur, herbergi, aðgerð …',
  label: 'Finna bílnúmer, reikning eða viðskiptavin',
  results: 'Niðurstöður',
  cars: 'Bílar',
  invoices: 'Reikningar',
  customers: 'Viðskiptavinir',
  rooms: 'Herbergi',
  acts: 'Aðgerðir',
  all: 'Allar niðurstöður fyrir „{text}“',
  nothing: 'Ekkert fannst',
  nothingHint: 'Prófaðu færri stafi. Númer sem munar einum staf á finnast líka.',
  begin: 'Sláðu inn bílnúmer eins og þú heyrðir það, reikningsnúmer eða nafn.',
  matches: {
    equal: 'Sama númer',
    confusable: 'Stafir sem myndavélar rugla saman',
    near: 'Einn stafur annar',
    prefix: 'Byrjar svona',
  },
  other: '{found} í stað {typed}',
  surplus: '{found} að auki',
  missing: '{typed} vantar',
  inside: 'Inni',
  left: 'Út',
  entered: 'Inn',
  invoice: 'Reikningur {number}',
  count: '{count} {count: one niðurstaða | other niðurstöður}',
  purpose: 'Tilgangur',
  purposeHint: 'Hann geymist í atburðaskránni með bílnúmerunum sem þú leitar að.',
});

export const firstStepsLine = translate<typeof en.firstStepsLine>()({
  title: 'Fyrstu skrefin',
  done: 'Fyrstu skrefin: {done} af {total} er lokið.',
  show: 'Sýna það sem eftir er',
  putAway: 'Leggja til hliðar',
});

export const checklist = translate<typeof en.checklist>()({
  'to-do': 'Eftir',
  waiting: 'Í bið',
  done: 'Lokið',
  failing: 'Bilar',
  progress: '{done} af {total} lokið',
});
