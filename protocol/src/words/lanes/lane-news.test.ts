import { expect, it } from 'vitest';
import { STATUS_WORDS } from '../../base/status-words/status-words.ts';
import { textsOf } from '../../base/texts.ts';
import { UtcTimeSchema } from '../../base/utc-time.ts';
import { BoardCarSchema, type LaneBoard } from '../../site-link/site-board.ts';
import { CODE_WORDS } from '../codes/code-words.ts';
import { LANE_EN } from './en.ts';
import { newsOf } from './lane-news.ts';
import { doubtfulPlaces, gateErrorText, gateOrderText, type LaneWords, laneSentence } from './lane-texts.ts';

const words: LaneWords = {
  language: 'en',
  texts: textsOf<typeof LANE_EN>(LANE_EN, 'en'),
  codes: CODE_WORDS.en,
  status: STATUS_WORDS.en,
};
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

it('announces each thing once, and nothing of a lane where nothing happens', () => {
  const first = newsOf(new Map(), boards(idle), words);
  expect(first.text).toBe('');
  const second = newsOf(first.announced, boards(busy, { ...busy, id: 'in-2', name: 'Side' }), words);
  expect(second.text).toBe('Entrance: AB012, opened, Visitor. Side: AB012, opened, Visitor.');
  expect(newsOf(second.announced, boards(busy), words).text).toBe('');
  const waits = { ...busy, state: 'waiting' as const };
  expect(newsOf(second.announced, boards(waits), words).text).toBe('Entrance: AB012, Car waiting, Visitor.');
  const gone = newsOf(second.announced, boards(idle), words);
  expect(newsOf(gone.announced, boards(busy), words).text).toBe('Entrance: AB012, opened, Visitor.');
});

it('names no car that has gone where the gate still moves', () => {
  expect(laneSentence({ ...busy, since: UtcTimeSchema.parse('2026-03-02T10:05:00.000Z') }, words)).toBeNull();
});

it('marks letters that are often misread where the camera was not sure', () => {
  expect(doubtfulPlaces(car)).toContain(2);
  expect(doubtfulPlaces(car)).not.toContain(0);
  expect(doubtfulPlaces({ plate: 'AB012', score: 0.98 })).toEqual([]);
  expect(doubtfulPlaces({ plate: null, score: 0 })).toEqual([]);
});

it('names who holds a gate, until when and why, and a person on site by the place', () => {
  const now = Date.parse(at);
  const order = {
    mode: 'held-open',
    since: at,
    by: 'account:1',
    name: 'Bjarni',
    reasonCode: 'event',
    note: 'Concert',
    lapsesAt: UtcTimeSchema.parse('2026-03-02T10:30:00.000Z'),
    confirmed: true,
  } as const;
  const text = (more: Partial<Parameters<typeof gateOrderText>[0]>) =>
    gateOrderText({ ...order, ...more }, { now, timeZone: 'UTC' }, words);
  expect(text({})).toBe('Held open by Bjarni until 10:30 (30 min left) – Event: Concert');
  const onSite = { by: 'on-site:network', name: 'on site', lapsesAt: null, confirmed: false };
  expect(text({ ...onSite, note: '' })).toBe(
    'Held open by a person at the site until it is released – Event (not confirmed by the gate yet)',
  );
});

it('puts the outcome of a command to a gate into words, and leaves words of a device as they are', () => {
  expect(gateErrorText('unreachable', words)).toBe('The gate cannot be reached.');
  expect(gateErrorText('relay 3 is off', words)).toBe('Fault of the gate: relay 3 is off');
});
