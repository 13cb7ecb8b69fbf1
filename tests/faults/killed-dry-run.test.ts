import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { startOperatedCloud } from '../harness/cloud-program.ts';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { logIn } from '../harness/operator.ts';
import { fillPricedVisits } from '../harness/priced-visits.ts';
import { createSite } from '../harness/provision.ts';
import { waitFor } from '../harness/wait.ts';

/** Enough that the run is under way for a while. */
const VISITS = 6000;
const PRICE = 500;
const DAYS = 30;

const RunSchema = z.looseObject({
  id: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  progress: z.object({ done: z.int(), total: z.int().nullable() }),
  result: z.looseObject({ visits: z.int(), before: z.int(), after: z.int(), more: z.int() }),
});

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

it('a dry run that a killed cloud left off goes on where it was, and counts each visit once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-dry-run-'));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const { cloud, operator, apiKey, operatorLogin } = await startOperatedCloud({ folder });
  stops.push(() => cloud.stop());
  const site = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
  const { siteId } = await createSite(operator, site);
  const daily = { type: 'default', price: PRICE, vehicleCategory: 'light', productCode: 'L', siteId };
  const product = await operator.call(IdViewSchema, 'POST', '/products', daily);
  const now = Date.now();
  const stay = { startedOn: new Date(now - 1000).toISOString(), plate: 'ABX12', status: 'new', siteId };
  const visit = await operator.call(IdViewSchema, 'POST', '/visits', stay);
  await cloud.stop();
  // Whole days of the past, by the clock of the site, which is UTC.
  const before = Math.floor(now / DAY_MS) * DAY_MS;
  fillPricedVisits(join(folder, 'cloud.db'), visit.id, {
    visits: VISITS,
    product: { id: product.id, version: 1 },
    amountMinor: PRICE,
    from: before - DAYS * DAY_MS,
    before,
  });
  await cloud.start();

  const day = (at: number) => new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length);
  const hourly = { tariff: { bands: [{ steps: [{ kind: 'each', priceMinor: 350, everyMinutes: 60 }] }] } };
  const access = async () => await logIn({ cloudUrl: cloud.httpUrl(), apiKey, ...operatorLogin });
  const first = await access();
  const begun = await first.call(RunSchema, 'POST', '/products/dry-run', {
    productId: product.id,
    draft: { config: hourly },
    from: day(before - DAYS * DAY_MS),
    to: day(before - DAY_MS),
  });
  const runOf = async (by: typeof first) => await by.call(RunSchema, 'GET', `/runs/${begun.id}`);
  const half = await waitFor(
    async () => {
      const run = await runOf(first);
      return run.progress.done > 0 && run;
    },
    { what: 'the run to be under way', detail: () => cloud.tail() },
  );
  await cloud.kill();
  expect(half.state).toBe('running');
  expect(half.progress.total).toBe(VISITS);
  await cloud.start();

  // Its findings are there, and it is marked as not over.
  const second = await access();
  const again = await runOf(second);
  expect(again.progress.done).toBeGreaterThanOrEqual(half.progress.done);
  if (again.progress.done < VISITS) expect(['waiting', 'running']).toContain(again.state);
  const done = await waitFor(
    async () => {
      const run = await runOf(second);
      return run.state !== 'running' && run.state !== 'waiting' && run;
    },
    { what: 'the run to end', withinMs: 120_000, detail: () => cloud.tail() },
  );
  expect(done).toMatchObject({
    state: 'done',
    progress: { done: VISITS, total: VISITS },
    result: { visits: VISITS, before: VISITS * PRICE, after: VISITS * 2 * 350, more: VISITS },
  });
});
