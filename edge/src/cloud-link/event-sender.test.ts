import { MAX_BATCH_EVENTS, PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { GroupCommit } from '../db/group-commit.ts';
import { EventLog } from '../outbox/event-log.ts';
import { EventSender } from './event-sender.ts';

const AT = '2026-11-21T08:00:00.000Z';
let site: ReturnType<typeof createTestSite>;
let events: EventLog;
let sender: EventSender;
let commit: GroupCommit;
/** The last numbers of what was sent. */
let sent: number[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  site = createTestSite();
  commit = new GroupCommit(site.db);
  events = EventLog.open({ db: site.db, commit });
  sent = [];
  sender = new EventSender({
    events,
    log: pino({ level: 'silent' }),
    ackDeadlineMs: 5000,
    maxAckDeadlineMs: 5000,
    onChange: () => undefined,
    onNewEpoch: () => undefined,
    onRecognised: () => undefined,
  });
  sender.connected({
    sendPresence: () => undefined,
    sendBatch: (json) => sent.push(JSON.parse(json).events.at(-1).seq),
  });
  acknowledge(0);
});
afterEach(() => {
  sender.stop();
  site.close();
  vi.useRealTimers();
});

const acknowledge = (committed: number) =>
  sender.ackArrived({ v: PROTOCOL_VERSION, epoch: events.epoch, committed });
const write = (howMany: number) =>
  commit.run(() => {
    for (let made = 0; made < howMany; made++) {
      events.append(
        { type: 'lane.alert', laneId: 'in-1', alert: 'tailgating', plate: null, passageId: null },
        AT,
      );
    }
  });

it('sends what is written together with what follows on it, whatever the cloud answers meanwhile', async () => {
  await write(4);
  vi.advanceTimersByTime(30);
  expect(sent).toEqual([4]);
  await write(1);
  acknowledge(4);
  await write(1);
  expect(sent).toEqual([4]);
  vi.advanceTimersByTime(30);
  expect(sent).toEqual([4, 6]);
});

it('does not keep back what makes a batch of its own', async () => {
  await write(1);
  vi.advanceTimersByTime(30);
  await write(MAX_BATCH_EVENTS + 1);
  acknowledge(1);
  expect(sent).toEqual([1, 1 + MAX_BATCH_EVENTS]);
  vi.advanceTimersByTime(30);
  expect(sent).toEqual([1, 1 + MAX_BATCH_EVENTS, 2 + MAX_BATCH_EVENTS]);
});

it('goes on by itself after a time in which the database could not be read', async () => {
  const after = vi.spyOn(events, 'after').mockImplementation(() => {
    throw new Error('database disk image is malformed');
  });
  await write(1);
  vi.advanceTimersByTime(30);
  vi.advanceTimersByTime(5000);
  expect(sent).toEqual([]);
  after.mockRestore();
  vi.advanceTimersByTime(5000);
  expect(sent).toEqual([1]);
});
