import { siteTopics } from '@hlid/protocol/site-link/topics';
import { describe, expect, test } from 'vitest';
import { SECRET, SITE } from '../../test/cloud.ts';
import { SEQS, until, useLink } from '../../test/link.ts';
import { createTestEvents, TEST_EPOCH } from '../../test/lists.ts';

const topics = siteTopics(SITE);
const site = useLink();

describe('the event log', () => {
  test('goes up in order, in batches of at most 100, several on their way at once', async () => {
    site.events.append(1234);
    let maxInFlight = 0;
    site.cloud.onBatch = () => {
      maxInFlight = Math.max(maxInFlight, site.cloud.batches.flat().length - site.events.acknowledged());
      return 'apply';
    };
    // The deadlines suit a slow machine too: what is not answered in time would be sent again.
    site.begin(SECRET, { ackDeadlineMs: 5000, maxAckDeadlineMs: 5000 });
    await site.allCommitted(1234);
    expect(Math.max(...site.cloud.batches.map((batch) => batch.length))).toBe(100);
    expect(maxInFlight).toBeGreaterThan(100);
    expect(site.cloud.batches.flat()).toEqual(SEQS(1234));
  });

  test('goes up as it is written', async () => {
    site.begin();
    await site.connected();
    for (let at = 1; at <= 20; at++) {
      site.events.append(1);
      await site.allCommitted(at);
    }
  });

  test('goes up together with what is written right after it', async () => {
    site.begin();
    await site.connected();
    site.events.append(1);
    expect(site.cloud.batches).toEqual([]);
    site.events.append(2);
    site.events.append(1);
    await site.allCommitted(4);
    expect(site.cloud.batches).toEqual([[1, 2, 3, 4]]);
  });

  test('is cut into batches by size, and a huge event travels alone', async () => {
    site.events.append(3, 'x'.repeat(30_000));
    site.events.append(1, 'x'.repeat(200_000));
    site.events.append(2);
    site.begin(SECRET, { ackDeadlineMs: 5000, maxAckDeadlineMs: 5000 });
    await site.allCommitted(6);
    expect(site.cloud.batches).toEqual([[1, 2], [3], [4], [5, 6]]);
  });

  test('goes on after what the cloud says that it holds', async () => {
    site.events.append(250);
    site.begin();
    await site.allCommitted(250);
    await site.link.stop();
    site.events.acknowledge(0);
    site.events.append(10);
    site.cloud.batches.length = 0;
    site.begin(SECRET, { ackDeadlineMs: 5000, maxAckDeadlineMs: 5000 });
    await site.allCommitted(260);
    expect(site.cloud.batches).toEqual([SEQS(260).slice(250)]);
  });

  test('is sent again from where the cloud lost it', async () => {
    let arrived = 0;
    site.cloud.onBatch = () => (++arrived === 3 ? 'lose' : 'apply');
    site.events.append(1000);
    site.begin(SECRET, { ackDeadlineMs: 5000, maxAckDeadlineMs: 5000 });
    await site.allCommitted(1000);
    expect(site.logged).toContain('outbox.rewound');
    // Sent again once, and not again for each acknowledgement.
    expect(site.cloud.batches.flat().length).toBeLessThan(2000);
  });

  test('is sent again after a silence, with growing pauses and one batch at a time', async () => {
    let silent = true;
    site.cloud.onBatch = () => (silent ? 'lose' : 'apply');
    site.events.append(1000);
    site.begin();
    await until(() =>
      expect(site.logged.filter((event) => event === 'outbox.retry').length).toBeGreaterThan(2),
    );
    const [first = []] = site.cloud.batches;
    expect(site.cloud.batches.slice(8)).toSatisfy((tries: number[][]) =>
      tries.every(([seq]) => seq === first[0]),
    );
    silent = false;
    await site.allCommitted(1000);
  });

  test('is in the cloud once even if acknowledgements are lost', async () => {
    let arrived = 0;
    site.cloud.onBatch = () => (++arrived % 2 === 0 ? 'hold-answer' : 'apply');
    site.events.append(2000);
    site.begin();
    await site.allCommitted(2000);
  });

  test('that the cloud refuses is not sent in a hurry', async () => {
    site.cloud.onBatch = () => 'refuse';
    site.events.append(50);
    site.begin();
    await until(() =>
      expect(site.logged.filter((event) => event === 'outbox.retry').length).toBeGreaterThan(1),
    );
    expect(site.cloud.batches.length).toBeLessThan(8);
    site.cloud.onBatch = () => 'apply';
    await site.allCommitted(50);
  });

  test('survives a broker that loses its memory, again and again', async () => {
    site.begin();
    const connections = () => site.cloud.presences.filter(({ online }) => online).length;
    for (let round = 1; round <= 4; round++) {
      await until(() => expect(connections()).toBeGreaterThanOrEqual(round));
      site.events.append(300);
      await until(() => expect(site.cloud.batches.length).toBeGreaterThan(round));
      await site.cloud.restartBroker();
      site.events.append(50);
    }
    await site.allCommitted(1400);
    expect(connections()).toBeGreaterThan(4);
  });

  test('goes up again to a cloud that was restored from a backup', async () => {
    site.events.append(500);
    site.begin();
    await site.allCommitted(500);
    site.cloud.setBack({ events: 120 });
    await site.cloud.restartBroker();
    await site.allCommitted(500);
    expect(site.events.acknowledged()).toBe(500);
  });

  /** Restarts the link on another database, as a restart of the program would. */
  async function goOnWith(copy: ReturnType<typeof createTestEvents>): Promise<void> {
    await site.link.stop();
    site.events = copy;
    site.begin();
  }

  async function newEpoch(after = 1): Promise<void> {
    await until(() => expect(site.cloud.epochs()).toHaveLength(after + 1));
    expect(site.events.epoch).not.toBe(TEST_EPOCH);
    expect(site.logged).toContain('outbox.epoch-renewed');
  }

  test('goes on in a new epoch where the cloud holds more than an old copy', async () => {
    site.events.append(20);
    site.begin();
    await site.allCommitted(20);
    await site.link.stop();
    site.events.setBack(5);
    site.events.append(3);
    // The cloud has the events from before the restore.
    site.events.partAt(5);
    site.begin();
    await newEpoch();
    await site.allCommitted(3);
  });

  test('goes on in a new epoch where the cloud has other events by the same numbers', async () => {
    site.events.append(20);
    site.begin();
    await site.allCommitted(20);
    const copy = createTestEvents();
    copy.append(15);
    copy.partAt(15);
    copy.append(30, 'other');
    await goOnWith(copy);
    await newEpoch();
    await site.allCommitted(30);
  });

  test('goes on in a new epoch where another database has spoken since', async () => {
    site.events.append(20);
    site.begin();
    await site.allCommitted(20);
    site.cloud.supersede();
    await goOnWith(site.events);
    await newEpoch(2);
    site.events.append(2);
    await site.allCommitted(2);
  });

  test('sends again what is still stored where the cloud asks for deleted events', async () => {
    site.events.append(20);
    site.events.forget(10);
    site.begin();
    await newEpoch();
    await site.allCommitted(10);
  });

  test('stops and says so where two gateways take turns', async () => {
    site.events.append(5);
    site.begin();
    await site.allCommitted(5);
    for (let turn = 1; turn <= 4; turn++) {
      await until(() => expect(site.cloud.epochs().at(-1)).toBe(site.events.epoch));
      site.cloud.supersede();
      await site.cloud.restartBroker();
      const renewed = () => site.logged.filter((event) => event === 'outbox.epoch-renewed').length;
      if (turn <= 3) await until(() => expect(renewed()).toBe(turn));
    }
    await until(() => expect(site.link.view().lastError).toMatch(/another gateway/));
    expect(site.logged).toContain('outbox.stuck');
    expect(site.logged.filter((event) => event === 'outbox.epoch-renewed')).toHaveLength(3);
  });

  test('is not moved by acknowledgements of another epoch, or by nonsense', async () => {
    site.begin();
    await site.connected();
    site.cloud.publish(topics.upAck, { v: 1, epoch: '01933333-7777-7777-8777-000000000000', committed: 7 });
    site.cloud.publish(topics.upAck, 'nonsense');
    site.cloud.publish(topics.upAck, { v: 2, committed: 9 });
    await until(() =>
      expect(site.logged.filter((event) => event === 'link.message-refused')).toHaveLength(2),
    );
    site.events.append(2);
    await site.allCommitted(2);
  });
});
