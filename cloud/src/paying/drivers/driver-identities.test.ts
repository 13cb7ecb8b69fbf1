import { DAY_MS, HOUR_MS, SECOND_MS } from '@hlid/protocol/base/durations';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import {
  ACCEPTED,
  ElectronicIdClient,
  PHONE,
  ScriptedElectronicId,
  SSN,
} from '../../../test/electronic-id.ts';
import { startTestRegistry, type TestRegistry } from '../../../test/registry.ts';
import { driverTable, driverVehicleTable } from '../../records/drivers/driver-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { registerProofJob } from './register-proofs.ts';

const BO = '1201743399';

let api: TestApi;
let provider: ScriptedElectronicId;
let registry: TestRegistry;
let client: ElectronicIdClient;

beforeEach(async () => {
  provider = new ScriptedElectronicId();
  registry = await startTestRegistry();
  api = await createTestApi({ electronicId: provider, vehicleRegistry: registry.registry });
  // The payment page has no API key.
  client = new ElectronicIdClient(api, { 'x-api-key': '' });
});
afterEach(async () => {
  await api.close();
  await registry.stop();
});

const post = (path: string, body: object, token: string) => api.call('POST', path, { token, body });
const me = async (token: string) => (await api.call('GET', DRIVER_PATHS.me, { token })).body;
const drivers = () => api.db.read(async (q) => await q.select().from(driverTable));
const mails = () => api.db.read(async (q) => await q.select().from(mailTable));

/** Names a person in a session, with a phone that is answered. */
async function finish(session: unknown, fields: Json = {}) {
  const started = await client.call('authenticate', { session, method: 'sim', phone: PHONE, ...fields });
  const poll = { session, bearerToken: started.body['bearerToken'] };
  await client.status(poll);
  api.wait(2 * SECOND_MS);
  return await client.status(poll);
}

const logIn = async (purpose = 'driver') =>
  await finish((await client.call('init', { purpose })).body['session']);
const tokenIn = (body: Json) => (body['data'] as { bearerToken: string }).bearerToken;

async function connect(token: string, fields: Json = {}) {
  return await finish((await post(DRIVER_PATHS.connectElectronicId, {}, token)).body['session'], fields);
}

describe('a driver’s electronic identity', () => {
  it('makes no account, and logs in no person before a driver has connected it', async () => {
    expect((await logIn()).body).toMatchObject({
      status: 'account-not-found',
      message: expect.stringContaining('tölvupósti'),
    });
    expect(await drivers()).toEqual([]);
    const { id, token } = await api.driver('jon@example.is');
    expect((await logIn()).body).toMatchObject({ status: 'account-not-found' });
    const connected = await connect(token);
    expect(connected.body).toEqual({ status: 'success', message: 'Rafrænu skilríkin eru tengd.', wait: 0 });
    expect(await me(token)).toMatchObject({ electronicId: true });
    const done = await logIn();
    expect(Object.keys(done.body['data'] as object)).toEqual(['bearerToken', 'expiresOn']);
    const session = tokenIn(done.body);
    expect(await me(session)).toMatchObject({ email: 'jon@example.is' });
    expect((await api.call('GET', '/visits', { token: session })).status).toBe(403);
    expect((await drivers()).map((driver) => [driver.id, driver.ssn])).toEqual([[id, SSN]]);
    // A driver is no account of an office.
    expect((await logIn('account')).body).toMatchObject({ status: 'account-not-found' });
    const [line] = await api.audited();
    expect(line).toMatchObject({ action: 'driver.login', by: `driver:${id}` });
    expect(JSON.stringify(await api.audited())).not.toContain(SSN);
  });

  it('is connected by a driver who is logged in, and the phone shows what for', async () => {
    expect((await api.call('POST', DRIVER_PATHS.connectElectronicId, { token: null })).status).toBe(401);
    const purposes = ['connect', 'other'].map(async (purpose) => await client.call('init', { purpose }));
    expect((await Promise.all(purposes)).map(({ status }) => status)).toEqual([400, 400]);
    const { token } = await api.driver();
    await connect(token, { message: 'Innskráning', language: 'en' });
    expect(provider.rang.at(-1)?.text).toMatch(/^Connect to a parking account Code: \d{4}$/);
  });

  it('belongs to one driver: the one who has connected it last, and the other one gets a mail', async () => {
    const [first, other] = [await api.driver('jon@example.is'), await api.driver('anna@example.is')];
    await connect(first.token);
    await connect(other.token);
    expect([await me(first.token), await me(other.token)]).toMatchObject([
      { electronicId: false },
      { electronicId: true },
    ]);
    expect(await mails()).toMatchObject([{ to: 'jon@example.is', kind: 'driver' }]);
    expect(await me(tokenIn((await logIn()).body))).toMatchObject({ email: 'anna@example.is' });
  });

  it('is disconnected, and erased with the account', async () => {
    const { token } = await api.driver();
    await connect(token);
    const gone = await post(DRIVER_PATHS.disconnectElectronicId, {}, token);
    expect(gone.body).toMatchObject({ electronicId: false });
    expect((await logIn()).body['status']).toBe('account-not-found');
    await connect(token);
    const session = (await post(DRIVER_PATHS.connectElectronicId, {}, token)).body['session'];
    await post(DRIVER_PATHS.erase, {}, token);
    expect((await logIn()).body['status']).toBe('account-not-found');
    const late = await client.call('authenticate', { session, method: 'sim', phone: PHONE });
    expect(late.status).toBe(404);
    expect(await drivers()).toEqual([]);
  });

  it('is offered where there is a provider, and so is the register', async () => {
    const offered = await api.call('GET', DRIVER_PATHS.options, { token: null });
    expect(offered.body).toEqual({ electronicId: true, register: true });
    const plain = await createTestApi();
    const none = await plain.call('GET', DRIVER_PATHS.options, { token: null });
    expect(none.body).toEqual({ electronicId: false, register: false });
    await plain.close();
  });
});

describe('an operator who helps a driver', () => {
  it('finds the account by its mail address or a plate, and never by a part of them', async () => {
    const { id } = await api.driver('jon@example.is');
    const row = { plate: 'ABX12', driverId: id, proof: 'stay', visitId: 'v', provedAt: api.now() } as const;
    await api.db.write(({ q }) => q.insert(driverVehicleTable).values(row));
    const found = async (query: string) =>
      ((await api.call('GET', `/drivers?${query}`)).body['data'] as { id: string }[]).map((one) => one.id);
    expect(await found('email=Jon%40Example.is')).toEqual([id]);
    expect(await found('plate=ab-x12')).toEqual([id]);
    expect([await found('plate=ABX1'), await found('email=on%40example.is')]).toEqual([[], []]);
    for (const query of ['', 'plate=ABX12&email=jon%40example.is']) {
      expect((await api.call('GET', `/drivers?${query}`)).status).toBe(400);
    }
  });

  it('moves the login to another address, disconnects the identity, and deletes the account', async () => {
    const [driver, other] = [await api.driver('jon@example.is'), await api.driver('anna@example.is')];
    await connect(driver.token);
    const path = `/drivers/${driver.id}`;
    const put = (body: Json) => api.call('PUT', path, { body });
    expect(await put({ email: 'anna@example.is' })).toMatchObject({ status: 422, body: { id: other.id } });
    expect(await me(driver.token)).toMatchObject({ email: 'jon@example.is' });
    expect((await put({ email: 'Jon@new.is' })).body).toMatchObject({
      email: 'jon@new.is',
      electronicId: true,
    });
    expect((await api.call('GET', DRIVER_PATHS.me, { token: driver.token })).status).toBe(401);
    const session = tokenIn((await logIn()).body);
    expect((await put({ electronicId: null })).body).toMatchObject({ electronicId: false });
    expect((await api.call('GET', DRIVER_PATHS.me, { token: session })).status).toBe(401);
    expect((await logIn()).body['status']).toBe('account-not-found');
    expect((await put({ electronicId: SSN })).status).toBe(400);
    expect(JSON.stringify(await api.audited())).not.toMatch(/jon@|1201603389/);
    expect([(await api.call('DELETE', path)).status, (await api.call('GET', path)).status]).toEqual([
      204, 404,
    ]);
    expect((await drivers()).map(({ id }) => id)).toEqual([other.id]);
  });
});

describe('the register of vehicles', () => {
  const holder = (persidno: string) => ({
    current: true,
    mainoperator: true,
    persidno,
    fullname: 'Somebody',
  });
  const owned = (by: string, more: Json = {}) => ({ owners: [holder(by)], ...more });
  const add = (plate: string, token: string) => post(DRIVER_PATHS.addVehicle, { plate }, token);
  const plates = async (token: string) =>
    ((await me(token))['vehicles'] as { plate: string; proof: string }[]).map(
      ({ plate, proof }) => `${plate} ${proof}`,
    );
  const runJob = async () =>
    await registerProofJob(api.context).work({ now: api.now(), signal: new AbortController().signal });
  async function connected(ssn = SSN): Promise<string> {
    const { token } = await api.driver();
    provider.answers = { ...ACCEPTED, ssn } as typeof ACCEPTED;
    await connect(token, { phone: ssn === SSN ? PHONE : '7123456' });
    return token;
  }

  it('proves a vehicle of its owner or operator, and of no other', async () => {
    registry.has('ABX12', owned(SSN));
    registry.has('KTM77', { owners: [holder(BO)], operators: [holder('120160-3389')] });
    registry.has('BOX99', owned(BO));
    const token = await connected();
    const added = await add('ab-x12', token);
    expect(added.body['vehicles']).toMatchObject([{ plate: 'ABX12', proof: 'register' }]);
    await add('KTM77', token);
    expect(await plates(token)).toEqual(['ABX12 register', 'KTM77 register']);
    for (const plate of ['BOX99', 'NOBODY']) {
      expect(await add(plate, token)).toMatchObject({ status: 409, body: { code: 'not-registered' } });
    }
    const { token: unconnected } = await api.driver();
    expect((await add('ABX12', unconnected)).body['code']).toBe('not-registered');
    await post(DRIVER_PATHS.disconnectElectronicId, {}, token);
    expect(await plates(token)).toEqual([]);
  });

  it('is asked 20 times an hour by one driver, and proves nothing while it is away', async () => {
    registry.fails();
    const token = await connected();
    expect((await add('ABX12', token)).body['code']).toBe('no-register');
    registry.answers(null);
    const statuses: number[] = [];
    for (let n = 0; n < 20; n++) statuses.push((await add(`ZZZ${n}`, token)).status);
    expect(statuses.slice(-2)).toEqual([409, 429]);
  });

  it('names the operator before the owner, and both before a driver who has proved a stay', async () => {
    registry.has('ABX12', { owners: [holder(SSN)], operators: [holder(BO)] });
    const { id, token: borrower } = await api.driver('jon@example.is');
    const row = { plate: 'ABX12', driverId: id, proof: 'stay', visitId: 'v', provedAt: api.now() } as const;
    await api.db.write(({ q }) => q.insert(driverVehicleTable).values(row));
    const [owner, operator] = [await connected(), await connected(BO)];
    expect((await add('ABX12', owner)).status).toBe(200);
    expect(await plates(borrower)).toEqual([]);
    expect(await mails()).toMatchObject([{ to: 'jon@example.is' }]);
    expect((await add('ABX12', operator)).status).toBe(200);
    expect((await add('ABX12', owner)).body['code']).toBe('wrong-proof');
    expect([await plates(owner), await plates(operator)]).toEqual([[], ['ABX12 register']]);
  });

  it('ends its proof when it names another person, at the latest a day after, and the driver gets a mail', async () => {
    registry.has('ABX12', owned(SSN));
    registry.has('KTM77', owned(SSN));
    const token = await connected();
    await add('ABX12', token);
    await add('KTM77', token);
    registry.has('ABX12', owned(BO));
    await runJob();
    expect(await plates(token)).toHaveLength(2);
    api.wait(DAY_MS);
    registry.fails();
    await runJob();
    expect(await plates(token)).toHaveLength(2);
    registry.answers(null);
    api.wait(HOUR_MS);
    await runJob();
    expect(await plates(token)).toEqual(['KTM77 register']);
    expect(await mails()).toMatchObject([{ kind: 'driver', text: expect.stringContaining('ABX12') }]);
    const asked = registry.asked.length;
    await runJob();
    expect(registry.asked).toHaveLength(asked);
  });
});
