import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { describe, expect, it } from 'vitest';
import { writeSiteVat } from '../../ui/site-vat.ts';
import { siteDraft, siteEdit } from './site-draft.ts';

const seller = { name: 'Höfn ehf.', ssn: '5001012880', logo: 'data:image/png;base64,AAAA' };
const site = {
  name: 'Harbour',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
  upgradeRing: 2,
  settings: SiteSettingsSchema.parse({ capacity: 120, helpPhone: '5551234', seller }),
};

const FIELDS = [
  { name: 'capacity', kind: 'number' },
  { name: 'helpPhone', kind: 'text' },
  { name: 'language', kind: 'choice' },
  { name: 'permitsOnly', kind: 'check' },
  { name: 'seller.name', kind: 'text' },
  { name: 'seller.ssn', kind: 'text' },
  { name: 'seller.address', kind: 'text' },
];

describe('the form of a site', () => {
  it('sends nothing where nothing was changed', () => {
    const draft = siteDraft(site, FIELDS);
    expect(draft).toMatchObject({ capacity: 120, hasKiosk: '', language: '', 'seller.name': 'Höfn ehf.' });
    expect(siteEdit(draft, draft)).toEqual({ settings: {} });
  });

  it('sends what was changed, and null for what was emptied', () => {
    const before = siteDraft(site, FIELDS);
    const emptied = { capacity: null, helpPhone: '' };
    const draft = { ...before, ...emptied, name: 'Old harbour', upgradeRing: 1, hasKiosk: 'false' };
    expect(siteEdit(before, draft)).toEqual({
      name: 'Old harbour',
      upgradeRing: 1,
      settings: { capacity: null, helpPhone: null, hasKiosk: false },
    });
  });

  it('sends a changed seller as a whole, with its logo, and none where it was emptied', () => {
    const before = siteDraft(site, FIELDS);
    const moved = { ...before, 'seller.address': 'Geirsgata 1' };
    expect(siteEdit(before, moved)).toEqual({
      settings: { seller: { ...seller, address: 'Geirsgata 1' } },
    });
    const emptied = { ...before, 'seller.name': '', 'seller.ssn': '' };
    expect(siteEdit(before, emptied)).toEqual({ settings: { seller: null } });
  });

  it('sends the VAT of the site, by day, with what is decided of it', () => {
    const before = siteDraft(site, FIELDS);
    const standard = { category: 'S' as const, rate: 24, reason: '' };
    const exempt = { category: 'E' as const, rate: 24, reason: 'parking-rental' };
    const open = { category: '' as const, rate: 0, reason: '' };
    const typed = [
      { from: '2026-01-01', prices: exempt, fees: open },
      { from: '2027-01-01', prices: exempt, fees: standard },
    ];
    const { settings } = siteEdit(before, { ...before, vat: writeSiteVat(typed) });
    const ofPrices = { category: 'E', rate: 0, reason: 'parking-rental' };
    const vat = [
      { from: '2026-01-01', prices: ofPrices },
      { from: '2027-01-01', prices: ofPrices, fees: { category: 'S', rate: 24 } },
    ];
    expect(settings).toEqual({ vat });
    const stored = { ...site, settings: SiteSettingsSchema.parse({ ...site.settings, vat }) };
    const again = siteDraft(stored, FIELDS);
    expect(siteEdit(again, again)).toEqual({ settings: {} });
    expect(siteEdit(again, { ...again, vat: '' })).toEqual({ settings: { vat: null } });
  });
});
