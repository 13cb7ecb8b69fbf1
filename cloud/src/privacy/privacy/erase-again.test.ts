import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { passageEvent, readEvent } from '../../../test/sample-events.ts';
import { tablesWith } from '../../../test/tables.ts';
import { applyEvent } from '../../integration/ingest/apply-event.ts';
import { eq } from '../../platform/db/sql.ts';
import { sitePresenceTable } from '../../records/sites/site-table.ts';
import { readFeed } from '../../sites/feed/read-feed.ts';
import { readSnapshot } from '../../sites/feed/snapshot.ts';
import { erasureRepeatJob } from './erase-again.ts';

const PLATE = 'QXZ77';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

/** The site's gateway has spoken. */
async function gateway(): Promise<void> {
  const presence = { siteId: api.site.id, connected: true, since: api.now(), epoch: randomUUID() };
  await api.db.write(async ({ q }) => {
    await q.insert(sitePresenceTable).values(presence);
  });
}

/** The site reports that it has taken the feed up to there. */
async function holds(feedAt: number): Promise<void> {
  await api.db.write(async ({ q }) => {
    await q.update(sitePresenceTable).set({ feedAt }).where(eq(sitePresenceTable.siteId, api.site.id));
  });
}

async function stay(status: 'completed' | 'need-payment' = 'completed'): Promise<string> {
  const at = '2026-11-21T08:00:00.000Z';
  const passageId = randomUUID();
  const { id } = await api.visit({ plate: PLATE, status, endedAt: '2026-11-21T11:00:00.000Z' });
  await api.db.write(async (tx) => {
    const place = { siteId: api.site.id, eventId: randomUUID(), at, arrivedAt: at };
    const read = readEvent({ plate: PLATE, receivedAt: at, passageId, eventKey: randomUUID() });
    await applyEvent(tx, place, read);
    await applyEvent(
      tx,
      { ...place, eventId: randomUUID() },
      passageEvent({ passageId, visitId: id, plate: PLATE }),
    );
  });
  return id;
}

async function erase(): Promise<void> {
  api.wait(60_000);
  expect((await api.call('DELETE', `/privacy/plates/${PLATE}`)).status).toBe(200);
}

async function run(): Promise<void> {
  const { db, pictures } = api.context;
  await erasureRepeatJob({ db, pictures }).work({ now: api.now(), signal: AbortSignal.timeout(10_000) });
}

const headN = async () => {
  const read = await readFeed(api.db, api.site.id, 0, 100);
  return read.ok ? read.headAt : null;
};

describe('a site with a gateway', () => {
  it('gets the order to erase the plate, and needs no snapshot for it', async () => {
    await gateway();
    await stay();
    await erase();
    expect(await api.lastChange()).toMatchObject({
      kind: 'erase',
      item: { plate: PLATE, before: api.now() },
    });
    expect(await headN()).not.toBeNull();
    expect(tablesWith(api.file, PLATE)).toEqual(['feed_change']);
  });

  it('may speak of it before it knows: that is erased when it has taken the change, and the change goes', async () => {
    await gateway();
    await stay();
    const asked = await headN();
    await erase();
    const late = await stay();
    await run();
    expect(tablesWith(api.file, PLATE)).toEqual(expect.arrayContaining(['visit', 'photo', 'feed_change']));
    await holds((asked ?? 0) + 1);
    await run();
    expect(tablesWith(api.file, PLATE)).toEqual([]);
    expect((await api.call('GET', `/visit/${late}`)).body).toMatchObject({
      plate: null,
      status: 'completed',
    });
    await run();
  });

  it('is believed when it reports a later stay, or one that is not settled', async () => {
    await gateway();
    await stay();
    await erase();
    const owing = await stay('need-payment');
    const { id: later } = await api.visit({
      plate: PLATE,
      status: 'completed',
      startedAt: '2026-12-24T08:00:00.000Z',
      endedAt: '2026-12-24T09:00:00.000Z',
    });
    await holds((await headN()) ?? 0);
    await run();
    for (const id of [owing, later]) {
      expect((await api.call('GET', `/visit/${id}`)).body).toMatchObject({ plate: PLATE });
    }
  });

  it('that is away for long gets a snapshot without the plate, and the order after it', async () => {
    await gateway();
    await api.made('/visit/whitelist', { plate: PLATE, reason: 'Staff' });
    await stay();
    await erase();
    api.wait(25 * HOUR_MS);
    await run();
    expect(await readFeed(api.db, api.site.id, 0, 100)).toEqual({ ok: false, reason: 'compacted' });
    let text = '';
    const send = async (piece: string) => {
      text += piece;
    };
    const { n } = await readSnapshot(api.db, api.site.id, send, { siteHolds: 0 });
    expect(text).not.toContain(PLATE);
    const behind = await readFeed(api.db, api.site.id, n, 100);
    expect(behind.ok && JSON.parse(behind.batch)).toMatchObject({
      changes: [{ n: n + 1, change: { kind: 'erase', item: { plate: PLATE } } }],
    });
    await holds(n + 1);
    await run();
    expect(tablesWith(api.file, PLATE)).toEqual([]);
  });

  it('that was never connected gets no such change, and takes the snapshot', async () => {
    await api.made('/visit/whitelist', { plate: PLATE, reason: 'Staff' });
    await stay();
    await erase();
    expect(tablesWith(api.file, PLATE)).toEqual([]);
    expect(await readFeed(api.db, api.site.id, 0, 100)).toEqual({ ok: false, reason: 'compacted' });
  });
});
