import { once } from 'node:events';
import net from 'node:net';
import type { Command } from '@hlid/protocol/site-link/commands';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import { describe, expect, test } from 'vitest';
import { SECRET, SITE } from '../../test/cloud.ts';
import { until, useLink } from '../../test/link.ts';
import { markOf, TEST_EPOCH } from '../../test/lists.ts';

/** Longer than any test may take: who waits for that does not end. */
const NEVER_MS = 3_600_000;

const topics = siteTopics(SITE);
const site = useLink();

describe('presence', () => {
  test('is said at each connection, and is offline after a goodbye', async () => {
    site.events.append(3);
    site.begin();
    await site.allCommitted(3);
    expect(site.cloud.presences[0]).toEqual({
      v: 1,
      online: true,
      epoch: TEST_EPOCH,
      seq: 3,
      acknowledged: 0,
      feedAt: 0,
      feedMark: null,
      software: 'hlid-edge/test',
      at: '2026-11-21T12:00:00.000Z',
    });
    await site.link.stop();
    await until(() => expect(site.cloud.presences.at(-1)).toEqual({ v: 1, online: false }));
    expect(site.link.view().connected).toBe(false);
  });

  test('says which change the site holds, by its number and its mark', async () => {
    site.begin();
    site.cloud.change(3);
    await until(() => expect(site.feed.position().n).toBe(3));
    await site.link.stop();
    site.cloud.presences.length = 0;
    site.begin();
    await until(() => expect(site.cloud.presences.at(-1)).toMatchObject({ feedAt: 3, feedMark: markOf(3) }));
  });

  test('is asked again as long as the cloud says nothing to it', async () => {
    site.cloud.answersPresence = false;
    site.events.append(3);
    site.begin();
    await until(() => expect(site.cloud.presences.length).toBeGreaterThan(2));
    expect(site.cloud.batches).toEqual([]);
    site.cloud.answersPresence = true;
    await site.allCommitted(3);
  });
});

describe('the connection', () => {
  test('is tried for ever, and the view says why it fails', async () => {
    await site.cloud.stopBroker();
    site.begin();
    await until(() => expect(site.logged.filter((event) => event === 'link.lost').length).toBeGreaterThan(3));
    expect(site.link.view()).toMatchObject({
      connected: false,
      lastError: expect.stringContaining('ECONNREFUSED'),
    });
    await site.cloud.startBroker();
    await site.connected();
    expect(site.link.view()).toMatchObject({ connected: true, lastError: null });
  });

  test('is refused with a wrong secret, until the secret is right', async () => {
    site.begin('wrong');
    await until(() => expect(site.link.view().lastError).toMatch(/not authorized/i));
    site.cloud.secret = 'wrong';
    await site.connected();
  });

  test('is given up on a broker that does not answer, and a stop need not wait for that', async () => {
    const silent = net.createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    site.cloud.mqttUrl = `mqtt://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    site.begin(SECRET, { connectTimeoutMs: 100 });
    await until(() => expect(site.link.view().lastError).toMatch(/connack timeout/));
    await site.link.stop();
    site.begin(SECRET, { connectTimeoutMs: NEVER_MS });
    await once(silent, 'connection');
    await site.link.stop();
    silent.close();
  });

  test('notifies its subscribers', async () => {
    site.begin();
    const seen: number[] = [];
    const end = site.link.subscribe(() => seen.push(site.link.view().acknowledged));
    site.events.append(1);
    await until(() => expect(seen).toContain(1));
    end();
    const { length } = seen;
    site.events.append(1);
    await site.allCommitted(2);
    expect(seen).toHaveLength(length);
  });
});

test('hands commands on, and says what came of them', async () => {
  site.begin();
  await site.connected();
  const id = '01980000-0000-7000-8000-000000000001';
  const at = '2026-11-21T12:00:00.000Z';
  const command: Command = {
    v: 1,
    id,
    action: 'open',
    laneId: 'in-1',
    by: 'account:someone',
    reason: 'a bicycle',
    name: 'Someone',
    reasonCode: 'guest',
    passageId: null,
    lapseMinutes: null,
    sentAt: at,
    expiresAt: at,
    echo: null,
  };
  const received: Command[] = [];
  site.obeyed = (command) => {
    received.push(command);
    return { v: 1, id: command.id, outcome: 'done', lanes: [], echo: null, at };
  };
  site.cloud.publish(topics.command, { ...command, laneId: 7 });
  site.cloud.publish(topics.command, command);
  await until(() => expect(site.cloud.replies).toMatchObject([{ id, outcome: 'done' }]));
  expect(received).toEqual([command]);
  expect(site.logged).toContain('link.message-refused');
});
