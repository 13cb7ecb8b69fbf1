import { HOUR_MS } from '@hlid/protocol/base/durations';
import type { Visit } from '@hlid/protocol/records/visit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';

const VISIT_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2420';
const EDIT_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2421';
const SETTLEMENT_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2422';
let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
  site.price(500);
});
afterEach(() => site.close());

const begun = (more: Partial<Visit> = {}): Visit => ({
  id: VISIT_ID,
  plate: 'ABX12',
  status: 'new',
  paymentStatus: null,
  startedAt: '2026-11-21T05:00:00.000Z',
  endedAt: null,
  createdAt: site.now(),
  price: null,
  unitsMet: 0,
  paidMinor: 0,
  paidUntil: null,
  flags: [],
  entryLaneId: null,
  exitLaneId: null,
  entryReadId: null,
  exitReadId: null,
  exitFoundBy: null,
  permitId: null,
  quota: null,
  ...more,
});

function begin(more: Partial<Visit> = {}): void {
  const item = { visit: begun(more), reason: 'came in by the back gate', by: 'account:1', at: site.now() };
  site.change({ kind: 'visit', op: 'put', id: VISIT_ID, item });
}

const settlement = () =>
  ({
    id: SETTLEMENT_ID,
    visitId: VISIT_ID,
    paymentStatus: 'kiosk',
    amountMinor: 500,
    currency: 'ISK',
    units: 1,
    settledAt: site.now(),
    by: 'account:1',
  }) as const;

describe('a visit begun in the cloud', () => {
  it('is taken over, and its exit finds it', async () => {
    begin();
    expect(site.events().map(({ body }) => body)).toMatchObject([
      {
        type: 'visit.opened',
        visit: { id: VISIT_ID, plate: 'ABX12' },
        step: { from: null, to: 'new', reason: 'came in by the back gate', by: 'account:1' },
        feedAt: 2,
      },
    ]);
    await site.read('out-1', 'ABX12');
    expect(site.reasons()).toEqual(['need-payment']);
    expect(site.visits()).toMatchObject([{ id: VISIT_ID, price: { amountMinor: 500 } }]);
  });

  it('is passed over where it is here already, as it is here', async () => {
    begin();
    site.wait(HOUR_MS);
    await site.read('out-1', 'ABX12');
    const before = site.events().length;
    begin();
    expect(site.events()).toHaveLength(before);
    expect(site.visits()).toMatchObject([{ status: 'need-payment' }]);
  });

  it('makes way for itself: one plate is inside once', async () => {
    await site.read('in-1', 'ABX12');
    begin();
    expect(site.visits()).toMatchObject([
      { flags: ['lost-exit'], endedAt: site.now() },
      { id: VISIT_ID, endedAt: null },
    ]);
  });

  it('leaves alone who is inside where it has ended itself', async () => {
    await site.read('in-1', 'ABX12');
    begin({ status: 'need-payment', endedAt: site.now() });
    expect(site.visits()).toMatchObject([{ flags: [], endedAt: null }, { id: VISIT_ID }]);
  });

  it('opens the exit for the car that waits there, once it is settled', async () => {
    begin();
    await site.read('out-1', 'ABX12');
    site.change({ kind: 'settlement', op: 'put', id: SETTLEMENT_ID, item: settlement() });
    await site.core.commit.run(() => undefined);
    expect(site.gates['out-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([{ status: 'completed', paymentStatus: 'kiosk' }]);
  });

  it('owes again what was counted as met and is not, once it is opened again', () => {
    begin({ unitsMet: 2, status: 'completed', endedAt: site.now(), paymentStatus: 'company-invoice' });
    const taken = { ...settlement(), paymentStatus: 'company-invoice', amountMinor: 0, units: -2 } as const;
    site.change({ kind: 'settlement', op: 'put', id: SETTLEMENT_ID, item: taken });
    const edit = { id: EDIT_ID, visitId: VISIT_ID, status: 'new', endedAt: null } as const;
    const item = { ...edit, reason: 'not theirs', by: 'account:1', at: site.now() };
    site.change({ kind: 'visit-edit', op: 'put', id: EDIT_ID, item });
    expect(site.visits()).toMatchObject([{ unitsMet: 0, status: 'new', paymentStatus: null }]);
  });

  it('has the settlement that a snapshot brought before it', async () => {
    site.change({ kind: 'settlement', op: 'put', id: SETTLEMENT_ID, item: settlement() });
    begin();
    expect(site.visits()).toMatchObject([{ paymentStatus: 'kiosk', unitsMet: 1 }]);
    await site.read('out-1', 'ABX12');
    expect(site.reasons()).toEqual(['paid']);
  });

  it('draws on the quota of its customer at the exit', async () => {
    site.vehicle('ABX12');
    site.quota(3);
    begin();
    await site.read('out-1', 'ABX12');
    expect(site.reasons()).toEqual(['quota']);
    expect(site.visits()).toMatchObject([{ quota: { id: 'quota-1', units: 1 } }]);
  });
});

describe('flags that a person has looked at', () => {
  const review = (visitId: string, reviewed: Visit['flags']) =>
    site.change({
      kind: 'visit-edit',
      op: 'put',
      id: EDIT_ID,
      item: { id: EDIT_ID, visitId, reviewed, reason: 'looked at', by: 'account:1', at: site.now() },
    });

  it('come off, and no others', async () => {
    begin({ flags: ['uncertain-plate', 'gate-unconfirmed', 'quota-exceeded'] });
    review(VISIT_ID, ['uncertain-plate', 'quota-exceeded', 'lost-exit']);
    expect(site.visits()).toMatchObject([{ flags: ['gate-unconfirmed'], status: 'new' }]);
    expect(site.events().at(-1)?.body).toMatchObject({
      type: 'visit.updated',
      step: { from: 'new', to: 'new', reason: 'looked at' },
      feedAt: 3,
    });
  });
});

it('a visit that is over and opened again as unpaid owes for its stay, not for the time since', async () => {
  begin();
  site.permit('ABX12');
  await site.read('out-1', 'ABX12');
  expect(site.visits()).toMatchObject([{ status: 'completed', endedAt: site.now() }]);
  site.change({ kind: 'permit', op: 'remove', id: 'permit-ABX12' });
  site.wait(72 * HOUR_MS);
  const edit = { id: EDIT_ID, visitId: VISIT_ID, status: 'need-payment' as const };
  const item = { ...edit, reason: 'not their permit', by: 'account:1', at: site.now() };
  site.change({ kind: 'visit-edit', op: 'put', id: EDIT_ID, item });
  expect(site.visits()).toMatchObject([
    { status: 'need-payment', paymentStatus: null, price: { amountMinor: 500 } },
  ]);
});
