import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { BoardCarSchema, type LaneBoard } from '@hlid/protocol/site-link/site-board';
import { beforeAll, expect, it, vi } from 'vitest';

const at = UtcTimeSchema.parse('2026-03-02T10:00:00.000Z');
const car = BoardCarSchema.parse({
  passageId: '01980000-0000-7000-8000-000000000001',
  visitId: null,
  plate: 'AB012',
  seenAt: at,
  open: true,
  reason: 'welcome',
  flags: [],
  gate: 'done',
  score: 0.7,
  cameAt: at,
  photoId: 'p',
  picture: 'none',
  due: null,
  enteredAt: null,
});
const idle: LaneBoard = {
  id: 'in-1',
  name: 'Entrance',
  direction: 'entry',
  state: 'idle',
  since: null,
  car: null,
  earlier: [],
  gate: { state: 'closed', since: at, lastError: null, order: null },
};
const busy: LaneBoard = { ...idle, state: 'now', since: at, car };
const boards = (...lanes: LaneBoard[]) => [{ siteId: 'harbour', lanes }];

// The words are chosen when they are loaded, by what the browser prefers.
beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en' });
  vi.stubGlobal('navigator', { languages: ['en'] });
  const { loadRoomWords, loadWords } = await import('../../words/words.ts');
  await Promise.all([loadWords(), loadRoomWords(['now'])]);
});

it('speaks of each thing once, and of a lane where nothing happens not at all', async () => {
  const { newsOf } = await import('./announcements.ts');
  const first = newsOf(new Map(), boards(idle));
  expect(first.text).toBe('');
  const second = newsOf(first.said, boards(busy, { ...busy, id: 'in-2', name: 'Side' }));
  expect(second.text).toBe('Entrance: AB012, opened, Visitor. Side: AB012, opened, Visitor.');
  expect(newsOf(second.said, boards(busy)).text).toBe('');
  const waits = { ...busy, state: 'waiting' as const };
  expect(newsOf(second.said, boards(waits)).text).toBe('Entrance: AB012, Car waiting, Visitor.');
  const gone = newsOf(second.said, boards(idle));
  expect(newsOf(gone.said, boards(busy)).text).toBe('Entrance: AB012, opened, Visitor.');
});

it('marks letters that are often misread where the camera was not sure', async () => {
  const { doubtfulPlaces } = await import('./lane-text.ts');
  expect(doubtfulPlaces(car)).toContain(2);
  expect(doubtfulPlaces(car)).not.toContain(0);
  expect(doubtfulPlaces({ plate: 'AB012', score: 0.98 })).toEqual([]);
  expect(doubtfulPlaces({ plate: null, score: 0 })).toEqual([]);
});
