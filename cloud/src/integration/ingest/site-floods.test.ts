import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { TestBus } from '../../../test/bus.ts';
import { batchText } from '../../../test/sample-events.ts';
import { readCursor } from '../../sites/sites/event-cursor.ts';
import { Ingest } from './ingest.ts';
import { floodEndJob } from './site-floods.ts';

let api: TestApi;
let bus: TestBus;
let ingest: Ingest;
let lines: { event: string; siteId?: string; others?: number }[];
/** The time of the clock by which lines are counted. */
let tick: number;

beforeEach(async () => {
  api = await createTestApi();
  bus = new TestBus();
  lines = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  tick = 0;
  ingest = new Ingest({ db: api.db, bus, clock: api.clock, log, tick: () => tick });
  ingest.start();
});
afterEach(async () => {
  await ingest.stop();
  await api.close();
});

const committed = async (epoch: string) =>
  (await api.db.read((q) => readCursor(q, api.site.id, epoch)))?.committed;

const flood = async () => {
  const { body } = await api.call('GET', `/sites/${api.site.id}/devices`);
  return JSON.stringify(body).includes('"flood"') ? body : null;
};

test('a site that sends what cannot be read has an alarm that names it, and one line a minute', async () => {
  for (let n = 0; n < 19; n++) bus.deliver(api.site.id, 'up', { v: 1, nonsense: n });
  await ingest.stop();
  expect(await flood()).toBeNull();
  for (let n = 0; n < 200; n++) bus.deliver(api.site.id, 'up', { v: 1, nonsense: n });
  await ingest.stop();
  await expect.poll(flood).not.toBeNull();
  expect(JSON.stringify(await flood())).toContain('"alarm":true');
  expect(lines.filter(({ event }) => event === 'ingest.batch-invalid')).toHaveLength(1);
  const end = floodEndJob(api.db);
  expect(await end.isDue?.(api.now())).toBe(false);
  api.wait(11 * MINUTE_MS);
  expect(await end.isDue?.(api.now())).toBe(true);
  await end.work({ now: api.now(), signal: new AbortController().signal });
  expect(JSON.stringify(await flood())).toContain('"alarm":false');
});

test('a site whose events are all rejected has an alarm, and one line a minute that counts the others', async () => {
  const epoch = randomUUID();
  const rejected = () => lines.filter(({ event }) => event === 'ingest.event-rejected');
  let seq = 0;
  const send = async (batches: number) => {
    for (let batch = 0; batch < batches; batch++) {
      const events = Array.from({ length: 10 }, () => ({
        seq: ++seq,
        at: api.now(),
        body: { type: 'ufo.landed' },
      }));
      bus.deliver(api.site.id, 'up', JSON.parse(batchText(epoch, events)));
      await ingest.stop();
    }
  };
  await send(30);
  expect(await committed(epoch)).toBe(300);
  expect(rejected()).toHaveLength(1);
  expect(rejected()[0]).toMatchObject({ siteId: api.site.id, epoch, seq: 1 });
  await expect.poll(flood).not.toBeNull();
  // Another site has its own line.
  const other = (await api.addSite('Airport')).id;
  bus.deliver(other, 'up', JSON.parse(batchText(randomUUID(), [{ seq: 1, at: 'yesterday', body: {} }])));
  await ingest.stop();
  expect(rejected().map(({ siteId }) => siteId)).toEqual([api.site.id, other]);
  tick += MINUTE_MS;
  await send(1);
  expect(rejected().at(-1)).toMatchObject({ siteId: api.site.id, seq: 301, others: 299 });
  expect(rejected()).toHaveLength(3);
});
