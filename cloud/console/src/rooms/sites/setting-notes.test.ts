import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { SITE_DEFAULTS } from '@hlid/protocol/records/site-limits';
import { beforeAll, expect, it, vi } from 'vitest';

// The words are chosen when they are loaded, by what the browser prefers.
beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en' });
  vi.stubGlobal('navigator', { languages: ['en'] });
  vi.stubGlobal('location', new URL('http://localhost/console'));
  const { loadRoomWords, loadWords } = await import('../../words/words.ts');
  await Promise.all([loadWords(), loadRoomWords(['sites'])]);
});

it('the form has every setting that a site has', async () => {
  const { SITE_PARTS } = await import('./site-fields.ts');
  const names = new Set(SITE_PARTS.flatMap(({ fields }) => fields.map(({ name }) => name)));
  const { seller, ...others } = SiteSettingsSchema.shape;
  const ofSeller = Object.keys(seller.unwrap().shape).map((name) => `seller.${name}`);
  const missing = [...Object.keys(others), ...ofSeller].filter((name) => !names.has(name));
  expect(missing).toEqual([]);
});

it('the defaults are those of the settings', () => {
  const parsed = new Map<string, unknown>(Object.entries(SiteSettingsSchema.parse({})));
  for (const [name, value] of Object.entries(SITE_DEFAULTS)) {
    expect(Object.keys(SiteSettingsSchema.shape)).toContain(name);
    if (parsed.has(name)) expect(parsed.get(name), name).toBe(value);
  }
});

it('a setting shows its default, and who changed it last', async () => {
  const { withNotes } = await import('./setting-notes.ts');
  const { latestChanges } = await import('../../calls/setting-changes.ts');
  const line = (on: string, byName: string, before: object, after: object) => ({
    on,
    by: 'account:1',
    byName,
    before: { name: 'Harbour', settings: before },
    after: { name: 'Harbour', settings: after },
  });
  const changes = latestChanges([
    line('2026-11-03T10:00:00.000Z', 'Anna', { exitGraceMinutes: 15 }, { exitGraceMinutes: 20 }),
    line('2026-11-02T10:00:00.000Z', 'Birna', { exitGraceMinutes: 10 }, { exitGraceMinutes: 15 }),
    line('2026-11-01T10:00:00.000Z', 'Birna', {}, { seller: { name: 'Höfn' } }),
  ]);
  expect([...changes]).toEqual([
    ['exitGraceMinutes', { on: '2026-11-03T10:00:00.000Z', who: 'Anna' }],
    ['seller.name', { on: '2026-11-01T10:00:00.000Z', who: 'Birna' }],
  ]);
  const parts = [
    {
      title: 'Times',
      fields: [
        { kind: 'number' as const, name: 'exitGraceMinutes', label: 'Minutes' },
        { kind: 'text' as const, name: 'helpPhone', label: 'Telephone' },
      ],
    },
  ];
  const [part] = withNotes(parts, changes, 'Atlantic/Reykjavik');
  const [grace, phone] = part?.fields ?? [];
  expect(grace?.hint).toMatch(/^Default: 15\. Changed .*3.*Nov.* by Anna\.$/);
  expect(phone?.hint).toBeUndefined();
});
