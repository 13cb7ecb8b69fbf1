import type { Command, CommandReply } from '@hlid/protocol/site-link/commands';
import { deadline } from '@hlid/protocol/test/deadline';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { CloudLink, type LinkTiming } from '../src/cloud-link/cloud-link.ts';
import { SECRET, SITE, startTestCloud, type TestCloud } from './cloud.ts';
import { createTestEvents, createTestFeedBook } from './lists.ts';

/** A link between a simulated cloud and a site of events and lists in memory, new for each test of the file. */
export function useLink() {
  const site = {
    cloud: undefined as unknown as TestCloud,
    link: undefined as unknown as CloudLink,
    events: createTestEvents(),
    feed: createTestFeedBook(),
    /** The events of the log. */
    logged: [] as string[],
    /** The reply to a command. */
    obeyed: (_command: Command): CommandReply | null => null,

    begin(secret = SECRET, timing: Partial<LinkTiming> = {}): void {
      const { cloud, events, feed } = site;
      const clock = { now: () => new Date('2026-11-21T12:00:00.000Z') };
      const log = pino(
        { level: 'debug' },
        { write: (line) => void site.logged.push(JSON.parse(line).event) },
      );
      site.link = new CloudLink(
        { clock, log },
        {
          cloud: { httpUrl: cloud.httpUrl, mqttUrl: cloud.mqttUrl, siteId: SITE, secret },
          events,
          feed,
          software: 'hlid-edge/test',
          timing: {
            retryFirstMs: 20,
            maxRetryMs: 80,
            ackDeadlineMs: 100,
            maxAckDeadlineMs: 400,
            maxSnapshotRetryMs: 200,
            steadyMs: 50,
            connectTimeoutMs: 2000,
            ...timing,
          },
        },
      );
      site.link.start({ commands: { handle: async (command) => site.obeyed(command) } });
    },
    connected: () => until(() => expect(site.link.view().connected).toBe(true)),
    committed: () => site.cloud.committed.map(({ seq }) => seq),
    allCommitted: (many: number) =>
      until(() => {
        expect(site.committed()).toEqual(SEQS(many));
        expect(site.events.acknowledged()).toBe(many);
      }),
    sameLists: () =>
      until(() => {
        const { n, hash } = site.cloud.head();
        expect(site.feed.position()).toEqual({ n, hash });
        expect(site.cloud.feedAcks.at(-1)).toEqual({ v: 1, n, hash });
      }),
  };

  beforeEach(async () => {
    site.cloud = await startTestCloud();
    site.events = createTestEvents();
    site.feed = createTestFeedBook();
    site.logged = [];
    site.obeyed = () => null;
  });
  afterEach(async () => {
    await site.link.stop();
    await site.cloud.stop();
  });
  return site;
}

export const until = (check: () => void) => vi.waitFor(check, { timeout: deadline(5000), interval: 5 });
export const SEQS = (to: number) => Array.from({ length: to }, (_, at) => at + 1);
