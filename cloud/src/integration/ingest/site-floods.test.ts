import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { TestBus } from '../../../test/bus.ts';
import { Ingest } from './ingest.ts';
import { floodEndJob } from './site-floods.ts';

let api: TestApi;
let bus: TestBus;
let ingest: Ingest;
let lines: { event: string; level: number; others?: number }[];

beforeEach(async () => {
  api = await createTestApi();
  bus = new TestBus();
  lines = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  ingest = new Ingest({ db: api.db, bus, clock: api.clock, log });
  ingest.start();
});
afterEach(async () => {
  await ingest.stop();
  await api.close();
});

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
