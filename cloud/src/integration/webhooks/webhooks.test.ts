import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { frame } from '../../../test/sample-documents.ts';
import { sampleCustomer, sampleQuotaProduct } from '../../../test/sample-quota.ts';
import { signatureOf } from '../../platform/http/webhook-signature.ts';
import { WorkLease } from '../../platform/jobs/work-lease.ts';
import { webhookQueue } from '../../records/webhooks/webhook-table.ts';
import { eventRetentionJob, releaseWebhooks, webhookJob } from './webhook-job.ts';

const EventSchema = z.looseObject({
  n: z.int(),
  type: z.string(),
  data: z.looseObject({ plate: z.string() }),
});

/** An integrator's server: the events it got, and its next answer. */
async function startIntegrator() {
  const received: { id: string; timestamp: number; signature: string; body: string }[] = [];
  const answers: (number | 'hang up' | 'redirect')[] = [];
  const server: Server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const answer = answers.shift() ?? 200;
    if (answer === 'hang up') return request.socket.destroy();
    const header = (name: string) => String(request.headers[name]);
    received.push({
      id: header('webhook-id'),
      timestamp: Number(header('webhook-timestamp')),
      signature: header('webhook-signature'),
      body: Buffer.concat(pieces).toString(),
    });
    if (answer === 'redirect') return response.writeHead(302, { Location: '/elsewhere' }).end();
    return response.writeHead(answer).end('x'.repeat(100_000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answers,
    events: () => received.map(({ body }) => EventSchema.parse(JSON.parse(body))),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

let api: TestApi;
let integrator: Awaited<ReturnType<typeof startIntegrator>>;
beforeEach(async () => {
  api = await createTestApi({ allowInternalWebhooks: true });
  integrator = await startIntegrator();
});
afterEach(async () => {
  await integrator.stop();
  await api.close();
});

async function addWebhook(more: object = {}) {
  const made = await api.call('POST', '/webhooks', { body: { name: 'Books', url: integrator.url, ...more } });
  expect(made.status).toBe(201);
  return z.looseObject({ id: z.string(), secret: z.string() }).parse(made.body);
}

async function runDelivery() {
  const run = webhookJob({ ...api.context, log: pino({ level: 'silent' }), allowInternal: true });
  await run.work({ now: api.now(), signal: new AbortController().signal });
}

const show = async (id: string) => (await api.call('GET', `/webhooks/${id}`)).body;

describe('a webhook', () => {
  it('gets the events from then on, in order and signed, with the present state of the subject', async () => {
    await api.visit({ plate: 'OLD11' });
    const { secret } = await addWebhook();
    await api.visit({ plate: 'ABX12' });
    await api.visit({ plate: 'MKJ45' });
    await runDelivery();
    expect(integrator.events().map(({ type, data }) => [type, data.plate])).toEqual([
      ['visit.opened', 'ABX12'],
      ['visit.opened', 'MKJ45'],
    ]);
    for (const { id, timestamp, signature, body } of integrator.received) {
      expect(signature).toBe(signatureOf(secret, id, timestamp, body));
      expect(timestamp).toBe(Date.parse(api.now()) / 1000);
    }
    await runDelivery();
    expect(integrator.received).toHaveLength(2);
  });

  it('gets each event once from two clouds that send at once', async () => {
    await addWebhook();
    const plates = ['AAA11', 'BBB22', 'CCC33', 'DDD44'];
    for (const plate of plates) await api.visit({ plate });
    await Promise.all([runDelivery(), runDelivery(), runDelivery()]);
    await runDelivery();
    expect(integrator.events().map(({ data }) => data.plate)).toEqual(plates);
  });

  it('gets the event again that a dead cloud was sending, and the next ones', async () => {
    const { id } = await addWebhook();
    await api.visit({ plate: 'AAA11' });
    const lease = new WorkLease(api.clock, {
      leaseMs: MINUTE_MS,
      instance: { id: 'dead', isAlive: () => false },
    });
    const claimed = await api.db.write(({ q }) => webhookQueue.claim(q, id, api.now(), lease));
    expect(claimed).toBe(true);
    await runDelivery();
    expect(integrator.received).toEqual([]);
    await api.db.write((tx) => releaseWebhooks(tx, ['dead'], api.now()));
    await runDelivery();
    expect(integrator.events().map(({ data }) => data.plate)).toEqual(['AAA11']);
  });

  it('signs as the standard’s own example says', () => {
    // The sample is from the specification of Standard Webhooks and its reference libraries.
    const body = '{"test": 2432232314}';
    const signature = signatureOf(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      body,
    );
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it.each([500, 404, 'hang up', 'redirect'] as const)(
    'that fails with %s is sent again, and no event overtakes it',
    async (fault) => {
      const { id } = await addWebhook();
      integrator.answers.push(200, fault);
      for (const plate of ['AAA11', 'BBB22', 'CCC33']) await api.visit({ plate });
      await runDelivery();
      await runDelivery();
      expect(await show(id)).toMatchObject({ failures: 1, lastError: expect.any(String), status: 'active' });
      api.wait(5000);
      await runDelivery();
      expect(integrator.events().map(({ data }) => data.plate)).toEqual(
        fault === 'hang up' ? ['AAA11', 'BBB22', 'CCC33'] : ['AAA11', 'BBB22', 'BBB22', 'CCC33'],
      );
      const repeated = integrator.received.filter(({ body }) => body.includes('BBB22'));
      expect(new Set(repeated.map(({ id: received }) => received)).size).toBe(1);
      expect(await show(id)).toMatchObject({ failures: 0, lastError: null, failingSince: null });
    },
  );

  it('waits longer after each failure, is paused after three days, and then resumed without a loss', async () => {
    const { id } = await addWebhook();
    await api.visit();
    const pauses: number[] = [];
    for (let tries = 0; tries < 30; tries++) {
      integrator.answers.push(503);
      await runDelivery();
      const { nextTryOn } = await show(id);
      if (typeof nextTryOn !== 'string') break;
      pauses.push(Date.parse(nextTryOn) - Date.parse(api.now()));
      api.wait(pauses.at(-1) ?? 0);
    }
    expect(pauses.slice(0, 6)).toEqual([5, 30, 120, 600, 3600, 21_600].map((seconds) => seconds * 1000));
    expect(await show(id)).toMatchObject({ status: 'paused' });
    integrator.received.length = 0;
    integrator.answers.length = 0;
    await api.call('PUT', `/webhooks/${id}`, { body: { status: 'active' } });
    await runDelivery();
    expect(integrator.received).toHaveLength(1);
  });

  it('gets only events of its types and its site', async () => {
    const roof = await api.addSite('Roof');
    const { id } = await addWebhook({ types: ['visit.ended'], siteId: roof.id });
    await api.visit();
    const left = { endedAt: '2026-11-21T09:00:00.000Z', status: 'completed' as const };
    const visit = await api.visit({}, { siteId: roof.id });
    await api.visit({ ...visit, ...left }, { siteId: roof.id });
    await runDelivery();
    expect(integrator.events().map(({ type }) => type)).toEqual(['visit.ended']);
    const newest = (await api.call('GET', '/webhooks/events')).body['newest'];
    expect(await show(id)).toMatchObject({ cursor: newest });
  });

  it('gets everything again on request', async () => {
    const { id } = await addWebhook();
    await api.visit();
    await api.visit({ plate: 'MKJ45' });
    await runDelivery();
    const replayed = await api.call('POST', `/webhooks/${id}/replay`, { body: { after: 0 } });
    expect(replayed.status).toBe(303);
    await runDelivery();
    expect(integrator.events().map(({ n }) => n)).toEqual([1, 2, 1, 2]);
    const beyond = await api.call('POST', `/webhooks/${id}/replay`, { body: { after: 99 } });
    expect(beyond.status).toBe(400);
  });

  it('has a log of every attempt', async () => {
    const { id } = await addWebhook();
    integrator.answers.push(500);
    await api.visit();
    await runDelivery();
    api.wait(5000);
    await runDelivery();
    const { body } = await api.call('GET', `/webhooks/${id}/deliveries`);
    expect(body['data']).toMatchObject([
      { event: 1, type: 'visit.opened', status: 200, error: null },
      { event: 1, status: 500, error: 'answered 500' },
    ]);
  });

  it('shows its secret once, and keeps it out of the audit log', async () => {
    const { id, secret } = await addWebhook();
    expect(JSON.stringify(await show(id))).not.toContain(secret);
    expect(JSON.stringify(await api.audited())).not.toContain(secret);
  });

  it('is one of its name and address: a repeated request returns the first, and sends nothing twice', async () => {
    const { id } = await addWebhook();
    const body = { name: 'Books', url: integrator.url };
    const again = await api.call('POST', '/webhooks', { body });
    expect([again.status, again.body['id']]).toEqual([422, id]);
    await addWebhook({ name: 'Books of the roof' });
  });

  it('goes with its log', async () => {
    const { id } = await addWebhook();
    await api.visit();
    await runDelivery();
    expect((await api.call('DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect((await api.call('GET', `/webhooks/${id}`)).status).toBe(404);
    expect((await api.call('GET', `/webhooks/${id}/deliveries`)).status).toBe(404);
  });

  it('is refused to others than operators, and every mistake is named', async () => {
    const customer = await api.account('customer', { customerId: 'c1' });
    expect((await api.call('GET', '/webhooks', { token: customer })).status).toBe(403);
    const bad = await api.call('POST', '/webhooks', {
      body: { name: '', url: 'x', types: [], colour: 'red' },
    });
    expect(bad.status).toBe(400);
    expect(bad.body['messages']).toHaveLength(3);
    const nowhere = await api.call('POST', '/webhooks', {
      body: { name: 'A', url: 'ftp://a.example', siteId: 'nowhere' },
    });
    expect(nowhere.body['messages']).toEqual([
      'url: has to begin with https://',
      'siteId: there is no such site',
    ]);
  });
});

describe('events', () => {
  it('may be followed by a token of the role webhook, to all that they name', async () => {
    const token = await api.roleToken('webhook');
    const { id } = await api.visit();
    const { body } = await api.call('GET', '/webhooks/events', { token });
    expect(body['data']).toMatchObject([{ subject: { path: `/visit/${id}` } }]);
    const camera = await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-1' });
    const read = { body: frame('MKJ45', api.now()), token };
    const photo = await api.call('POST', `/photos/open-alpr?camera.id=${camera.id}`, read);
    const product = await sampleQuotaProduct(api);
    const customer = await sampleCustomer(api);
    const quota = await api.made('/quotas', { customer, product, quantity: 5 });
    const paths = [`/visit/${id}`, `/visit/${id}/price`, `/photo/${photo.body['id']}`, `/quotas/${quota.id}`];
    for (const path of [...paths, `/sites/${api.site.id}/devices`]) {
      expect([path, (await api.call('GET', path, { token })).status]).toEqual([path, 200]);
    }
    // The token is for reading only.
    expect((await api.call('PUT', `/visit/${id}`, { token, body: {} })).status).toBe(403);
    expect((await api.call('GET', '/visits', { token })).status).toBe(403);
  });

  it('can be asked for by their numbers, oldest first', async () => {
    await api.visit();
    await api.visit({ plate: 'MKJ45' });
    const { body } = await api.call('GET', '/webhooks/events?after=1');
    expect(body).toMatchObject({ newest: 2, data: [{ n: 2, type: 'visit.opened' }] });
  });

  it('are forgotten after a month, and so is the log', async () => {
    const { id } = await addWebhook();
    await api.visit();
    await runDelivery();
    api.wait(31 * DAY_MS);
    await api.visit({ plate: 'MKJ45' });
    await eventRetentionJob(api.db).work({ now: api.now(), signal: new AbortController().signal });
    const { body } = await api.call('GET', '/webhooks/events');
    expect(body['data']).toMatchObject([{ n: 2 }]);
    expect((await api.call('GET', `/webhooks/${id}/deliveries`)).body['data']).toEqual([]);
  });
});
