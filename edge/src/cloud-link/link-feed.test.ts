import { siteTopics } from '@hlid/protocol/site-link/topics';
import { describe, expect, test } from 'vitest';
import { SITE } from '../../test/cloud.ts';
import { until, useLink } from '../../test/link.ts';

const topics = siteTopics(SITE);
const site = useLink();

describe('the change feed', () => {
  test('is taken as a whole with the open visits, once, where the epoch is new', async () => {
    site.cloud.change(3);
    site.feed.unaware = true;
    site.begin();
    await site.sameLists();
    expect(site.cloud.asked).toEqual(['/edge/snapshot']);
    site.cloud.change(2);
    await site.sameLists();
    expect(site.cloud.asked).toHaveLength(1);
  });

  test('comes down as it is pushed, and is acknowledged', async () => {
    site.begin();
    await site.connected();
    for (let round = 0; round < 10; round++) site.cloud.change(3);
    await site.sameLists();
    expect(site.cloud.asked).toEqual([]);
  });

  test('is caught up over HTTP at the connection, page by page', async () => {
    site.cloud.change(35);
    site.begin();
    await site.sameLists();
    expect(site.cloud.asked).toEqual(Array(4).fill('/edge/changes'));
    expect(site.cloud.feedAcks.map(({ n }) => n)).toEqual([0, 10, 20, 30, 35]);
  });

  test('is caught up over a gap', async () => {
    site.begin();
    await site.connected();
    site.cloud.change(2);
    site.cloud.change(2, { push: false, head: false });
    site.cloud.change(2);
    await site.sameLists();
    expect(site.cloud.asked).toContain('/edge/changes');
  });

  test('is caught up when only the head is heard', async () => {
    site.begin();
    await site.connected();
    site.cloud.change(4, { push: false });
    await site.sameLists();
  });

  test('is caught up when what was pushed makes no sense', async () => {
    site.begin();
    await site.connected();
    site.cloud.change(4, { push: false, head: false });
    site.cloud.publish(topics.down, '{"v":1,"changes":[{"n":1}]}');
    await site.sameLists();
  });

  test('takes the snapshot where the changes are gone', async () => {
    site.cloud.change(40);
    site.cloud.compactedTo = 30;
    site.begin();
    await site.sameLists();
    expect(site.cloud.asked).toEqual(['/edge/changes', '/edge/snapshot']);
    expect(site.feed.zones().length).toBeGreaterThan(3);
    site.cloud.change(3);
    await site.sameLists();
    expect(site.feed.snapshots).toBe(1);
  });

  test('takes the snapshot where the hash disagrees at the same number', async () => {
    site.begin();
    await site.connected();
    site.cloud.change(9);
    await site.sameLists();
    site.feed.corrupt();
    await site.cloud.restartBroker();
    await site.sameLists();
    expect(site.feed.snapshots).toBe(1);
  });

  test('takes the snapshot where the cloud was restored from a backup, and reuses its numbers', async () => {
    site.begin();
    await site.connected();
    site.cloud.change(20);
    await site.sameLists();
    site.cloud.setBack({ feed: 12 });
    await site.cloud.restartBroker();
    await site.sameLists();
    site.cloud.change(3);
    await site.sameLists();
    expect(site.feed.position().n).toBe(15);
    expect(site.feed.snapshots).toBe(1);
  });

  test('keeps its lists when a snapshot is cut off, and gets it the next time', async () => {
    site.begin();
    await site.connected();
    site.cloud.change(9);
    await site.sameLists();
    const before = site.feed.zones();
    site.cloud.change(30, { push: false, head: false });
    site.cloud.compactedTo = 39;
    site.cloud.cutsSnapshot = true;
    site.cloud.publish(topics.head, site.cloud.head(), true);
    await until(() =>
      expect(site.cloud.asked.filter((path) => path === '/edge/snapshot').length).toBeGreaterThan(1),
    );
    expect(site.feed.zones()).toEqual(before);
    expect(site.link.view().lastError).toMatch(/does not answer/);
    site.cloud.cutsSnapshot = false;
    await site.sameLists();
    expect(site.link.view().lastError).toBeNull();
  });

  test('asks more and more seldom for a snapshot that does not add up', async () => {
    site.cloud.change(9);
    site.cloud.compactedTo = 9;
    site.feed.damaged = 3;
    site.begin();
    await site.sameLists();
    expect(site.logged.filter((event) => event === 'feed.retry')).toHaveLength(3);
  });

  test('asks again, with growing pauses, while the cloud has trouble', async () => {
    site.cloud.change(9);
    site.cloud.httpStatus = 503;
    site.begin();
    await until(() => expect(site.cloud.asked.length).toBeGreaterThan(3));
    expect(site.link.view().lastError).toMatch(/503/);
    site.cloud.httpStatus = 200;
    await site.sameLists();
  });

  test('applies what is pushed even while HTTP has trouble', async () => {
    site.begin();
    await site.connected();
    site.cloud.httpStatus = 503;
    site.cloud.publish(topics.down, 'nonsense');
    await until(() => expect(site.link.view().lastError).toMatch(/503/));
    site.cloud.httpStatus = 200;
    site.cloud.change(2);
    await site.sameLists();
  });

  test('applies again what could not be written', async () => {
    site.begin();
    await site.connected();
    site.feed.failures = 3;
    site.cloud.change(2);
    await site.sameLists();
    expect(site.link.view().feedAt).toBe(2);
  });

  test('is not disturbed by what it has already, or by a head that was overtaken', async () => {
    site.begin();
    await site.connected();
    site.cloud.change(5);
    site.cloud.change(5);
    await site.sameLists();
    site.cloud.publish(topics.down, { v: 1, changes: [], head: site.cloud.head(5) });
    site.cloud.change(1);
    await site.sameLists();
    expect(site.feed.snapshots).toBe(0);
  });

  test('reaches the site through a storm of changes and lost brokers', async () => {
    site.begin();
    for (let round = 0; round < 30; round++) {
      site.cloud.change(7, { push: round % 3 !== 0, head: round % 2 === 0 });
      if (round % 10 === 9) await site.cloud.restartBroker();
    }
    site.cloud.publish(topics.head, site.cloud.head(), true);
    await site.sameLists();
  });
});
