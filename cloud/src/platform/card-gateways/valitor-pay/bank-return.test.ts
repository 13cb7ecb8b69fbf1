import { expect, it } from 'vitest';
import { mdOf, readBankReturn, verificationData } from './bank-return.ts';

const ORDER = '2f0b2b34-6a0c-4b4e-9a38-51f2f7d5d5a1';
const PROOF = {
  cavv: 'jq6EHIP0PfZEYwAAnuCpB4MAAAA=',
  xid: 'nrQGVcVW0CIzw6wsqwIlxLAUTCE=',
  dsTransId: 'f4bd9217-f3dd-4895-a207-bdf489aa5f7a',
};
const form = (change: Record<string, string> = {}) => ({
  version: '2.0',
  merchantID: '1',
  eci: '02',
  txStatus: 'Y',
  MD: mdOf(ORDER),
  mdStatus: '1',
  cavv: PROOF.cavv,
  xid: PROOF.xid,
  'TDS2.dsTransID': PROOF.dsTransId,
  'TDS2.transStatus': 'Y',
  ...change,
});
const read = (change: Record<string, string> = {}, acceptNotEnrolled = false) =>
  readBankReturn(ORDER, form(change), acceptNotEnrolled);

it.each(['1', '4', 'MdFullyAuthenticated', 'MdAttempt'])(
  'goes on with mdStatus %s, as it came',
  (mdStatus) => {
    expect(read({ mdStatus })).toEqual({ kind: 'authenticated', state: { mdStatus, ...PROOF } });
  },
);

it.each(['0', '5', '6', '7', '9', '50', '91', '99', 'MdUReceived', '01', '', 'toString', '-1'])(
  'declines by mdStatus %j',
  (mdStatus) => {
    expect(read({ mdStatus }, true)).toMatchObject({ kind: 'declined', reason: 'not-authenticated' });
  },
);

it('names no reason but security where the bank suspects fraud', () => {
  expect(read({ mdStatus: '8' }, true)).toEqual({ kind: 'declined', reason: 'security', code: 'mdStatus 8' });
});

it.each(['2', '3', 'MdNotEnrolled'])(
  'goes on with mdStatus %s only if the operator accepts that',
  (mdStatus) => {
    const nothing = { mdStatus, cavv: '', xid: '', 'TDS2.dsTransID': '' };
    const code = `mdStatus ${mdStatus}`;
    expect(read(nothing)).toEqual({ kind: 'declined', reason: 'not-authenticated', code });
    expect(read(nothing, true)).toEqual({ kind: 'authenticated', state: { mdStatus } });
    expect(verificationData({ mdStatus }, false)).toBeNull();
    expect(verificationData({ mdStatus }, true)).toEqual({ mdStatus });
  },
);

it.each(['cavv', 'xid', 'TDS2.dsTransID', 'mdStatus'])('declines without %s', (field) => {
  expect(read({ [field]: ' ' }, true)).toMatchObject({ kind: 'declined', reason: 'not-authenticated' });
});

it.each(['cavv', 'xid', 'dsTransId', 'mdStatus'])('charges nothing without a stored %s', (field) => {
  const state = { mdStatus: '1', ...PROOF };
  expect(verificationData(state, true)).toEqual(state);
  expect(verificationData({ ...state, [field]: null }, true)).toBeNull();
  expect(verificationData({ ...state, [field]: '' }, true)).toBeNull();
  expect(verificationData({}, true)).toBeNull();
});

it.each([mdOf(crypto.randomUUID()), ORDER, '', mdOf(ORDER).slice(1)])(
  'declines by the form of another order (%j)',
  (MD) => {
    expect(read({ MD })).toEqual({ kind: 'declined', reason: 'not-authenticated', code: 'MD' });
  },
);

it('keeps no value that is longer than any proof', () => {
  expect(read({ cavv: 'A'.repeat(257) })).toMatchObject({ kind: 'declined' });
  expect(read({ mdStatus: `1${'0'.repeat(500)}` })).toMatchObject({ code: 'mdStatus ?' });
});

it('reads the names of fields in capital and small letters', () => {
  const { mdStatus, MD, ...rest } = form();
  const fields = { ...rest, MDSTATUS: mdStatus, md: MD };
  expect(readBankReturn(ORDER, fields, false)).toMatchObject({ kind: 'authenticated' });
});

it('sends at most 254 characters through the browser', () => {
  expect(mdOf(ORDER).length).toBeLessThanOrEqual(254);
});
