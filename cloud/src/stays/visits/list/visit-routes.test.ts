import { randomUUID } from 'node:crypto';
import type { Visit } from '@hlid/protocol/records/visit';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { passageEvent, readEvent } from '../../../../test/sample-events.ts';
import { applyEvent } from '../../../integration/ingest/apply-event.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

/** The site's report. */
async function ingest(body: SiteEventBody): Promise<void> {
  const place = { siteId: api.site.id, eventId: randomUUID(), at: api.now(), arrivedAt: api.now() };
  await api.db.write((tx) => applyEvent(tx, place, body));
}

const PRICED = {
  amountMinor: 500,
  currency: 'ISK',
  lines: [{ rule: 'unit', units: 1, amountMinor: 500 }],
  product: { id: 'light', version: 3 },
  pricedAt: '2026-11-21T10:00:00.000Z',
} satisfies Visit['price'];

describe('the list', () => {
  const times = (n: number) => `2026-11-2${n}T08:00:00.000Z`;
  beforeEach(async () => {
    const other = await api.addSite('Airport');
    await api.visit({ plate: 'ABX12', startedAt: times(0), endedAt: times(1), status: 'completed' });
    await api.visit({ plate: 'A8X12', startedAt: times(1), status: 'need-payment', price: PRICED });
    await api.visit({ plate: 'ABX12', startedAt: times(2) });
    await api.visit({ plate: null, startedAt: times(3), status: 'need-plate', flags: ['unreadable-plate'] });
    await api.visit({ plate: 'MKJ45', startedAt: times(4), endedAt: times(5), flags: ['lost-exit'] });
    await api.visit(
      {
        plate: 'OTH99',
        startedAt: times(5),
        paymentStatus: 'whitelisted',
        status: 'completed',
        endedAt: times(6),
      },
      { siteId: other.id },
    );
  });

  it.each([
    ['', ['OTH99', 'MKJ45', null, 'ABX12', 'A8X12', 'ABX12']],
    ['?status=open', [null, 'ABX12', 'A8X12']],
    ['?status=closed', ['OTH99', 'MKJ45', 'ABX12']],
    ['?status=review', ['MKJ45', null]],
    ['?status=new', ['MKJ45', 'ABX12']],
    ['?status=need-payment', ['A8X12']],
    ['?status=completed', ['OTH99', 'ABX12']],
    ['?plate=abx-12', ['ABX12', 'ABX12', 'A8X12']],
    ['?plate=A8X12', ['A8X12', 'ABX12', 'ABX12']],
    ['?plate=ABX12&status=open', ['ABX12', 'A8X12']],
    ['?date=2026-11-22', ['ABX12']],
    ['?date.from=2026-11-22&date.to=2026-11-23', [null, 'ABX12']],
    ['?date.from=2026-11-22T08:00:00.001Z&date.to=2026-11-24T08:00:00Z', ['MKJ45', null]],
    ['?date.to=2026-11-20T09:00:00%2B01:00', ['ABX12']],
    ['?date.from=2026-11-25&date.to=9999-12-31', ['OTH99']],
    ['?date.from=2026-11-25&date.to=9999-12-31T23:59:59.999Z', ['OTH99']],
    ['?payment.status=whitelisted', ['OTH99']],
    ['?collection=latest', ['OTH99', 'MKJ45', null, 'ABX12', 'A8X12', 'ABX12']],
    ['?collection=export&status=closed', ['OTH99', 'MKJ45', 'ABX12']],
    ['?collection=open', [null, 'ABX12', 'A8X12']],
    ['?collection=checkin', ['ABX12']],
    ['?collection=unpaid', ['A8X12']],
  ])('%s', async (query, expected) => {
    expect(await api.plates(`/visits${query}`)).toEqual(expected);
    const { body } = await api.call('GET', `/visits/counts${query}`);
    expect(body).toMatchObject({ count: expected.length });
  });

  it.each(['0000-01-01', '9999-12-31', '2011-12-30'])('of %s, in any zone, is empty', async (day) => {
    await api.addSite('Apia', 'Pacific/Apia');
    for (const query of [`date=${day}`, `date.from=${day}&date.to=${day}`, `date.to=${day}T00:00:00Z`]) {
      expect((await api.call('GET', `/visits?${query}`)).status, query).toBe(200);
    }
  });

  it('of one site', async () => {
    const expected = ['MKJ45', null, 'ABX12', 'A8X12', 'ABX12'];
    expect(await api.plates(`/visits?siteId=${api.site.id}`)).toEqual(expected);
    expect(await api.plates(`/visits?siteId=${api.site.id}&status=open`)).toEqual([null, 'ABX12', 'A8X12']);
    expect(await api.plates('/visits?siteId=none')).toEqual([]);
  });

  it.each([
    ['status=gone', 'status:'],
    ['date=yesterday', 'date:'],
    ['date.from=2026-13-01', 'date.from:'],
    ['plate=-', 'plate:'],
    ['collection=all', 'collection:'],
    ['next=nonsense', 'next: is not a cursor of this server'],
    ['ssn=1234567890', 'ssn: is not a national id'],
    ['card.lastFour=123', 'card.lastFour:'],
    ['invoice.status=sent', 'invoice.status:'],
    ['aggregate=colour', 'aggregate:'],
    ['colour=red', 'There is no field “colour”.'],
    ['status=new&status=open', 'status:'],
  ])('?%s is refused', async (query, message) => {
    const answer = await api.call('GET', `/visits?${query}`);
    expect([answer.status, answer.body['messages']]).toEqual([400, [expect.stringContaining(message)]]);
  });
});

describe('pages', () => {
  const walk = async (from: string, way: 'next' | 'previous') => {
    const pages: string[][] = [];
    let query = from;
    for (;;) {
      const { body } = await api.call('GET', `/visits?${query}`);
      const { data } = body;
      pages.push(Array.isArray(data) ? data.map((visit: { id: string }) => visit.id) : []);
      if (typeof body[way] !== 'string') return { pages, last: query };
      query = `${from.split('&next=')[0]}&next=${body[way]}`;
    }
  };

  it.each(['status=open', 'plate=ABX12'])(
    'of %s lead through all visits once, forth and back',
    async (query) => {
      for (let n = 0; n < 120; n++) {
        const second = String(n % 40).padStart(2, '0');
        await api.visit({
          plate: n % 5 === 0 ? 'A8X12' : 'ABX12',
          startedAt: `2026-11-21T08:00:${second}.000Z`,
        });
      }
      const forth = await walk(query, 'next');
      expect(forth.pages.map((page) => page.length)).toEqual([50, 50, 20]);
      expect(new Set(forth.pages.flat()).size).toBe(120);
      const back = await walk(forth.last, 'previous');
      expect(back.pages.reverse()).toEqual(forth.pages);
    },
  );

  it('of unpaid visits have cars inside that owe by now, and no others', async () => {
    await api.made('/products', { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' });
    for (let n = 0; n < 60; n++) {
      await api.visit({ plate: `OW${n}ES`, startedAt: '2026-11-21T09:00:00.000Z' });
      await api.visit({ plate: `NO${n}NE`, startedAt: '2026-11-21T11:55:00.000Z' });
    }
    const permit = { plate: 'OW0ES', reason: 'Staff', activeFrom: '2026-11-01T00:00:00.000Z' };
    await api.made('/visit/whitelist', permit);
    const { pages } = await walk('collection=unpaid', 'next');
    expect(pages.map((page) => page.length)).toEqual([50, 9]);
    const counted = await api.call('GET', '/visits/counts?collection=unpaid');
    expect(counted.body).toMatchObject({ count: 59 });
  });

  it('do not shift when visits come in between', async () => {
    for (let n = 10; n < 70; n++)
      await api.visit({ startedAt: `2026-11-21T08:10:${n % 60}.000Z`.replace(/:(\d)\./, ':0$1.') });
    const first = await api.call('GET', '/visits');
    await api.visit({ startedAt: '2026-11-21T11:00:00.000Z' });
    const second = await api.call('GET', `/visits?next=${first.body['next']}`);
    const ids = [first, second].flatMap(({ body }) => (Array.isArray(body['data']) ? body['data'] : []));
    expect(new Set(ids.map((visit: { id: string }) => visit.id)).size).toBe(60);
  });

  it('count up to a thousand, and say so', async () => {
    for (let n = 0; n < 1001; n++) await api.visit();
    const { body } = await api.call('GET', '/visits');
    expect(body).toMatchObject({ total: 1000, extra: { totalIs: 'at-least' } });
    expect((await api.call('GET', '/visits/counts')).body).toMatchObject({ count: 1001 });
  });
});

describe('one visit', () => {
  it('has its price, its reads with their cameras, and its history', async () => {
    const camera = await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-in-1' });
    const read = readEvent({ plate: 'ABX12', score: 0.91 });
    await ingest(read);
    const step = { from: null, to: 'new', reason: 'welcome', by: 'lane:in-1', at: api.now() } as const;
    const visit = await api.visit(
      { status: 'need-payment', price: PRICED, entryReadId: read.read.id, exitReadId: randomUUID() },
      { step },
    );
    const answer = await api.call('GET', `/visit/${visit.id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: visit.id,
      siteId: api.site.id,
      entryLaneId: 'in-1',
      exitLaneId: null,
      startedOn: visit.startedAt,
      endedOn: null,
      createdOn: visit.createdAt,
      plate: 'ABX12',
      status: 'need-payment',
      paymentStatus: null,
      price: {
        amount: 500,
        currency: 'ISK',
        lines: [{ rule: 'unit', units: 1, amount: 500 }],
        product: { id: 'light', version: 3 },
        pricedOn: '2026-11-21T10:00:00.000Z',
      },
      due: { amount: 500, currency: 'ISK' },
      noticeOn: null,
      unitsMet: 0,
      paid: 0,
      paidUntil: null,
      vehicle: { regno: 'ABX12', country: 'IS', make: null, model: null, color: null, category: null },
      customer: null,
      entrancePhoto: {
        id: read.read.id,
        capturedOn: read.read.capturedAt,
        plate: 'ABX12',
        score: 0.91,
        url: null,
        status: 'new',
        createdOn: read.read.receivedAt,
        camera: { id: camera.id, name: 'In', remoteId: 'cam-in-1' },
      },
      exitPhoto: null,
      exitFoundBy: null,
      invoice: null,
      quota: null,
      flags: [],
      actions: ['edit', 'settle', 'void', 'flag', 'split', 'join', 'permit', 'contest'],
      needsApproval: [],
      history: [step],
    });
    expect((await api.call('GET', '/visits')).body['data']).toMatchObject([
      { id: visit.id, entrancePhoto: { camera: { name: 'In' } } },
    ]);
  });

  it('is for review where a read of its own is', async () => {
    const read = readEvent({ standing: 'low-score' });
    const visit = await api.visit({ exitReadId: read.read.id });
    const other = await api.visit({ plate: 'MKJ45' });
    await ingest(read);
    for (const { id: visitId } of [visit, other]) {
      await ingest(
        passageEvent({ passageId: read.read.passageId ?? '', laneId: 'out-1', direction: 'exit', visitId }),
      );
    }
    expect(await api.plates('/visits?status=review')).toEqual(['ABX12']);
  });

  it('that is not there is 404', async () => {
    expect((await api.call('GET', '/visit/none')).status).toBe(404);
    expect((await api.call('PUT', '/visit/none', { body: { plate: 'X1' } })).status).toBe(404);
  });
});

it('customers see their own visits, and of others not even that they are there', async () => {
  const tokens = {
    c1: await api.account('customer', { customerId: 'c1' }),
    c2: await api.account('partner', { customerId: 'c2' }),
    c3: await api.account('whitelist', { customerId: 'c3' }),
    none: await api.account('customer'),
  };
  const visits: Record<string, Visit> = { nobodys: await api.visit({ plate: 'NOBODY' }) };
  for (const customerId of ['c1', 'c2', 'c3']) {
    const visit = await api.visit({ plate: `OF${customerId.toUpperCase()}` });
    await api.giveVisit(visit.id, customerId);
    visits[customerId] = visit;
  }
  for (const [name, token] of Object.entries(tokens)) {
    const own = name === 'none' ? [] : [`OF${name.toUpperCase()}`];
    expect(await api.plates('/visits', { token }), name).toEqual(own);
    expect(await api.plates('/visits?plate=NOBODY', { token }), name).toEqual([]);
    expect((await api.call('GET', '/visits/counts', { token })).body).toMatchObject({ count: own.length });
    for (const [of, { id }] of Object.entries(visits)) {
      const { status } = await api.call('GET', `/visit/${id}`, { token });
      expect(status, `${name} at ${of}`).toBe(of === name ? 200 : 404);
      const covered = await api.call('POST', `/visit/${id}/whitelist`, { token, body: { reason: 'x' } });
      expect(covered.status, `${name} at ${of}`).toBe(of === name ? 303 : 404);
    }
  }
});
