import { setImmediate as nextTurn } from 'node:timers/promises';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { foldPlate } from '@hlid/protocol/plate/plate';
import { usedHeap } from '@hlid/protocol/test/cost';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { listed } from '../../../platform/db/compact-columns.ts';
import { inArray, type SQL, sql } from '../../../platform/db/sql.ts';
import { visitTable } from '../../../records/visits/visit-table.ts';

const VISITS = 100_000;
const FROM = '2026-01-01T00:00:00.000Z';
/** Three at each moment: the id decides between them. */
const AT_ONCE = 3;
/** Plates `ABX0` to `ABX249` in turn, every fifth of them with an 8 in place of the B. */
const PLATES = 250;

let api: TestApi;
let otherSite: string;

beforeAll(async () => {
  api = await createTestApi();
  otherSite = (await api.addSite('Airport')).id;
  await fill();
});
afterAll(() => api.close());

const stored = (siteId: string) => sql.param(siteId, visitTable.siteId);

/** Every fourth at the other site, one of fifty inside, the others over and paid. */
async function fill(): Promise<void> {
  // A parameter would be a floating-point number there.
  const whole = (n: number) => sql.raw(`${n}`);
  const at = (minutes: number) =>
    sql`(${whole(Date.parse(FROM))} + (i / ${whole(AT_ONCE)} + ${whole(minutes)}) * 60000)`;
  const folded = Array.from({ length: PLATES }, (_, n) => foldPlate(`ABX${n}`));
  await api.db.write(async ({ q }) => {
    await q.run(sql`
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${VISITS})
      INSERT INTO visit (id, site_id, plate, plate_folded, status, payment_status, started_at, ended_at, created_at,
        amount_minor, currency, flags, modified_at)
      SELECT unhex(printf('%08x-0000-4000-8000-%012x', (i * 2654435761) % 4294967296, i), '-'),
        iif(i % 4 = 0, ${stored(otherSite)}, ${stored(api.site.id)}),
        iif(i % 5 = 0, 'A8X', 'ABX') || (i % ${whole(PLATES)}),
        json_extract(${JSON.stringify(folded)}, '$[' || (i % ${whole(PLATES)}) || ']'),
        iif(i % 50 = 0, 'new', 'completed'), iif(i % 50 = 0, NULL, 'kiosk'),
        ${at(0)}, iif(i % 50 = 0, NULL, ${at(90)}), ${at(0)}, 0, 'ISK', '[]', ${at(0)}
      FROM n`);
  });
}

const PageSchema = z.looseObject({
  next: z.string().nullable(),
  previous: z.string().nullable(),
  data: z.array(z.looseObject({ id: z.string(), startedOn: z.string() })),
});
type Page = z.infer<typeof PageSchema>;

/** How often each visit was shown on a walk, and what each page took. */
interface Walked {
  shown: Map<string, number>;
  tookMs: number[];
  rows: number;
  last: Page;
}

/** Walks from page to page as far as it goes that way. @param between what else happens after each page */
async function walk(
  query: string,
  first: string | null,
  go: 'next' | 'previous',
  between: (page: number) => Promise<void>,
): Promise<Walked> {
  const shown = new Map<string, number>();
  const tookMs: number[] = [];
  for (let cursor = first, rows = 0; ; ) {
    const before = performance.now();
    const answer = await api.call('GET', `/visits?${query}${cursor === null ? '' : `&next=${cursor}`}`);
    tookMs.push(performance.now() - before);
    const page = PageSchema.parse(answer.body);
    rows = Math.max(rows, page.data.length);
    for (const { id } of page.data) shown.set(id, (shown.get(id) ?? 0) + 1);
    cursor = page[go];
    if (cursor === null) return { shown, tookMs, rows, last: page };
    await between(tookMs.length);
    await nextTurn();
  }
}

/** Meanwhile cars come and go, sites report old events late, and an operator corrects plates. */
function traffic(everyPages: number): (page: number) => Promise<void> {
  let n = 0;
  return async (page) => {
    if (page % everyPages !== 0) return;
    n++;
    const anywhere = millis(FROM) + ((n * 7919) % (VISITS / AT_ONCE)) * MINUTE_MS;
    const plate = `ABX${n % PLATES}`;
    await api.visit({ plate, startedAt: utcTime(anywhere) });
    await api.visit({ plate });
    await api.db.write(async ({ q }) => {
      // The rows are chosen by place, so that the same walk has the same traffic.
      const some = q
        .select({ id: visitTable.id })
        .from(visitTable)
        .limit(3)
        .offset((n * 997) % VISITS);
      const ended = { endedAt: api.now(), status: 'completed' } as const;
      await q.update(visitTable).set(ended).where(inArray(visitTable.id, some));
    });
    const [corrected] = await idsOf(sql`site_id = ${stored(otherSite)} AND plate = ${plate}`, 1);
    if (corrected === undefined) return;
    await api.call('PUT', `/visit/${corrected}`, { body: { plate: `NEW${n}`, reason: 'Misread' } });
  };
}

/** The visits of now that fit a condition, `most` of them at most. */
async function idsOf(condition: SQL, most = VISITS * 2): Promise<string[]> {
  const rows = await api.db.read(
    async (q) =>
      await q
        .select(listed({ id: visitTable.id }))
        .from(visitTable)
        .where(condition)
        .limit(most),
  );
  return rows.map(({ id }) => id);
}

/** Checks that each row that was in the list before and after the walk was shown once, and none twice. */
function expectEachOnce({ shown }: Walked, before: string[], after: string[]): void {
  const still = new Set(after);
  const stayed = before.filter((id) => still.has(id));
  expect(stayed.length).toBeGreaterThan(before.length * 0.9);
  expect(stayed.filter((id) => shown.get(id) !== 1)).toEqual([]);
  expect([...shown].filter(([, times]) => times > 1)).toEqual([]);
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** How much longer the last pages took than the first. */
function slowdown({ tookMs }: Walked): number {
  const tenth = Math.max(1, Math.floor(tookMs.length / 10));
  return median(tookMs.slice(-tenth)) / median(tookMs.slice(0, tenth));
}

/**
 * The query, the rows on a page, the visits, the number of pages between traffic, and whether to walk back as
 * well.
 */
const LISTS = [
  ['all, 1000 on a page', 'collection=export', 1000, () => sql`1`, 2, true],
  ['of a site', 'collection=export&siteId=SITE', 1000, () => sql`site_id = ${stored(otherSite)}`, 1, true],
  ['that are over', 'collection=export&status=closed', 1000, () => sql`ended_at IS NOT NULL`, 2, false],
  ['of a site, 50 on a page', 'siteId=SITE', 50, () => sql`site_id = ${stored(otherSite)}`, 10, false],
  [
    'of a plate and those like it',
    'plate=ABX10',
    50,
    () => sql`plate_folded = ${foldPlate('ABX10')}`,
    1,
    true,
  ],
] as const;

describe('a walk through 100,000 visits while others are added, ended and corrected', () => {
  it.each(LISTS)(
    '%s: each is shown once, in bounded time and memory',
    async (_what, query, rows, condition, everyPages, andBack) => {
      const list = query.replace('SITE', otherSite);
      const before = await idsOf(condition());
      const memory = usedHeap();
      const { rss } = process.memoryUsage();
      const walked = await walk(list, null, 'next', traffic(everyPages));
      // The walk holds only the ids that were shown.
      expect(usedHeap() - memory).toBeLessThan(30 * 1024 * 1024);
      expect(process.memoryUsage().rss - rss).toBeLessThan(300 * 1024 * 1024);
      const turned = await idsOf(condition());
      expectEachOnce(walked, before, turned);
      expect(walked.rows).toBe(rows);

      if (walked.tookMs.length >= 20) expect(slowdown(walked)).toBeLessThan(4);
      if (!andBack) return;

      // The last page itself is not gone back to.
      const onLast = walked.last.data.map(({ id }) => id);
      const back = await walk(list, walked.last.previous, 'previous', traffic(everyPages));
      for (const id of onLast) back.shown.set(id, (back.shown.get(id) ?? 0) + 1);
      expectEachOnce(back, turned, await idsOf(condition()));
    },
  );
});
