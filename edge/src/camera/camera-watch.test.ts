import type { CameraDocument } from '@hlid/protocol/plate/plate-read';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { testRead } from '../../test/site.ts';
import { CameraClocks } from './camera-clock.ts';
import { CameraWatch } from './camera-watch.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR = 3_600_000;

function watchOne() {
  const learned: unknown[] = [];
  const mended: string[] = [];
  const watch = new CameraWatch({
    cameras: [{ id: 'cam', lane: 'in-1' }],
    clocks: new CameraClocks(),
    onClockLearned: (beliefs) => void learned.push(beliefs),
    onMended: (_, fault) => void mended.push(fault),
    log: pino({ enabled: false }),
  });
  return { watch, learned, mended };
}

const read = (capturedAt: number, more = {}): CameraDocument => ({
  kind: 'test',
  heartbeat: false,
  pictures: [],
  reads: [testRead('ABX12', { capturedAt: new Date(capturedAt).toISOString(), ...more })],
});
const heartbeat = (sentAt: number): CameraDocument => ({
  kind: 'heartbeat',
  heartbeat: true,
  pictures: [],
  reads: [],
  sentAt: new Date(sentAt).toISOString(),
});

test('remembers when a camera was last seen, and when it last read a plate', () => {
  const { watch } = watchOne();
  expect(watch.cameras()).toEqual([
    {
      id: 'cam',
      laneId: 'in-1',
      lastSeenAt: null,
      lastReadAt: null,
      clockBehindMs: 0,
      clockSuspectedMs: 0,
      refused: null,
      mended: [],
      groupsOnly: false,
    },
  ]);
  watch.documentArrived('cam', read(NOON), new Date(NOON));
  watch.documentArrived('cam', heartbeat(NOON + 60_000), new Date(NOON + 60_000));
  expect(watch.cameras()).toMatchObject([
    { lastReadAt: '2026-11-21T12:00:00.000Z', lastSeenAt: '2026-11-21T12:01:00.000Z' },
  ]);
});

test('notices an agent that sends nothing but groups', () => {
  const { watch } = watchOne();
  const group = { ...read(NOON, { late: true }), kind: 'alpr_group', summary: true };
  const groupsOnlyAfter = (document: CameraDocument, times: number) => {
    for (let count = 0; count < times; count++) watch.documentArrived('cam', document, new Date(NOON));
    return watch.cameras()[0]?.groupsOnly;
  };
  expect(groupsOnlyAfter(group, 2)).toBe(false);
  expect(groupsOnlyAfter(heartbeat(NOON), 1)).toBe(false);
  expect(groupsOnlyAfter(group, 1)).toBe(true);
  // A row of cars: their results, and then their groups.
  expect(groupsOnlyAfter(read(NOON), 1)).toBe(false);
  expect(groupsOnlyAfter(group, 9)).toBe(false);
  expect(groupsOnlyAfter(group, 1)).toBe(true);
});

test('learns a wrong clock from heartbeats and reads alike, and says so once', () => {
  const { watch, learned } = watchOne();
  for (let at = NOON; at < NOON + 10 * 60_000; at += 60_000) {
    const document = at % 120_000 === 0 ? heartbeat(at - HOUR) : read(at - HOUR);
    watch.documentArrived('cam', document, new Date(at));
  }
  expect(learned).toEqual([{ cam: HOUR }]);
  expect(watch.cameras()).toMatchObject([{ clockBehindMs: HOUR }]);
});

test('what is late by its nature, or stands there for long, says nothing about the clock', () => {
  for (const more of [{ late: true }, { parked: true }]) {
    const { watch, learned } = watchOne();
    for (let at = NOON; at < NOON + 10 * 60_000; at += 60_000) {
      watch.documentArrived('cam', read(at - HOUR, more), new Date(at));
    }
    expect(learned).toEqual([]);
  }
});

test('says that documents are refused once it is more than a chance, until a plate is understood', () => {
  const { watch } = watchOne();
  const refused = () => watch.cameras()[0]?.refused;
  const broken = { reason: 'malformed', detail: 'the body is empty' };
  watch.documentRefused('cam', broken);
  expect(refused()).toBeNull();
  watch.documentRefused('cam', broken);
  expect(refused()).toBe('the body is empty');
  watch.documentArrived('cam', heartbeat(NOON), new Date(NOON));
  expect(refused()).toBe('the body is empty');
  watch.documentArrived('cam', read(NOON), new Date(NOON));
  expect(refused()).toBeNull();
});

test('lets a camera that is understood say what is none of our business, and no other', () => {
  const { watch } = watchOne();
  const other = { reason: 'unknown-kind', detail: 'not a message of Dahua' };
  for (let n = 0; n < 3; n++) watch.documentRefused('cam', other);
  expect(watch.cameras()[0]?.refused).toBe('not a message of Dahua');
  watch.documentArrived('cam', read(NOON), new Date(NOON));
  for (let n = 0; n < 3; n++) watch.documentRefused('cam', other);
  expect(watch.cameras()[0]?.refused).toBeNull();
});

test('remembers for a day what of a camera was mended, and shows each', () => {
  const { watch, mended } = watchOne();
  const at = (ms: number) => new Date(Date.parse('2026-11-21T12:00:00.000Z') + ms);
  const document = { kind: 'x', reads: [], heartbeat: false, pictures: [] };
  watch.documentMended('cam', ['a header has no name'], at(0));
  watch.documentMended('other', ['a header has no name'], at(0));
  watch.documentArrived('cam', { ...document, faults: ['it is too large'] }, at(0));
  expect(watch.cameras()[0]?.mended).toEqual(['a header has no name', 'it is too large']);
  expect(mended).toEqual(['a header has no name', 'it is too large']);
  watch.documentArrived('cam', document, at(25 * 3_600_000));
  expect(watch.cameras()[0]?.mended).toEqual([]);
});
