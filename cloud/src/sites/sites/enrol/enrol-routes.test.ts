import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { tablesWith } from '../../../../test/tables.ts';
import { siteEnrolmentTable } from '../../../records/sites/site-table.ts';
import { SITE_LOCKED_OUT } from '../site-credentials.ts';

const SECRET = 'an-edge-made-this-secret-of-itself-4711-0815-abc';
const OTHER = 'somebody-elses-secret-that-is-as-long-as-that-xyz';

let api: TestApi;
let site: TestApi['site'];
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  site = await api.addSite('Harbour');
  // The attempts of the test before are forgotten.
  api.wait(15 * MINUTE_MS + 1);
});

const makeCode = async (siteId = site.id) => {
  const { status, body } = await api.call('POST', `/sites/${siteId}/enrolment`);
  expect(status).toBe(201);
  return { code: String(body['code']), expiresOn: String(body['expiresOn']) };
};
const enrol = (code: string, secret?: string) =>
  api.call('POST', '/edge/enrol', { token: null, body: { code, ...(secret && { secret }) } });
const isGood = async (secret: string, siteId = site.id) =>
  (await api.call('GET', '/edge/changes?after=0', { token: `${siteId}.${secret}` })).status === 200;

describe('a one-time code', () => {
  it('turns into the credentials of its site, and says what the site is', async () => {
    const camera = { name: 'In', location: 'entrance', remoteId: 'cam-1', siteId: site.id };
    await api.made('/cameras', { ...camera, config: {} });
    const { code, expiresOn } = await makeCode();
    expect(Date.parse(expiresOn) - Date.parse(api.now())).toBe(HOUR_MS);
    expect(code).toMatch(/^[\dA-Z]{4}-[\dA-Z]{4}$/);
    const answer = await enrol(code.toLowerCase().replace('-', ''), SECRET);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      siteId: site.id,
      secret: SECRET,
      mqttUrl: 'mqtts://localhost:8883',
      site: { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' },
      cameras: [{ id: 'cam-1', name: 'In', location: 'entrance' }],
    });
    expect(await isGood(SECRET)).toBe(true);
  });

  it('ends the secret that the site had, whose link is dropped', async () => {
    const lockedOut: string[] = [];
    api.db.onAnnounced((names) => {
      lockedOut.push(...[...names].filter((name) => name.startsWith(SITE_LOCKED_OUT)));
    });
    const { code } = await makeCode();
    expect(lockedOut).toEqual([]);
    await enrol(code, SECRET);
    expect(lockedOut).toEqual([`${SITE_LOCKED_OUT}${site.id}`]);
    expect(await isGood(site.secret)).toBe(false);
  });

  it('is good once; whose answer was lost asks again with the same secret, while the code lives', async () => {
    const { code } = await makeCode();
    const first = await enrol(code, SECRET);
    expect(await enrol(code, SECRET)).toMatchObject({ status: 200, body: first.body });
    expect(await enrol(code, OTHER)).toMatchObject({ status: 410 });
    expect(await enrol(code)).toMatchObject({ status: 410 });
    expect(await isGood(SECRET)).toBe(true);
    expect(await isGood(OTHER)).toBe(false);
    api.wait(HOUR_MS);
    expect(await enrol(code, SECRET)).toMatchObject({ status: 410 });
    expect(await isGood(SECRET)).toBe(true);
  });

  it('returns a secret of the cloud to a site that sends none', async () => {
    const { code } = await makeCode();
    const { status, body } = await enrol(code);
    expect([status, await isGood(String(body['secret']))]).toEqual([200, true]);
    expect(await enrol(code)).toMatchObject({
      status: 410,
      body: { messages: [expect.stringContaining('used')] },
    });
  });

  it('runs out', async () => {
    const { code } = await makeCode();
    api.wait(60 * MINUTE_MS - 1);
    const early = await makeCode((await api.addSite('Airport')).id);
    api.wait(1);
    expect(await enrol(code, SECRET)).toMatchObject({
      status: 410,
      body: { messages: ['This code has run out. Have a new one made.'] },
    });
    expect((await enrol(early.code, OTHER)).status).toBe(200);
    expect(await isGood(site.secret)).toBe(true);
  });

  it('is voided by a newer one', async () => {
    const { code: old } = await makeCode();
    const { code } = await makeCode();
    expect((await enrol(old, SECRET)).status).toBe(404);
    expect((await enrol(code, SECRET)).status).toBe(200);
  });

  it.each([
    ['DELETE', 204],
    ['POST', 201],
  ] as const)('gives nothing back that %s of the credentials took away', async (method, status) => {
    const { code } = await makeCode();
    expect((await api.call(method, `/sites/${site.id}/credentials`)).status).toBe(status);
    expect((await enrol(code, SECRET)).status).toBe(404);
    expect(await isGood(SECRET)).toBe(false);
  });

  it('that was used gives nothing back either, once the site is locked out', async () => {
    const { code } = await makeCode();
    await enrol(code, SECRET);
    await api.call('DELETE', `/sites/${site.id}/credentials`);
    expect((await enrol(code, SECRET)).status).toBe(404);
    expect(await isGood(SECRET)).toBe(false);
  });

  it('lets a site in again that is locked out: an operator wants that', async () => {
    await api.call('DELETE', `/sites/${site.id}/credentials`);
    const { code } = await makeCode();
    expect((await enrol(code, SECRET)).status).toBe(200);
    expect(await isGood(SECRET)).toBe(true);
  });

  it('stands nowhere, and leaves who, when and from where in the audit log', async () => {
    const { code } = await makeCode();
    await enrol(code, SECRET);
    const rows = await api.db.read(async (q) => await q.select().from(siteEnrolmentTable));
    const log = await api.audited();
    const written = JSON.stringify([rows, log]);
    for (const secret of [code, code.replace('-', ''), SECRET]) expect(written).not.toContain(secret);
    expect(log).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'site.make-enrolment', by: 'account:the-operator' }),
        expect.objectContaining({
          action: 'site.enrol',
          by: 'cloud:enrolment',
          subjectId: site.id,
          after: { status: 'active', address: 'unknown' },
        }),
      ]),
    );
  });
});

it('is stored in clear nowhere, also where its request can be repeated', async () => {
  const headers = { 'idempotency-key': '5b0d6a3e-8a0e-4a58-9d0c-2f3f6d1f7a11' };
  const { status, body } = await api.call('POST', `/sites/${site.id}/enrolment`, { headers });
  expect(status).toBe(201);
  const code = String(body['code']);
  for (const text of [code, code.replace('-', '')]) expect(tablesWith(api.file, text)).toEqual([]);
});

describe('guessing', () => {
  it('is slowed down after a few wrong codes, and shuts out no person with the right one', async () => {
    const { code } = await makeCode();
    for (let tries = 0; tries < 10; tries++) expect((await enrol(`0000-000${tries}`)).status).toBe(404);
    const refused = await enrol('0000-0010');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    // All requests of these tests come from one address.
    expect((await enrol(code, SECRET)).status).toBe(200);
    expect(await isGood(SECRET)).toBe(true);
    expect((await enrol('0000-0011')).status).toBe(429);
    api.wait(15 * MINUTE_MS + 1);
    expect((await enrol('0000-0012')).status).toBe(404);
  });

  it('is looked at one at a time, so that many at once are no quicker, and a right one among them is found', async () => {
    const { code } = await makeCode();
    const wrong = Array.from({ length: 20 }, (_, n) => enrol(`0000-00${n + 10}`));
    const right = enrol(code, SECRET);
    expect((await right).status).toBe(200);
    const statuses = (await Promise.all(wrong)).map(({ status }) => status);
    expect([
      statuses.filter((one) => one === 404).length,
      statuses.filter((one) => one === 429).length,
    ]).toEqual([10, 10]);
  });
});

it('is refused for a site that is not there, and to others than operators', async () => {
  expect((await api.call('POST', '/sites/nowhere/enrolment')).status).toBe(404);
  const customer = await api.account('customer', { customerId: 'c1' });
  const path = `/sites/${site.id}/enrolment`;
  expect((await api.call('POST', path, { token: customer })).status).toBe(403);
  expect((await api.call('POST', path, { token: null })).status).toBe(401);
});

it.each([
  {},
  { code: '' },
  { code: 7 },
  { code: 'K7QF-3M2X', secret: 'short' },
  { code: 'K7QF-3M2X', more: 1 },
])('refuses %j as no question', async (body) => {
  expect((await api.call('POST', '/edge/enrol', { token: null, body })).status).toBe(400);
});
