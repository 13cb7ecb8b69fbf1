import { applyBatch } from '@hlid/cloud/ingest/apply-batch';
import { erasureRepeating } from '@hlid/cloud/privacy/erase-again';
import { readFeed } from '@hlid/cloud/site-link/read-feed';
import { sitePresenceTable } from '@hlid/cloud/sites/site-table';
import { createTestApi, type TestApi } from '@hlid/cloud/test/api';
import { tablesWith } from '@hlid/cloud/test/tables';
import { createTestSite } from '@hlid/edge/test-site';
import { ChangeBatchSchema } from '@hlid/protocol/envelope';
import { expect, it } from 'vitest';

const EPOCH = '01a1fc93-bdd6-7682-9b18-8dd0566e2400';
const PLATE = 'QXZ77';

/** The cloud applies what the site has written after an event. @returns up to where */
async function up(api: TestApi, site: ReturnType<typeof createTestSite>, after: number): Promise<number> {
  const events = site.events().filter(({ seq }) => seq > after);
  const batch = events.map((event) => ({ ok: true as const, event }));
  const { committed, rejected } = await applyBatch(api.db, api.clock, {
    siteId: api.site.id,
    epoch: EPOCH,
    events: batch,
  });
  expect(rejected).toEqual([]);
  return committed;
}

it('a plate that is erased in the cloud is forgotten at the site, and a cloud from a backup does not learn it again', async () => {
  const api = await createTestApi();
  const site = createTestSite({ start: api.now() });
  const wait = (ms: number) => {
    api.wait(ms);
    site.wait(ms);
  };
  /** In and out, nothing due. */
  const stay = async (plate: string) => {
    await site.read('in-1', plate);
    wait(300_000);
    await site.read('out-1', plate);
    wait(300_000);
  };
  await api.db.write(async ({ q }) => {
    const software = 'hlid-edge/test';
    await q
      .insert(sitePresenceTable)
      .values({ siteId: api.site.id, connected: true, since: api.now(), epoch: EPOCH, software });
  });

  await stay(PLATE);
  await stay('OTH99');
  const sent = await up(api, site, 0);
  site.acknowledge();
  // Another stay, of which the cloud has not heard when somebody asks for the plate to be erased.
  await stay(PLATE);
  expect((await api.call('DELETE', `/privacy/plates/${PLATE}`)).status).toBe(200);

  const told = await readFeed(api.db, api.site.id, 0, 1000);
  if (!told.ok) throw new Error(told.reason);
  site.core.feed.apply(ChangeBatchSchema.parse(JSON.parse(told.batch)).changes);
  await site.core.retention.run();
  expect(tablesWith(`${site.folder}/site.sqlite`, PLATE)).toContain('erasure');
  await up(api, site, sent);
  site.acknowledge();
  await site.core.retention.run();
  expect(tablesWith(`${site.folder}/site.sqlite`, PLATE)).toEqual([]);

  await api.db.write(async ({ q }) => {
    await q.update(sitePresenceTable).set({ feedAt: site.core.feed.position().n });
  });
  const { db, pictures } = api.context;
  await erasureRepeating({ db, pictures }).work({ now: api.now(), signal: AbortSignal.timeout(10_000) });
  expect(tablesWith(api.file, PLATE)).toEqual([]);

  const restored = await createTestApi();
  expect(await up(restored, site, 0)).toBe(site.core.events.lastSeq());
  expect(tablesWith(restored.file, PLATE)).toEqual([]);
  expect(tablesWith(restored.file, 'OTH99')).toContain('visit');
  site.close();
  await api.close();
  await restored.close();
});
