import type { Site } from '../../shell/site.ts';
import { changesOf, type Draft } from '../../ui/draft.ts';
import { siteVatFrom, siteVatText } from '../../ui/site-vat.ts';

/** A site as its form holds it: settings by their names, and the parts of `seller` beside them. */
export type SiteDraft = Draft;

const OF_SITE: readonly string[] = ['name', 'timeZone', 'currency', 'upgradeRing'];
const SELLER = 'seller.';
const LOGO = `${SELLER}logo`;
const VAT = 'vat';

/** @param fields of the form; a setting that is absent is as an empty field of its kind */
export function siteDraft(
  {
    name,
    timeZone,
    currency,
    upgradeRing,
    settings,
  }: Pick<Site, 'name' | 'timeZone' | 'currency' | 'upgradeRing' | 'settings'>,
  fields: readonly { name: string; kind: string }[],
): SiteDraft {
  const { seller, hasKiosk, vat, ...flat } = settings;
  const draft = Object.fromEntries(
    fields.map(({ kind, name: field }) => {
      const value = new Map<string, SiteDraft[string] | undefined>(Object.entries(flat)).get(field);
      return [field, value ?? (kind === 'check' ? false : kind === 'number' ? null : '')];
    }),
  );
  const ofSeller = Object.entries(seller ?? {}).map(([field, text]) => [SELLER + field, text]);
  return {
    ...draft,
    ...Object.fromEntries(ofSeller),
    name,
    timeZone,
    currency,
    upgradeRing,
    hasKiosk: hasKiosk === undefined ? '' : String(hasKiosk),
    [VAT]: siteVatText(vat),
  };
}

/** The edit that leads from one draft to another: what is not changed is not sent, what is emptied is null. */
export function siteEdit(before: SiteDraft, draft: SiteDraft) {
  const changed = Object.entries(changesOf(before, draft));
  const ofSite = changed.filter(([field]) => OF_SITE.includes(field));
  const settings = changed
    .filter(([field]) => !OF_SITE.includes(field) && !field.startsWith(SELLER))
    .map(([field, value]) => [field, settingFrom(field, value)]);
  const isSellerChanged = changed.some(([field]) => field.startsWith(SELLER));
  return {
    ...Object.fromEntries(ofSite),
    settings: {
      ...Object.fromEntries(settings),
      ...(isSellerChanged && { seller: sellerFrom(draft) }),
    },
  };
}

function settingFrom(field: string, value: SiteDraft[string]): unknown {
  if (field === 'hasKiosk') return kioskFrom(value);
  if (field === VAT) return siteVatFrom(String(value));
  return value === '' ? null : value;
}

function kioskFrom(value: SiteDraft[string]): boolean | null {
  return value === '' ? null : value === 'true';
}

/** The whole seller, for it is one setting. */
function sellerFrom(draft: SiteDraft): object | null {
  const texts = Object.entries(draft).filter(([field, text]) => field.startsWith(SELLER) && text !== '');
  // A logo alone is no seller.
  if (texts.every(([field]) => field === LOGO)) return null;
  return Object.fromEntries(texts.map(([field, text]) => [field.slice(SELLER.length), text]));
}
