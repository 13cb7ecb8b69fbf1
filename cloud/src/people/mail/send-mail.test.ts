import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSmtpServer } from '../../../test/smtp-server.ts';
import type { Db } from '../../platform/db/db.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { ScheduledRuns } from '../../platform/jobs/scheduled-runs.ts';
import { findMail, type MailRow } from './mail-store.ts';
import { type Mail, queueMail } from './queue-mail.ts';
import { mailJob } from './send-mail.ts';
import { type Mailer, smtpMailer } from './smtp-mailer.ts';

let folder: string;
let db: Db;
let server: Awaited<ReturnType<typeof startSmtpServer>>;
let mailers: Mailer[];
let now: UtcTime;
const clock = { now: () => new Date(now) };
const log = pino({ level: 'silent' });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-mail-'));
  db = await openDb(join(folder, 'cloud.db'));
  server = await startSmtpServer();
  mailers = [];
  now = '2026-11-21T12:00:00.000Z';
});

afterEach(async () => {
  for (const mailer of mailers) mailer.close();
  await server.stop();
  await db.close();
  rmSync(folder, { recursive: true });
});

const wait = (ms: number) => {
  now = utcTime(millis(now) + ms);
};

async function queue(mail: Partial<Mail> = {}): Promise<string> {
  const whole: Mail = {
    to: 'jon@example.is',
    language: 'is',
    subject: 'Kvittun',
    text: 'Takk fyrir.',
    kind: 'receipt',
    ...mail,
  };
  return await db.write((tx) => queueMail(tx, whole, now));
}

/** How patient the sender is, in milliseconds. */
interface Patience {
  silentMs?: number;
  stoppingMs?: number;
}

function sending(url = server.url, { silentMs = 5000, stoppingMs = 5000 }: Patience = {}) {
  const mailer = smtpMailer({ url, from: 'Hlið <hlid@example.is>' }, { connectMs: 5000, silentMs });
  mailers.push(mailer);
  return mailJob({ db, clock, log, mailer, stoppingMs });
}

/** Does what is due, as one run. */
async function send(given: Patience & { url?: string; signal?: AbortSignal } = {}): Promise<void> {
  const { signal = new AbortController().signal } = given;
  await sending(given.url, given).work({ now, signal });
}

async function mail(id: string): Promise<MailRow> {
  const row = await db.read((q) => findMail(q, id));
  if (row === null) throw new Error('no such mail');
  return row;
}

const header = (raw: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(raw)?.[1]?.trim();

it('mail goes out over SMTP, once, with the id of its row', async () => {
  const id = await queue({ subject: 'Kvittun: þökk', html: '<p>Takk</p>' });
  await send();
  await send();
  expect(server.received).toMatchObject([{ to: ['jon@example.is'] }]);
  const raw = server.received[0]?.raw ?? '';
  expect(header(raw, 'Message-ID')).toBe(`<${id}.0@example.is>`);
  expect(header(raw, 'Auto-Submitted')).toBe('auto-generated');
  expect(raw).toContain('Takk fyrir.');
  expect(raw).toContain('<p>Takk</p>');
  expect(await mail(id)).toMatchObject({ status: 'sent', attempts: 1, sentAt: now, lastError: null });
});

it('what is refused for good fails at once, and the mail after it goes out', async () => {
  const refused = await queue({ to: 'nobody@example.is' });
  server.manners.recipient = 550;
  await send();
  expect(await mail(refused)).toMatchObject({ status: 'failed', attempts: 1 });
  expect((await mail(refused)).lastError).toContain('550');
  delete server.manners.recipient;
  await queue();
  await send();
  expect(server.received).toHaveLength(1);
});

it('what is refused for now is tried again, with growing pauses, ten times', async () => {
  const id = await queue();
  server.manners.mail = 451;
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt++) {
    await send();
    const row = await mail(id);
    expect(row.attempts).toBe(attempt);
    // The mail is not sent before its time.
    await send();
    expect((await mail(id)).attempts).toBe(attempt);
    if (row.dueAt === null) continue;
    pauses.push((millis(row.dueAt) - millis(now)) / MINUTE_MS);
    now = row.dueAt;
  }
  expect(pauses).toEqual([1, 3, 10, 30, 60, 120, 240, 360, 360]);
  const row = await mail(id);
  expect(row).toMatchObject({ status: 'failed' });
  expect(row.lastError).toContain('451');
});

it('a mail refused for now does not keep the others waiting', async () => {
  const first = await queue({ to: 'busy@example.is' });
  server.manners.mail = 452;
  await send();
  delete server.manners.mail;
  const second = await queue();
  await send();
  expect([(await mail(first)).status, (await mail(second)).status]).toEqual(['waiting', 'sent']);
  wait(MINUTE_MS);
  await send();
  expect((await mail(first)).status).toBe('sent');
});

it('a wrong password is no reason to give up mail', async () => {
  const id = await queue();
  server.manners.password = 'right';
  await send({ url: server.url.replace('//', '//hlid:wrong@') });
  expect(await mail(id)).toMatchObject({ status: 'waiting', attempts: 1 });
  wait(MINUTE_MS);
  await send({ url: server.url.replace('//', '//hlid:right@') });
  expect((await mail(id)).status).toBe('sent');
});

it('without a server to reach, mail waits, and one run tries no more than one', async () => {
  const ids = [await queue(), await queue()];
  await server.stop();
  await send();
  const rows = await Promise.all(ids.map(mail));
  expect(rows.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
  expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(1);
});

it('a server that falls silent is given up in time; the repeat can be recognised', async () => {
  const id = await queue();
  server.manners.mail = 'silent';
  // The time is long enough for a busy machine to send the whole mail to the server.
  await send({ silentMs: 2000 });
  expect(await mail(id)).toMatchObject({ status: 'waiting', attempts: 1 });
  delete server.manners.mail;
  wait(MINUTE_MS);
  await send();
  expect((await mail(id)).status).toBe('sent');
  const messageIds = server.received.map(({ raw }) => header(raw, 'Message-ID'));
  expect(messageIds).toEqual([`<${id}.0@example.is>`, `<${id}.0@example.is>`]);
});

it('who is stopped while it sends leaves the mail to the next one, after the pause', async () => {
  const id = await queue();
  server.manners.mail = 'silent';
  const stopping = new AbortController();
  const noticed = server.noticing();
  const sent = send({ signal: stopping.signal, stoppingMs: 20 });
  await noticed;
  stopping.abort();
  await sent;
  expect(await mail(id)).toMatchObject({ status: 'waiting', attempts: 1 });
  delete server.manners.mail;
  await send();
  expect((await mail(id)).attempts).toBe(1);
  wait(MINUTE_MS);
  await send();
  expect((await mail(id)).status).toBe('sent');
});

it('who is stopped while it sends is given the time to end it', async () => {
  const id = await queue();
  const other = await queue();
  const stopping = new AbortController();
  const noticed = server.noticing();
  const sent = send({ signal: stopping.signal });
  await noticed;
  stopping.abort();
  await sent;
  const statuses = await Promise.all([id, other].map(async (one) => (await mail(one)).status));
  expect(statuses.sort()).toEqual(['sent', 'waiting']);
});

it('two that send at once send each mail once', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => queue()));
  const other = await openDb(join(folder, 'cloud.db'));
  try {
    const mailer = smtpMailer({ url: server.url, from: 'hlid@example.is' });
    mailers.push(mailer);
    const { signal } = new AbortController();
    await Promise.all([send(), mailJob({ db: other, clock, log, mailer }).work({ now, signal })]);
  } finally {
    await other.close();
  }
  expect(server.received).toHaveLength(12);
  for (const id of ids) expect((await mail(id)).status).toBe('sent');
});

it('mail that is queued goes out at once', async () => {
  const runs = new ScheduledRuns({ db, clock, log }, [{ ...sending(), everyMs: HOUR_MS }]);
  runs.start();
  try {
    const noticed = server.noticing();
    await queue();
    await noticed;
  } finally {
    await runs.stop();
  }
});

it.each([
  ['a second recipient', { to: 'jon@example.is, bcc@example.com' }],
  ['a header in the address', { to: 'jon@example.is\r\nBcc: bcc@example.com' }],
  ['a name around an address', { to: 'Jón <jon@example.is>' }],
])('%s is not an address', async (_what, given) => {
  const id = await queue(given);
  await send();
  expect(server.received).toEqual([]);
  expect(await mail(id)).toMatchObject({ status: 'failed', lastError: 'the address is not one' });
});

it('a header in a subject stays in the subject', async () => {
  await queue({ subject: 'Kvittun\r\nBcc: bcc@example.com\r\n\r\nKeyptu!' });
  await send();
  const raw = server.received[0]?.raw ?? '';
  expect(server.received[0]?.to).toEqual(['jon@example.is']);
  expect(header(raw, 'Subject')).toBe('Kvittun Bcc: bcc@example.com Keyptu!');
  expect(header(raw, 'Bcc')).toBeUndefined();
});
