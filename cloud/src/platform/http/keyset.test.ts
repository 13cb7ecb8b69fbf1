import { randomUUID } from 'node:crypto';
import type { Decision } from '@hlid/protocol/records/decision';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { passageEraser } from '../../privacy/retention/erase-old-rows.ts';
import { recordDecision } from '../../records/passages/record-passage.ts';
import { listPassages } from '../../stays/timeline/passage-list-store.ts';
import type { Cursor } from './list-envelope.ts';

const ROWS = 25;
const at = '2026-11-20T08:00:00.000Z';
const decision: Decision = {
  open: true,
  reason: 'welcome',
  visit: { kind: 'none' },
  settlement: null,
  flags: [],
};

let api: TestApi;
let ids: string[];
beforeEach(async () => {
  api = await createTestApi();
  ids = Array.from({ length: ROWS }, () => randomUUID());
  await addDecisions(ids, api.site.id);
});
afterEach(() => api.close());

async function addDecisions(rows: readonly string[], siteId: string): Promise<void> {
  await api.db.write(async ({ q }) => {
    for (const id of rows) {
      const place = { siteId, laneId: 'in-1', direction: 'entry', plate: null, visitId: null } as const;
      await recordDecision(q, {
        id,
        passageId: id,
        ...place,
        open: true,
        reason: 'welcome',
        feedAt: 0,
        at,
        decision,
      });
    }
  });
}

async function page(cursor: Cursor | undefined) {
  const filters = { siteIds: null };
  const rows = await api.db.read((q) => listPassages(q, filters, { cursor, limit: 10 }));
  return rows.map(({ id }) => id);
}

const placeOf = (go: Cursor['go'], id: string | undefined): Cursor => ({ go, rank: 0, at, id: id ?? '' });

it('pages rows of one moment in the order of their arrival, each once, both ways', async () => {
  const first = await page(undefined);
  const second = await page(placeOf('older', first.at(-1)));
  const third = await page(placeOf('older', second.at(-1)));
  expect([...first, ...second, ...third]).toEqual(ids.toReversed());
  expect(await page(placeOf('newer', third[0]))).toEqual(second.toReversed());
});

it('skips the rest of a moment where the row of the place is gone', async () => {
  expect(await page(placeOf('older', 'gone'))).toEqual([]);
  expect(await page(placeOf('newer', 'gone'))).toEqual([]);
  expect(await page({ ...placeOf('newer', 'gone'), at: '2026-11-20T07:59:59.999Z' })).toHaveLength(10);
});

it('erases no more passages in one transaction than it should, of however many sites', async () => {
  const site = { name: 'Other', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' };
  const { body: other } = await api.call('POST', '/sites', { body: site });
  await addDecisions(
    Array.from({ length: ROWS }, () => randomUUID()),
    String(other['id']),
  );
  const when = { before: '2026-11-21T00:00:00.000Z', now: api.now() };
  const erase = passageEraser(api.db, when, 10);
  expect(await erase()).toBe(10);
  let left = 0;
  for (let rows = 10; rows >= 10; left += rows) rows = await erase();
  expect(left).toBe(2 * ROWS - 10);
});
