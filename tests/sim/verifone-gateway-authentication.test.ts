import { expect, it } from 'vitest';
import { newOrder, useVerifone } from './verifone-gateway-driver.ts';

const driver = useVerifone();

it('begins with a JWT for this payment, the key, and the addresses of the scripts', async () => {
  const { tokens } = await driver.begin(newOrder());
  expect(tokens).toEqual({
    jwt: expect.any(String),
    publicKey: driver.rig.sim.service.cards.publicKey,
    publicKeyAlias: 'K1042',
    encryptionScript: `${driver.rig.sim.origin}/verifone.js`,
    authenticationScript: `${driver.rig.sim.origin}/songbird.js`,
  });
  expect((await driver.begin(newOrder())).tokens['jwt']).not.toBe(tokens['jwt']);
  expect(driver.rig.gateway.pageSources.script).toEqual([driver.rig.sim.origin]);
});

it.each(['good', 'attempted', 'mastercard'] as const)('charges a card that is %s', async (card) => {
  const order = newOrder();
  expect(await driver.charge(order, await driver.authenticated(order, card))).toMatchObject({
    kind: 'approved',
  });
});

it.each([
  ['failed', 'pares-N'],
  ['rejected', 'pares-R'],
  ['unavailable', 'pares-U'],
  ['not-enrolled', 'enrolled-N'],
  ['bypassed', 'enrolled-B'],
] as const)('stops at a card that is %s', async (card, code) => {
  const { step } = await driver.authenticate(newOrder(), card);
  expect(step).toEqual({ kind: 'declined', reason: 'not-authenticated', code });
});

it.each(['unavailable', 'not-enrolled', 'bypassed'] as const)(
  'charges a card that is %s where the operator accepts that',
  async (card) => {
    await driver.start({ acceptUnauthenticated: true });
    const order = newOrder();
    expect(await driver.charge(order, await driver.authenticated(order, card))).toMatchObject({
      kind: 'approved',
    });
    const { step } = await driver.authenticate(newOrder(), 'rejected');
    expect(step).toMatchObject({ kind: 'declined', code: 'pares-R' });
  },
);

it('uses a session of the browser for one payment', async () => {
  const order = newOrder();
  const { state } = await driver.begin(order);
  const step = { state, source: await driver.rig.encrypt('good'), sessionId: driver.rig.sessionId() };
  expect(await driver.rig.gateway.authenticate(order, step)).toMatchObject({ kind: 'authenticated' });
  expect(await driver.rig.gateway.authenticate(order, step)).toMatchObject({ code: 'session-refused' });
  expect(await driver.rig.gateway.authenticate(order, { ...step, sessionId: null })).toMatchObject({
    kind: 'declined',
    code: 'no-session',
  });
});

it('believes the service about a challenge, and never the browser', async () => {
  const order = newOrder();
  const other = await driver.challenged(newOrder());
  const own = await driver.challenged(order);
  const forged = 'eyJhbGciOiJub25lIn0.eyJBY3Rpb25Db2RlIjoiU1VDQ0VTUyJ9.';
  for (const threedsToken of [other.threedsToken, forged]) {
    const step = await driver.rig.gateway.verify(order, { state: own.state, threedsToken });
    expect(step.kind).toBe('declined');
  }
  expect(await driver.rig.gateway.verify(order, other)).toMatchObject({ kind: 'declined', code: 'state' });
  expect(await driver.charge(order, own)).toEqual({ kind: 'authenticate-again', code: 'state' });
  expect(await driver.rig.gateway.verify(order, own)).toMatchObject({ kind: 'authenticated' });
  const refused = await driver.challenged(order, 'refuse');
  expect(await driver.rig.gateway.verify(order, refused)).toMatchObject({
    kind: 'declined',
    reason: 'not-authenticated',
    code: 'action-FAILURE',
  });
});

it.each([
  [{ authentication_id: 'another' }, 'authentication-id'],
  [{ validation_result: null }, 'no-result'],
  [{ validation_result: { pares_status: 'N', eci_flag: '07' } }, 'pares-N'],
  [{ validation_result: { pares_status: 'C' } }, 'challenged-again'],
  [{ validation_result: { pares_status: 'Y', eci_flag: '05', signature_verification: 'N' } }, 'signature-N'],
  [{ action_code: 'SOMETHING' }, 'action-ERROR'],
])('goes no further after the result %j', async (body, code) => {
  const order = newOrder();
  const own = await driver.challenged(order);
  driver.rig.sim.fail(['validate'], { kind: 'says', body });
  expect(await driver.rig.gateway.verify(order, own)).toMatchObject({ kind: 'declined', code });
});

it('is unavailable, and not declined, while 3-D Secure does not answer', async () => {
  const order = newOrder();
  driver.rig.sim.fail(['jwt'], { kind: 'status', acts: false, status: 503 });
  expect(await driver.rig.gateway.begin(order)).toMatchObject({ kind: 'unavailable' });
  driver.rig.sim.fail(['lookup'], { kind: 'garbage', acts: false });
  expect((await driver.authenticate(order, 'good')).step).toMatchObject({ kind: 'unavailable' });
  driver.rig.sim.fail(['lookup'], { kind: 'says', body: { acs_url: null } });
  expect((await driver.authenticate(order, 'challenged')).step).toMatchObject({ kind: 'unavailable' });
  const own = await driver.challenged(order);
  driver.rig.sim.fail(['validate'], { kind: 'reset', acts: true });
  expect(await driver.rig.gateway.verify(order, own)).toMatchObject({ kind: 'unavailable' });
  expect(await driver.rig.gateway.verify(order, own)).toMatchObject({ kind: 'authenticated' });
});
