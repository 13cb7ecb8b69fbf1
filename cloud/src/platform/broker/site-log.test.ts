import { pino } from 'pino';
import { expect, it } from 'vitest';
import { SiteLog } from './site-log.ts';

it('writes one line for each site and kind in a minute, with how many others there were', () => {
  const lines: unknown[] = [];
  let now = 0;
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  const sites = new SiteLog(log, () => now);
  for (let n = 0; n < 50_000; n++) sites.warn({ event: 'refused', siteId: 'a', topic: `t${n}` });
  sites.warn({ event: 'refused', siteId: 'b' });
  sites.error({ event: 'invalid', siteId: 'a' });
  now = 61_000;
  sites.warn({ event: 'refused', siteId: 'a', topic: 'last' });
  expect(lines).toMatchObject([
    { event: 'refused', siteId: 'a', topic: 't0' },
    { event: 'refused', siteId: 'b' },
    { event: 'invalid', siteId: 'a' },
    { event: 'refused', siteId: 'a', topic: 'last', others: 49_999 },
  ]);
});
