import { expect, it } from 'vitest';
import {
  decideAuthentication,
  readState,
  type ThreedsResult,
  threedAuthentication,
} from './verifone-authentication.ts';

const CAVV = 'AAABBWcSNIdjeUZThmNHAAAAAAA=';
const result = (fields: Partial<ThreedsResult>): ThreedsResult => ({
  enrolled: 'Y',
  pares_status: 'Y',
  eci_flag: '05',
  cavv: CAVV,
  xid: null,
  ds_transaction_id: null,
  threeds_version: null,
  signature_verification: 'Y',
  ...fields,
});
const nothing = { eci_flag: '07', cavv: null };
const bare = { pares_status: null, eci_flag: null, cavv: null, signature_verification: null };

it.each([
  ['authenticated with Visa', {}],
  ['authenticated with Mastercard', { eci_flag: '02' }],
  ['attempted with Visa', { pares_status: 'A', eci_flag: '06' }],
  ['attempted with Mastercard', { pares_status: 'A', eci_flag: '01' }],
])('goes on when the bank has %s', (_what, fields) => {
  expect(decideAuthentication(result(fields), false)).toEqual({ kind: 'go-on' });
});

it('challenges only a card that is enrolled', () => {
  const challenged = { pares_status: 'C', eci_flag: null, cavv: null };
  expect(decideAuthentication(result(challenged), false)).toEqual({ kind: 'challenge' });
  for (const enrolled of ['N', 'U', 'B', null]) {
    const step = decideAuthentication(result({ ...challenged, enrolled }), false);
    expect(step.kind).toBe('stop');
  }
});

it.each([
  ['pares-U', { pares_status: 'U', ...nothing }],
  ['enrolled-N', { enrolled: 'N', ...bare }],
  ['enrolled-U', { enrolled: 'U', ...bare }],
  ['enrolled-B', { enrolled: 'B', ...bare }],
  ['eci-07', { eci_flag: '07' }],
  ['eci-00', { pares_status: 'A', eci_flag: '00' }],
  ['eci-none', { eci_flag: null }],
  ['eci-05', { cavv: null }],
])('lets the operator decide where nothing is proved (%s)', (code, fields) => {
  expect(decideAuthentication(result(fields), false)).toEqual({ kind: 'stop', code });
  expect(decideAuthentication(result(fields), true)).toEqual({ kind: 'go-on' });
});

it.each([
  ['pares-N', { pares_status: 'N', ...nothing }],
  ['pares-R', { pares_status: 'R', ...nothing }],
  ['pares-N', { enrolled: 'N', pares_status: 'N', ...nothing }],
  ['signature-N', { signature_verification: 'N' }],
  ['enrolled-unknown', { enrolled: null }],
  ['enrolled-unknown', { enrolled: 'X' }],
  ['pares-unknown', { pares_status: null }],
  ['pares-unknown', { pares_status: 'Z' }],
])('stops whatever the operator decides (%s)', (code, fields) => {
  for (const accept of [true, false]) {
    expect(decideAuthentication(result(fields), accept)).toEqual({ kind: 'stop', code });
  }
});

it('sends only the fields of a result that there are', () => {
  expect(threedAuthentication(result({ threeds_version: '2.2.0' }))).toEqual({
    enrolled: 'Y',
    pares_status: 'Y',
    eci_flag: '05',
    cavv: CAVV,
    threeds_version: '2.2.0',
    signature_verification: 'Y',
  });
});

it('reads a state of the same order, amount and currency only', () => {
  const order = { id: 'a', amountMinor: 1500, currency: 'ISK' };
  const state = { step: 'begun', orderId: 'a', amountMinor: 1500, currency: 'ISK' };
  expect(readState(state, order)).toEqual(state);
  expect(readState(state, { ...order, id: 'b' })).toBeNull();
  expect(readState(state, { ...order, amountMinor: 15 })).toBeNull();
  expect(readState(state, { ...order, currency: 'EUR' })).toBeNull();
  expect(readState({ ...state, step: 'authenticated' }, order)).toBeNull();
  expect(readState({}, order)).toBeNull();
});
