import { applyBatch } from '@hlid/cloud/integration/ingest/apply-batch';
import { readBatch } from '@hlid/cloud/integration/ingest/read-batch';
import { createTestApi, type TestApi } from '@hlid/cloud/test/api';
import { batchText } from '@hlid/cloud/test/sample-events';
import { createTestSite } from '@hlid/edge/test/site';
import { ChangeBatchSchema } from '@hlid/protocol/site-link/envelope';
import type { SiteEvent } from '@hlid/protocol/site-link/site-event';

export type TestSite = ReturnType<typeof createTestSite>;

/**
 * A site and a cloud on real databases, in this process, and on one simulated clock. No connection is between them:
 * the test decides when messages pass.
 */
export interface PairedSite {
  readonly api: TestApi;
  readonly site: TestSite;
  /** Time passes at both. */
  wait(ms: number): void;
  /** The cloud receives the site's events, and acknowledges them. */
  up(): Promise<void>;
  /** The site receives the cloud's changes. */
  down(): Promise<void>;
  /** Messages pass both ways until there are no more. */
  meet(): Promise<void>;
  close(): Promise<void>;
}

/** @param given a site that exists already; it is closed with the pair @param cloud the same of a cloud */
export async function pairSite(given?: TestSite, cloud?: TestApi): Promise<PairedSite> {
  const api = cloud ?? (await createTestApi());
  const site = given ?? createTestSite({ start: api.now() });
  site.wait(Date.parse(api.now()) - Date.parse(site.now()));
  const { events, feed } = site.core;
  const token = `${api.site.id}.${api.site.secret}`;
  const pair: PairedSite = {
    api,
    site,
    wait(ms) {
      api.wait(ms);
      site.wait(ms);
    },
    async up() {
      const unsent = site.events().filter(({ seq }) => seq > events.acknowledged());
      if (unsent.length > 0) events.acknowledge(await receiveEvents(api, events.epoch, unsent));
    },
    async down() {
      const { body } = await api.call('GET', `/edge/changes?after=${feed.position().n}`, { token });
      feed.apply(ChangeBatchSchema.parse(body).changes);
    },
    async meet() {
      await pair.down();
      await pair.up();
      // Events may cause changes, such as the rest of a quota.
      await pair.down();
      await pair.up();
    },
    async close() {
      site.close();
      await api.close();
    },
  };
  return pair;
}

/** Passes events to a cloud as a site sends them. @returns the number up to which the cloud has committed them */
export async function receiveEvents(
  api: TestApi,
  epoch: string,
  events: readonly SiteEvent[],
): Promise<number> {
  const batch = readBatch(Buffer.from(batchText(epoch, events)));
  if (!batch.ok) throw new Error(batch.reason);
  const { committed, rejected } = await applyBatch(api.db, api.clock, { siteId: api.site.id, ...batch });
  if (rejected.length > 0) throw new Error(`The cloud rejects ${JSON.stringify(rejected[0])}`);
  return committed;
}
