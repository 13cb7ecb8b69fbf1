import type { OfficeLanguage } from '@hlid/protocol/base/language';
import type { Texts } from '@hlid/protocol/base/texts';
import { Dictionary } from '@hlid/ui/dictionary';
import type { EN } from './en/en.ts';

const STORED_AS = 'hlid.language';

/** Chosen by the person here, else the browser's. It holds until the page is loaded again. */
export const LANGUAGE: OfficeLanguage = readLanguage();

/** The texts around the rooms, and those that several rooms use. */
const AROUND = new Dictionary<OfficeLanguage, typeof EN>({
  is: async () => (await import('./is/is.ts')).IS,
  en: async () => (await import('./en/en.ts')).EN,
});

/** The English file of each room. */
interface RoomFiles {
  accounts: typeof import('./en/accounts.ts');
  audit: typeof import('./en/audit.ts');
  cameras: typeof import('./en/cameras.ts');
  claims: typeof import('./en/claims.ts');
  customers: typeof import('./en/customers.ts');
  devices: typeof import('./en/devices.ts');
  'first-steps': typeof import('./en/first-steps.ts');
  help: typeof import('./en/help.ts');
  lanes: typeof import('./en/lanes.ts');
  mail: typeof import('./en/mail.ts');
  money: typeof import('./en/money.ts');
  now: typeof import('./en/now.ts');
  opening: typeof import('./en/opening.ts');
  permits: typeof import('./en/permits.ts');
  privacy: typeof import('./en/privacy.ts');
  products: typeof import('./en/products.ts');
  quotas: typeof import('./en/quotas.ts');
  reports: typeof import('./en/reports.ts');
  review: typeof import('./en/review.ts');
  sites: typeof import('./en/sites.ts');
  tariff: typeof import('./en/tariff.ts');
  training: typeof import('./en/training.ts');
  upgrades: typeof import('./en/upgrades.ts');
  vehicles: typeof import('./en/vehicles.ts');
  visits: typeof import('./en/visits.ts');
  webhooks: typeof import('./en/webhooks.ts');
  zones: typeof import('./en/zones.ts');
}
export type RoomWithWords = keyof RoomFiles;

/** A file for each room and language, which is loaded with the first page of the room. */
const ROOMS: { readonly [Room in RoomWithWords]: Dictionary<OfficeLanguage, RoomFiles[Room]> } = {
  accounts: new Dictionary<OfficeLanguage, RoomFiles['accounts']>({
    is: () => import('./is/accounts.ts'),
    en: () => import('./en/accounts.ts'),
  }),
  audit: new Dictionary<OfficeLanguage, RoomFiles['audit']>({
    is: () => import('./is/audit.ts'),
    en: () => import('./en/audit.ts'),
  }),
  cameras: new Dictionary<OfficeLanguage, RoomFiles['cameras']>({
    is: () => import('./is/cameras.ts'),
    en: () => import('./en/cameras.ts'),
  }),
  claims: new Dictionary<OfficeLanguage, RoomFiles['claims']>({
    is: () => import('./is/claims.ts'),
    en: () => import('./en/claims.ts'),
  }),
  customers: new Dictionary<OfficeLanguage, RoomFiles['customers']>({
    is: () => import('./is/customers.ts'),
    en: () => import('./en/customers.ts'),
  }),
  devices: new Dictionary<OfficeLanguage, RoomFiles['devices']>({
    is: () => import('./is/devices.ts'),
    en: () => import('./en/devices.ts'),
  }),
  'first-steps': new Dictionary<OfficeLanguage, RoomFiles['first-steps']>({
    is: () => import('./is/first-steps.ts'),
    en: () => import('./en/first-steps.ts'),
  }),
  help: new Dictionary<OfficeLanguage, RoomFiles['help']>({
    is: () => import('./is/help.ts'),
    en: () => import('./en/help.ts'),
  }),
  lanes: new Dictionary<OfficeLanguage, RoomFiles['lanes']>({
    is: () => import('./is/lanes.ts'),
    en: () => import('./en/lanes.ts'),
  }),
  mail: new Dictionary<OfficeLanguage, RoomFiles['mail']>({
    is: () => import('./is/mail.ts'),
    en: () => import('./en/mail.ts'),
  }),
  money: new Dictionary<OfficeLanguage, RoomFiles['money']>({
    is: () => import('./is/money.ts'),
    en: () => import('./en/money.ts'),
  }),
  now: new Dictionary<OfficeLanguage, RoomFiles['now']>({
    is: () => import('./is/now.ts'),
    en: () => import('./en/now.ts'),
  }),
  opening: new Dictionary<OfficeLanguage, RoomFiles['opening']>({
    is: () => import('./is/opening.ts'),
    en: () => import('./en/opening.ts'),
  }),
  permits: new Dictionary<OfficeLanguage, RoomFiles['permits']>({
    is: () => import('./is/permits.ts'),
    en: () => import('./en/permits.ts'),
  }),
  privacy: new Dictionary<OfficeLanguage, RoomFiles['privacy']>({
    is: () => import('./is/privacy.ts'),
    en: () => import('./en/privacy.ts'),
  }),
  products: new Dictionary<OfficeLanguage, RoomFiles['products']>({
    is: () => import('./is/products.ts'),
    en: () => import('./en/products.ts'),
  }),
  quotas: new Dictionary<OfficeLanguage, RoomFiles['quotas']>({
    is: () => import('./is/quotas.ts'),
    en: () => import('./en/quotas.ts'),
  }),
  reports: new Dictionary<OfficeLanguage, RoomFiles['reports']>({
    is: () => import('./is/reports.ts'),
    en: () => import('./en/reports.ts'),
  }),
  review: new Dictionary<OfficeLanguage, RoomFiles['review']>({
    is: () => import('./is/review.ts'),
    en: () => import('./en/review.ts'),
  }),
  sites: new Dictionary<OfficeLanguage, RoomFiles['sites']>({
    is: () => import('./is/sites.ts'),
    en: () => import('./en/sites.ts'),
  }),
  tariff: new Dictionary<OfficeLanguage, RoomFiles['tariff']>({
    is: () => import('./is/tariff.ts'),
    en: () => import('./en/tariff.ts'),
  }),
  training: new Dictionary<OfficeLanguage, RoomFiles['training']>({
    is: () => import('./is/training.ts'),
    en: () => import('./en/training.ts'),
  }),
  upgrades: new Dictionary<OfficeLanguage, RoomFiles['upgrades']>({
    is: () => import('./is/upgrades.ts'),
    en: () => import('./en/upgrades.ts'),
  }),
  vehicles: new Dictionary<OfficeLanguage, RoomFiles['vehicles']>({
    is: () => import('./is/vehicles.ts'),
    en: () => import('./en/vehicles.ts'),
  }),
  visits: new Dictionary<OfficeLanguage, RoomFiles['visits']>({
    is: () => import('./is/visits.ts'),
    en: () => import('./en/visits.ts'),
  }),
  webhooks: new Dictionary<OfficeLanguage, RoomFiles['webhooks']>({
    is: () => import('./is/webhooks.ts'),
    en: () => import('./en/webhooks.ts'),
  }),
  zones: new Dictionary<OfficeLanguage, RoomFiles['zones']>({
    is: () => import('./is/zones.ts'),
    en: () => import('./en/zones.ts'),
  }),
};

function readLanguage(): OfficeLanguage {
  const wanted = [localStorage.getItem(STORED_AS), ...navigator.languages];
  const found = wanted.map((one) => one?.slice(0, 2)).find((one) => one === 'is' || one === 'en');
  return found === 'en' ? 'en' : 'is';
}

/** Shows the whole page in another language. */
export function changeLanguage(language: OfficeLanguage): void {
  localStorage.setItem(STORED_AS, language);
  location.reload();
}

/** Loads the texts around the rooms, before any module that shows them. */
export function loadWords(): Promise<void> {
  return AROUND.loadSurely(LANGUAGE);
}

/** Loads the texts of rooms, before any of their pages. */
export async function loadRoomWords(rooms: readonly RoomWithWords[]): Promise<void> {
  await Promise.all(rooms.map((room) => ROOMS[room].load(LANGUAGE)));
}

/** The texts of a part that stands around the rooms, or in more than one of them. */
export function wordsOf<Part extends keyof typeof EN>(part: Part): Texts<typeof EN>[Part] {
  return AROUND.wordsOf(LANGUAGE)[part];
}

/** The texts of a room. */
export function roomWords<Room extends RoomWithWords>(room: Room): Texts<RoomFiles[Room]> {
  return ROOMS[room].wordsOf(LANGUAGE);
}
