import type { AccessPoint, NetworkDocument } from '@hlid/cloud/platform/access-points/access-point';
import { HttpAccessPoint } from '@hlid/cloud/platform/access-points/http-access-point';
import {
  BILLING,
  documentTypeId,
  participantId,
  processId,
} from '@hlid/cloud/platform/access-points/peppol-ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccessPointService } from './access-point-service.ts';
import { CHARGE_FAULTS, providerFault } from './gateway-rigs.ts';

const SENDER = { scheme: '0196', id: '5501012020' };
const RECEIVER = { scheme: '0196', id: '5305750209' };

const party = (element: string, { scheme, id }: { scheme: string; id: string }) =>
  `<cac:${element}><cac:Party><cbc:EndpointID schemeID="${scheme}">${id}</cbc:EndpointID></cac:Party></cac:${element}>`;

const xmlOf = (number: string, receiver = RECEIVER) =>
  `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
    xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
    <cbc:CustomizationID>${BILLING.customization}</cbc:CustomizationID>
    <cbc:ProfileID>${BILLING.profile}</cbc:ProfileID>
    <cbc:ID>${number}</cbc:ID><cbc:IssueDate>2026-11-28</cbc:IssueDate>
    ${party('AccountingSupplierParty', SENDER)}${party('AccountingCustomerParty', receiver)}</Invoice>`;

const documentOf = (key: string, fields: Partial<NetworkDocument> = {}): NetworkDocument => ({
  key,
  sender: participantId(SENDER),
  receiver: participantId(RECEIVER),
  documentType: documentTypeId('Invoice', BILLING),
  process: processId(BILLING),
  country: 'IS',
  xml: xmlOf('17'),
  ...fields,
});

const KEY = '6d1c2d6e-0a43-4bb0-8f0d-5a2f6f1f3c10';

let service: AccessPointService;
let point: AccessPoint;
beforeEach(async () => {
  service = new AccessPointService();
  service.registered.add('0196:5305750209');
  await service.start();
  point = adapterOf({});
});
afterEach(async () => {
  await service.stop();
  expect(service.complaints).toEqual([]);
});

const adapterOf = (options: { token?: string; url?: string }) =>
  new HttpAccessPoint({
    kind: 'http',
    url: service.origin,
    token: service.token,
    timeoutMs: 400,
    ...options,
  });

describe('a document', () => {
  it('is accepted, and delivered later', async () => {
    const taken = await point.submit(documentOf(KEY));
    expect(taken).toEqual({ kind: 'accepted', reference: service.documents.get(KEY)?.reference });
    expect(await point.status(KEY)).toEqual(taken);
    service.deliver(KEY);
    expect(await point.status(KEY)).toMatchObject({ kind: 'delivered' });
    expect(service.documents.get(KEY)?.xml).toBe(xmlOf('17'));
  });

  it('is taken once, however often it comes under one key', async () => {
    const first = await point.submit(documentOf(KEY));
    expect(await point.submit(documentOf(KEY))).toEqual(first);
    expect(service.documents.size).toBe(1);
    expect(await point.submit(documentOf(KEY, { xml: xmlOf('18') }))).toMatchObject({ kind: 'refused' });
    expect(service.documents.get(KEY)?.xml).toBe(xmlOf('17'));
  });

  it('that was never submitted never came', async () => {
    expect(await point.status(KEY)).toEqual({ kind: 'never-came' });
  });

  it('is refused by the receiver’s access point after it was accepted', async () => {
    await point.submit(documentOf(KEY));
    service.reject(KEY, 'document-invalid', 'BR-CO-15');
    expect(await point.status(KEY)).toEqual({
      kind: 'refused',
      reason: 'document-invalid',
      detail: 'BR-CO-15',
    });
  });
});

describe('a refusal', () => {
  const NOBODY = { scheme: '0196', id: '1111111119' };
  const refused: [string, Partial<NetworkDocument>, string][] = [
    [
      'an unknown receiver',
      { receiver: participantId(NOBODY), xml: xmlOf('17', NOBODY) },
      'receiver-unknown',
    ],
    ['another receiver than in the document', { receiver: participantId(NOBODY) }, 'document-invalid'],
    ['another sender than in the document', { sender: participantId(NOBODY) }, 'document-invalid'],
    ['broken XML', { xml: xmlOf('17').slice(0, -3) }, 'document-invalid'],
    ['a bare ampersand', { xml: xmlOf('A & B') }, 'document-invalid'],
    ['another type', { documentType: documentTypeId('CreditNote', BILLING) }, 'document-invalid'],
    ['another process', { process: 'cenbii-procid-ubl::urn:other' }, 'document-invalid'],
    ['no number', { xml: xmlOf('') }, 'document-invalid'],
  ];
  it.each(refused)('of %s says why', async (_, fields, reason) => {
    const result = await point.submit(documentOf(KEY, fields));
    expect(result).toMatchObject({ kind: 'refused', reason, detail: expect.any(String) });
    expect(service.documents.size).toBe(0);
  });

  it('of a sender without a contract says why', async () => {
    service.senders.add('0196:1111111119');
    expect(await point.submit(documentOf(KEY))).toMatchObject({ kind: 'refused', reason: 'sender-unknown' });
  });

  it('with a reason that is not in the contract is another one', async () => {
    const body = { reason: 'moon-phase', detail: 'a\nb\u0007c' };
    service.fail(['submit'], { kind: 'status', acts: false, status: 422, body });
    expect(await point.submit(documentOf(KEY))).toEqual({
      kind: 'refused',
      reason: 'other',
      detail: 'a b c',
    });
  });
});

describe('a call that fails', () => {
  it.each(CHARGE_FAULTS)('$fault: the document may be there, and the question finds out', async (one) => {
    service.fail(['submit'], providerFault(one.fault));
    expect(await point.submit(documentOf(KEY))).toMatchObject({ kind: 'unknown' });
    expect(await point.status(KEY)).toMatchObject({ kind: one.books ? 'accepted' : 'never-came' });
    expect(service.calls).toEqual(['submit', 'status']);
  });

  it('and answers twice is one answer', async () => {
    service.fail(['submit'], { kind: 'twice' });
    expect(await point.submit(documentOf(KEY))).toMatchObject({ kind: 'accepted' });
    expect(service.documents.size).toBe(1);
  });

  it('answers about another document: nothing is known', async () => {
    service.fail(['submit', 'status'], { kind: 'says', body: { key: 'another' } });
    service.fail(['status'], { kind: 'says', body: { key: 'another' } });
    expect(await point.submit(documentOf(KEY))).toMatchObject({ kind: 'unknown' });
    expect(await point.status(KEY)).toMatchObject({ kind: 'unavailable' });
  });

  it.each([408, 409, 500, 503])('with %s leaves it unknown', async (status) => {
    service.fail(['submit'], { kind: 'status', acts: true, status });
    expect(await point.submit(documentOf(KEY))).toMatchObject({ kind: 'unknown' });
  });

  it('with 404 by another server does not say that it never came', async () => {
    service.fail(['status'], { kind: 'status', acts: false, status: 404, body: { error: 'nothing here' } });
    expect(await point.status(KEY)).toMatchObject({ kind: 'unavailable' });
    service.fail(['submit'], { kind: 'status', acts: false, status: 404, body: { reason: 'never-came' } });
    expect(await point.submit(documentOf(KEY))).toMatchObject({ kind: 'unknown' });
  });

  it('was not looked at, with a wrong token, too many calls, or no service there', async () => {
    const wrong = adapterOf({ token: 'wrong' });
    expect(await wrong.submit(documentOf(KEY))).toMatchObject({ kind: 'unavailable' });
    service.fail(['submit'], { kind: 'status', acts: false, status: 429 });
    expect(await point.submit(documentOf(KEY))).toMatchObject({ kind: 'unavailable' });
    await service.stop();
    expect(await point.submit(documentOf(KEY))).toMatchObject({ kind: 'unavailable' });
    expect(await point.status(KEY)).toMatchObject({ kind: 'unavailable' });
    expect(service.documents.size).toBe(0);
  });
});
