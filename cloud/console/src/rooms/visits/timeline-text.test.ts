import { beforeAll, expect, it, vi } from 'vitest';

const ENTRY = { id: '1', on: '2026-11-21T11:00:00.000Z', kind: 'payment', code: 'settled' } as const;
const NAMES = { timeZone: 'Atlantic/Reykjavik', laneName: (id: string) => id };

// The words are chosen when they are loaded, by what the browser prefers.
beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en' });
  vi.stubGlobal('navigator', { languages: ['en'] });
  vi.stubGlobal('location', new URL('http://localhost/console'));
  const { loadRoomWords, loadWords } = await import('../../words/words.ts');
  await Promise.all([loadWords(), loadRoomWords(['visits'])]);
});

it('a payment at a terminal shows what was given beside the price', async () => {
  const { entryText } = await import('./timeline-text.ts');
  const detailsOf = (tip: number) => {
    const params = {
      amount: 1000,
      tip,
      currency: 'ISK',
      reason: null,
      cardType: 'visa',
      cardLastFour: '4242',
    };
    return entryText({ ...ENTRY, who: null, changes: [], photoId: null, params }, NAMES).details.map((one) =>
      one.replaceAll('\u00a0', ' '),
    );
  };
  expect(detailsOf(250)).toEqual(['ISK 1,000', 'tip ISK 250', 'visa •••• 4242']);
  expect(detailsOf(0)).toEqual(['ISK 1,000', 'visa •••• 4242']);
});

it('a change of state says why in words, and keeps what a person wrote', async () => {
  const { entryText } = await import('./timeline-text.ts');
  const detailsOf = (reason: string) => {
    const entry = {
      ...ENTRY,
      kind: 'status' as const,
      code: 'completed',
      who: null,
      changes: [],
      photoId: null,
    };
    return entryText({ ...entry, params: { from: 'new', reason } }, NAMES).details;
  };
  expect(detailsOf('settled-online')).toEqual(['settled by phone']);
  expect(detailsOf('settled-before: kiosk')).toEqual(['settled at the site before: paid']);
  expect(detailsOf('lost-exit')).toEqual(['Earlier exit not seen']);
  expect(detailsOf('Mud on plate - moved_by hand')).toEqual(['Mud on plate - moved_by hand']);
});
