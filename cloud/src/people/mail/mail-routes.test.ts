import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { updateMail } from './mail-store.ts';
import { type Mail, queueMail } from './queue-mail.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

async function queue(mail: Partial<Mail> = {}): Promise<string> {
  const whole: Mail = {
    to: 'jon@example.is',
    language: 'is',
    subject: 'Kvittun',
    text: 'Takk fyrir.',
    kind: 'receipt',
    ...mail,
  };
  return await api.db.write((tx) => queueMail(tx, whole, api.now()));
}

const ids = async (path: string) => {
  const { body } = await api.call('GET', path);
  return z
    .array(z.looseObject({ id: z.string() }))
    .parse(body['data'])
    .map(({ id }) => id);
};

it('mail is kept and shown, also where no server takes it', async () => {
  const id = await queue();
  const { status, body } = await api.call('GET', `/mail/${id}`);
  expect([status, body]).toEqual([
    200,
    {
      id,
      actions: ['send'],
      to: 'jon@example.is',
      subject: 'Kvittun',
      kind: 'receipt',
      status: 'waiting',
      attempts: 0,
      nextTryOn: api.now(),
      error: null,
      createdOn: api.now(),
      sentOn: null,
      text: 'Takk fyrir.',
    },
  ]);
});

it('mail is listed newest first, by status too', async () => {
  const first = await queue();
  api.wait(1000);
  const second = await queue();
  await api.db.write(({ q }) => updateMail(q, first, { status: 'failed', lastError: '550 No' }));
  expect(await ids('/mail')).toEqual([second, first]);
  expect(await ids('/mail?status=failed')).toEqual([first]);
  expect(await ids('/mail?status=sent')).toEqual([]);
});

it('a link that logs its recipient in is not for others to read, nor to send again', async () => {
  const id = await queue({ kind: 'recover-password', text: 'https://…?token=secret' });
  expect((await api.call('GET', `/mail/${id}`)).body).toMatchObject({ text: null });
  const { status, body } = await api.call('POST', `/mail/${id}/send`);
  expect([status, body['messages']]).toMatchObject([400, { length: 1 }]);
});

it('mail that failed is sent again, from the first attempt on', async () => {
  const id = await queue();
  const failed = { status: 'failed', attempts: 10, lastError: '451 Later' } as const;
  await api.db.write(({ q }) => updateMail(q, id, failed));
  const announced = new Promise<ReadonlySet<string>>((resolve) => api.db.onAnnounced(resolve));
  api.wait(1000);
  const again = await api.call('POST', `/mail/${id}/send`);
  expect([again.status, again.location]).toEqual([303, `/mail/${id}`]);
  expect(again.body).toMatchObject({ status: 'waiting', attempts: 0, error: null, nextTryOn: api.now() });
  expect([...(await announced)]).toContain('mail-waiting');
  expect((await api.audited()).find(({ action }) => action === 'mail.send')).toMatchObject({
    subjectId: id,
    before: { status: 'failed' },
    after: { status: 'waiting' },
  });
});

it('mail is for operators; what is not there is 404; mistakes in a query are 400', async () => {
  const id = await queue();
  const token = await api.account('customer');
  expect((await api.call('GET', '/mail', { token })).status).toBe(403);
  expect((await api.call('GET', `/mail/${id}`, { token })).status).toBe(403);
  expect((await api.call('POST', `/mail/${id}/send`, { token })).status).toBe(403);
  expect((await api.call('GET', '/mail/none')).status).toBe(404);
  expect((await api.call('POST', '/mail/none/send')).status).toBe(404);
  const { status, body } = await api.call('GET', '/mail?status=lost&next=x');
  expect([status, body['messages']]).toMatchObject([400, { length: 2 }]);
});
