import { describe, expect, it } from 'vitest';
import { SITE_PUBLISHES, siteTopics, splitTopic, TOPIC_ROOT } from './topics.ts';

describe('siteTopics', () => {
  const { root, ...topics } = siteTopics('site-1');

  it('are under the root of the site', () => {
    expect(root).toBe('hlid/v1/site-1');
    expect(topics.up).toBe('hlid/v1/site-1/up');
    expect(topics.head).toBe('hlid/v1/site-1/down/head');
    expect(TOPIC_ROOT).toBe('hlid/v1');
  });

  it('are different from each other and hold no wildcard', () => {
    const all = Object.values(topics);
    expect(new Set(all).size).toBe(all.length);
    for (const topic of all) expect(topic).toMatch(/^hlid\/v1\/site-1\/[a-z/]+$/);
  });

  it('come apart again', () => {
    for (const topic of Object.values(topics)) {
      expect(splitTopic(topic)).toEqual({ siteId: 'site-1', leaf: topic.slice(root.length + 1) });
    }
  });

  it('are published by one side only', () => {
    const leaves = (of: readonly string[]) => of.map((topic) => splitTopic(topic)?.leaf ?? '').sort();
    const { up, presence, downAck, commandReply, board, ...fromCloud } = topics;
    expect(leaves([up, presence, downAck, commandReply, board])).toEqual([...SITE_PUBLISHES].sort());
    expect(leaves(Object.values(fromCloud)).some((leaf) => SITE_PUBLISHES.includes(leaf))).toBe(false);
  });
});

describe('splitTopic', () => {
  it.each([
    '',
    'hlid/v1',
    'hlid/v1/site-1',
    'hlid/v1/site-1/',
    'hlid/v1//up',
    'hlid/v1/+/up',
    'hlid/v1/#',
    'hlid/v2/site-1/up',
    'x/hlid/v1/site-1/up',
    '$SYS/broker/up',
  ])('finds no site in %j', (topic) => {
    expect(splitTopic(topic)).toBeNull();
  });

  it('keeps the rest whole', () => {
    expect(splitTopic('hlid/v1/site-1/a/b/c')).toEqual({ siteId: 'site-1', leaf: 'a/b/c' });
  });
});
