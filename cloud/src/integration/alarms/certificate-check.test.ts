import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hlid/node/clock';
import { TlsFiles } from '@hlid/node/tls-files';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { TestAuthority } from '@hlid/protocol/test/certificates';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createTestApi } from '../../../test/api.ts';
import { WriteWatch } from '../../platform/db/write-watch.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { CloudMetrics } from '../monitor/cloud-metrics.ts';
import { monitorApp } from '../monitor/monitor.ts';
import { certificateCheck } from './certificate-check.ts';

it('warns from two weeks before a certificate ends, and of a renewal that cannot be used', async () => {
  const api = await createTestApi();
  const folder = mkdtempSync(join(tmpdir(), 'hlid-certificates-'));
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await api.close();
  });
  const authority = new TestAuthority();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const silent = pino({ level: 'silent' });
  const files = new TlsFiles({ cert, key }, { log: silent });
  const deploy = (untilDays: number, lives = 90) => {
    const issued = authority.issue({ name: 'cloud', fromDays: untilDays - lives, untilDays });
    writeFileSync(cert, issued.cert);
    writeFileSync(key, issued.key);
    files.check();
  };
  const alarms = { to: ['vakt@example.is'], language: 'en' as const };
  const run = certificateCheck({ db: api.db, files: [files], log: silent, alarms });
  const mailed = async () => {
    await run.work({ now: utcTime(Date.now()), signal: new AbortController().signal });
    const mails = await api.db.read(async (q) => await q.select().from(mailTable));
    return mails.map(({ text }) => text.trim().split('\n').at(-1));
  };

  const app = monitorApp({
    db: new WriteWatch(api.db),
    clock: systemClock,
    metrics: new CloudMetrics(null),
    tlsFiles: [files],
  });
  const concerns = async () => {
    const response = await app.request('/health');
    return z.object({ concerns: z.array(z.string()) }).parse(await response.json()).concerns;
  };

  deploy(15);
  expect(await mailed()).toEqual([]);
  deploy(13);
  const ends = `${cert} is valid until ${files.endsAt()?.toISOString()}`;
  expect(await mailed()).toEqual([ends]);
  expect(await concerns()).toContain(ends);
  const metrics = await (await app.request('/metrics')).text();
  expect(metrics).toMatch(/^hlid_certificate_expires_seconds\{certificate="[^"]+cert\.pem"\} 1[01]\d{5}/m);
  expect(await run.isDue?.(utcTime(Date.now()))).toBe(false);
  // One of six days, as authorities give them, is renewed by itself when a third of them is left.
  deploy(1.1, 6);
  expect(await mailed()).toEqual([ends]);
  deploy(0.9, 6);
  const short = `${cert} is valid until ${files.endsAt()?.toISOString()}`;
  expect(await mailed()).toEqual([ends, short]);
  deploy(90);
  expect(await mailed()).toEqual([ends, short]);
  writeFileSync(key, 'nothing');
  files.check();
  expect(await mailed()).toEqual([ends, short, expect.stringContaining(`${key} cannot be used`)]);
});
