import { erasureRepeatJob } from '@hlid/cloud/privacy/privacy/erase-again';
import { sitePresenceTable } from '@hlid/cloud/records/sites/site-table';
import { createTestApi } from '@hlid/cloud/test/api';
import { tablesWith } from '@hlid/cloud/test/tables';
import { expect, it } from 'vitest';
import { pairSite, receiveEvents } from '../harness/paired-site.ts';

const PLATE = 'QXZ77';

it('a plate that is erased in the cloud is erased at the site, and does not come back to a restored cloud', async () => {
  const pair = await pairSite();
  const { api, site, wait } = pair;
  const { epoch } = site.core.events;
  /** Drives in and out, with nothing due. */
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
      .values({ siteId: api.site.id, connected: true, since: api.now(), epoch, software });
  });

  await stay(PLATE);
  await stay('OTH99');
  await pair.up();
  // The cloud has not received another stay when the plate's erasure is requested.
  await stay(PLATE);
  expect((await api.call('DELETE', `/privacy/plates/${PLATE}`)).status).toBe(200);

  await pair.down();
  await site.core.retention.run();
  expect(tablesWith(`${site.folder}/site.sqlite`, PLATE)).toContain('erasure');
  await pair.up();
  await site.core.retention.run();
  expect(tablesWith(`${site.folder}/site.sqlite`, PLATE)).toEqual([]);

  await api.db.write(async ({ q }) => {
    await q.update(sitePresenceTable).set({ feedAt: site.core.feed.position().n });
  });
  const { db, pictures } = api.context;
  await erasureRepeatJob({ db, pictures }).work({ now: api.now(), signal: AbortSignal.timeout(10_000) });
  expect(tablesWith(api.file, PLATE)).toEqual([]);

  const restored = await createTestApi();
  expect(await receiveEvents(restored, epoch, site.events())).toBe(site.core.events.lastSeq());
  expect(tablesWith(restored.file, PLATE)).toEqual([]);
  expect(tablesWith(restored.file, 'OTH99')).toContain('visit');
  await pair.close();
  await restored.close();
});
