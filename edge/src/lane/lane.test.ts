import { newId } from '@hlid/node/new-id';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createTestSite } from '../../test/site.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
});
afterEach(() => site.close());

describe('entry', () => {
  it('lets a visitor in, once, and begins a visit', async () => {
    await site.read('in-1', 'ABX12');
    expect(site.gates['in-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([
      { plate: 'ABX12', status: 'new', endedAt: null, entryLaneId: 'in-1' },
    ]);
    expect(site.events().map(({ body }) => body.type)).toEqual([
      'visit.opened',
      'passage.decided',
      'gate.moved',
    ]);
    expect(site.events()[1]?.body).toMatchObject({
      read: { plate: 'ABX12', standing: 'counts', id: site.visits()[0]?.entryReadId },
      visitId: site.visits()[0]?.id,
      alerts: [],
    });
    expect(site.reasons()).toEqual(['welcome']);
  });

  it('makes one visit of the same document posted three times', async () => {
    for (let posted = 0; posted < 3; posted++) await site.read('in-1', 'ABX12', { eventKey: 'same' });
    expect(site.visits()).toHaveLength(1);
    expect(site.gates['in-1'].pulses).toBe(1);
    expect(site.reads()).toHaveLength(1);
  });

  it('makes one passage of several readings of one car, and keeps the best plate', async () => {
    await site.read('in-1', 'ABX1Z', { score: 0.75 });
    site.wait(400);
    await site.read('in-1', 'ABX12', { score: 0.97 });
    site.wait(400);
    await site.read('in-1', 'A8X12', { score: 0.8 });
    expect(site.visits()).toMatchObject([{ plate: 'ABX12' }]);
    expect(site.gates['in-1'].pulses).toBe(1);
    // Only the first read decides; the others are reported all the same, each once.
    expect(site.reads().map(({ plate }) => plate)).toEqual(['ABX1Z', 'ABX12', 'A8X12']);
    expect(site.reasons()).toHaveLength(1);
  });

  it('makes no second visit of a car that stands in view', async () => {
    for (let seen = 0; seen < 20; seen++) {
      await site.read('in-1', 'ABX12');
      site.wait(60_000);
    }
    expect(site.visits()).toHaveLength(1);
  });

  it('flags the old visit of a car that comes in again, and never has it inside twice', async () => {
    await site.read('in-1', 'ABX12');
    site.wait(5 * HOUR_MS);
    await site.read('in-2', 'ABX12');
    const [old, fresh] = site.visits();
    expect(old).toMatchObject({ flags: ['lost-exit'], status: 'new', paymentStatus: null, price: null });
    expect(old?.endedAt).toBe(site.now());
    expect(fresh).toMatchObject({ endedAt: null, flags: [] });
  });

  it('lets an unreadable car in where the site does, and takes its plate from a later read', async () => {
    await site.read('in-1', null);
    expect(site.visits()).toMatchObject([{ plate: null, status: 'need-plate', flags: ['unreadable-plate'] }]);
    site.wait(500);
    await site.read('in-1', 'ABX12');
    expect(site.visits()).toMatchObject([{ plate: 'ABX12', status: 'new', flags: [] }]);
    expect(site.gates['in-1'].pulses).toBe(1);
  });

  it.each([
    ['late', { late: true }],
    ['late', { capturedAt: '2026-11-21T07:59:40.000Z' }],
    ['low-score', { score: 0.3 }],
    ['parked', { parked: true }],
    ['wrong-way', { direction: 'leaving' as const }],
  ])('keeps a %s read and opens nothing (%o)', async (standing, more) => {
    await site.read('in-1', 'ABX12', more);
    expect(site.gates['in-1'].pulses).toBe(0);
    expect(site.visits()).toEqual([]);
    expect(site.events()).toMatchObject([{ body: { type: 'read.stored', read: { standing } } }]);
  });

  it('takes a camera whose clock is known to be an hour behind at its word', async () => {
    site.behind.set('cam-in-1', HOUR_MS);
    await site.read('in-1', 'ABX12', { capturedAt: '2026-11-21T07:00:00.000Z' });
    expect(site.gates['in-1'].pulses).toBe(1);
  });

  it('lets a late reading correct the plate, by the keys it shares', async () => {
    await site.read('in-1', 'ABX1Z', { score: 0.75, eventKey: 'preview', relatedKeys: ['u1'] });
    site.wait(9000);
    await site.read('in-1', 'ABX12', { score: 0.97, eventKey: 'final', relatedKeys: ['u1'], late: true });
    expect(site.visits()).toMatchObject([{ plate: 'ABX12' }]);
  });

  it('drops what the camera filters out', async () => {
    const settings = { status: 'active' as const, minimumOcrScore: 0.7, filters: ['TAXI*'] };
    site.change({ kind: 'camera', op: 'put', id: 'c1', item: { id: 'c1', remoteId: 'cam-in-1', settings } });
    await site.read('in-1', 'TAXI5');
    expect(site.gates['in-1'].pulses).toBe(0);
  });

  it('opens for a permit, and for one lookalike only at a high score', async () => {
    site.permit('ABO12');
    await site.read('in-1', 'AB012', { score: 0.95 });
    expect(site.reasons()).toEqual(['permit']);
    expect(site.visits()).toMatchObject([{ flags: ['uncertain-permit'], permitId: 'permit-ABO12' }]);
    await site.read('in-2', 'A8O12', { score: 0.85 });
    expect(site.reasons().at(-1)).toBe('welcome');
  });

  it('keeps the blocklisted out and reports lookalikes', async () => {
    site.permit('BAD88', { effect: 'block' });
    await site.read('in-1', 'BAD88');
    expect(site.gates['in-1'].pulses).toBe(0);
    await site.read('in-2', 'BAD8B');
    expect(site.gates['in-2'].pulses).toBe(1);
    expect(site.alerts()).toEqual(['blocklisted', 'blocklist-lookalike']);
  });

  it('reports a second plate while the gate is open', async () => {
    await site.read('in-1', 'ABX12');
    site.wait(4000);
    await site.read('in-1', 'MKJ45');
    expect(site.alerts()).toEqual(['tailgating']);
  });

  it('is full when as many are inside as fit', async () => {
    site.close();
    site = createTestSite({ settings: { capacity: 1 } });
    await site.read('in-1', 'ABX12');
    site.wait(20_000);
    await site.read('in-1', 'MKJ45');
    expect(site.reasons()).toEqual(['welcome', 'full']);
    // A person counted, and found it empty.
    const item = { id: 'cellar', name: 'Cellar', capacity: null, insideOffset: -1 };
    await site.change({ kind: 'zone', op: 'put', id: item.id, item });
    site.wait(20_000);
    await site.read('in-1', 'XYZ98');
    expect(site.reasons().at(-1)).toBe('welcome');
  });
});

describe('a car that the cameras of two lanes see', () => {
  it('has one gate opened and one visit, whichever camera reads it first and how often', async () => {
    await site.read('in-2', 'ABX12');
    site.wait(400);
    for (let frame = 0; frame < 4; frame++) {
      await site.read('in-1', 'ABX12');
      site.wait(1000);
      await site.read('in-2', 'ABX12');
      site.wait(1000);
    }
    expect(site.visits()).toMatchObject([{ plate: 'ABX12', endedAt: null, flags: [], entryLaneId: 'in-2' }]);
    expect([site.gates['in-1'].pulses, site.gates['in-2'].pulses]).toEqual([0, 1]);
  });

  it('has the second gate opened too where it goes on to stand there, and still has one visit', async () => {
    await site.read('in-2', 'ABX12');
    site.wait(4000);
    await site.read('in-1', 'ABX12');
    expect(site.gates['in-1'].pulses).toBe(0);
    site.wait(7000);
    await site.read('in-1', 'ABX12');
    expect(site.gates['in-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([{ endedAt: null, flags: [] }]);
    expect(site.reasons()).toEqual(['welcome', 'welcome']);
  });

  it('is another stay once it has driven out, and where the site says so', async () => {
    await site.read('in-2', 'ABX12');
    await site.read('out-1', 'ABX12');
    site.wait(2000);
    await site.read('in-1', 'ABX12');
    expect(site.visits()).toHaveLength(2);
    site.close();
    site = createTestSite({ settings: { sameCarMs: 0 } });
    await site.read('in-2', 'ABX12');
    await site.read('in-1', 'ABX12');
    expect(site.visits()).toMatchObject([{ flags: ['lost-exit'] }, { endedAt: null }]);
  });

  it('opens for whom a loop knows at the lane, with one visit', async () => {
    site.close();
    site = createTestSite({ withLoops: true });
    await site.read('in-2', 'ABX12');
    site.loops['in-1'].arrival.set(true);
    await site.read('in-1', 'ABX12');
    expect(site.gates['in-1'].pulses).toBe(1);
    expect(site.visits()).toHaveLength(1);
  });

  it('is let in by neither lane because of the other where neither has opened', async () => {
    site.close();
    site = createTestSite({ settings: { permitsOnly: true } });
    await site.read('in-2', 'ABX12');
    await site.read('in-1', 'ABX12');
    expect(site.reasons()).toEqual(['permits-only', 'permits-only']);
  });
});

describe('exit', () => {
  async function parked(plate: string, hours: number) {
    await site.read('in-1', plate);
    site.wait(hours * HOUR_MS);
  }

  it('does not keep a surely read plate for a near visit, which a person looks at', async () => {
    site.price(1000);
    await parked('BTE96', 3);
    await site.read('out-1', 'BTE97', { score: 0.99 });
    expect(site.gates['out-1'].pulses).toBe(1);
    expect(site.reasons().at(-1)).toBe('no-visit');
    expect(site.visits()).toMatchObject([
      { plate: 'BTE96', status: 'new', endedAt: null, flags: ['near-exit'] },
    ]);
    // Its own car owes as before, and leaves by its own plate.
    site.wait(HOUR_MS);
    await site.read('out-1', 'BTE96', { score: 0.99 });
    expect(site.reasons().at(-1)).toBe('need-payment');
    const [visit] = site.visits();
    await site.settle(visit?.id ?? '', 1);
    expect(site.visits()).toMatchObject([{ status: 'completed', paymentStatus: 'kiosk', flags: [] }]);
    expect(site.gates['out-1'].pulses).toBe(2);
  });

  it('lets a permit holder out: completed, whitelisted', async () => {
    site.price();
    site.permit('ABX12');
    await parked('ABX12', 3);
    await site.read('out-1', 'ABX12');
    expect(site.visits()).toMatchObject([
      { status: 'completed', paymentStatus: 'whitelisted', exitFoundBy: 'equal' },
    ]);
    expect(site.gates['out-1'].pulses).toBe(1);
  });

  it('keeps a visitor who owes, and opens as soon as it is settled', async () => {
    site.price(500);
    await parked('ABX12', 30);
    await site.read('out-1', 'ABX12');
    expect(site.gates['out-1'].pulses).toBe(0);
    const [visit] = site.visits();
    expect(visit).toMatchObject({ status: 'need-payment', endedAt: null, price: { amountMinor: 1000 } });
    site.wait(30_000);
    site.settle(visit?.id ?? '', 2);
    await site.core.commit.run(() => undefined);
    expect(site.gates['out-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([{ status: 'completed', paymentStatus: 'kiosk' }]);
    expect(site.visits()[0]?.endedAt).toBe(site.now());
  });

  it('lets one who has paid drive out later on', async () => {
    site.price(500);
    await parked('ABX12', 3);
    await site.read('out-1', 'ABX12');
    site.wait(31 * 60_000);
    site.settle(site.visits()[0]?.id ?? '', 1);
    expect(site.visits()).toMatchObject([{ status: 'new', paymentStatus: 'kiosk' }]);
    site.wait(5 * 60_000);
    await site.read('out-1', 'ABX12');
    expect(site.reasons().at(-1)).toBe('paid');
    expect(site.visits()).toMatchObject([{ status: 'completed', paymentStatus: 'kiosk' }]);
  });

  it('lets out at another exit whom one has let out a moment ago, and asks no neighbour to pay for him', async () => {
    site.close();
    site = createTestSite({ settings: { opensUnmatchedExit: false } });
    site.price(500);
    await site.read('in-2', 'ABX13');
    await parked('ABX12', 3);
    await site.read('out-1', 'ABX12');
    site.settle(site.visits().find(({ plate }) => plate === 'ABX12')?.id ?? '', 1);
    await site.core.commit.run(() => undefined);
    site.wait(10 * 60_000);
    await site.read('out-2', 'ABX12');
    expect([site.gates['out-1'].pulses, site.gates['out-2'].pulses]).toEqual([1, 1]);
    expect(site.reasons().at(-1)).toBe('visit-ended');
    expect(site.visits()).toMatchObject([{ plate: 'ABX13', status: 'new', endedAt: null }, {}]);
    site.wait(10 * 60_000);
    await site.read('out-2', 'ABX12');
    expect(site.reasons().at(-1)).not.toBe('visit-ended');
  });

  it('finds the visit of a car that has come in again at once, and was misread there', async () => {
    await parked('ABX12', 0.1);
    await site.read('out-1', 'ABX12');
    site.wait(60_000);
    await site.read('in-1', 'A8X12');
    site.wait(5 * 60_000);
    await site.read('out-2', 'ABX12');
    expect(site.visits().at(-1)).toMatchObject({
      plate: 'A8X12',
      endedAt: site.now(),
      exitFoundBy: 'confusable',
    });
  });

  it('says of a debtor whose gate was open already that he left, not that he is to pay', async () => {
    site.price(500);
    await parked('ABX12', 3);
    await site.execute({
      id: newId(),
      laneId: 'out-1',
      action: 'hold',
      by: 'account:1',
      reason: 'test',
    });
    await site.read('out-1', 'ABX12');
    expect(site.core.lanes.lanes().find(({ id }) => id === 'out-1')?.passages).toMatchObject([
      { open: true, reason: 'left-unpaid' },
    ]);
    expect(site.visits()).toMatchObject([{ status: 'need-payment', endedAt: site.now() }]);
  });

  it('asks nothing of a car that turned round', async () => {
    site.price();
    await parked('ABX12', 0.2);
    await site.read('out-1', 'ABX12');
    expect(site.reasons().at(-1)).toBe('nothing-due');
    expect(site.visits()).toMatchObject([
      { status: 'completed', paymentStatus: null, price: { amountMinor: 0 } },
    ]);
  });

  it('finds the visit of a confusable read and says so', async () => {
    await parked('ABO12', 1);
    await site.read('out-1', 'A8012');
    expect(site.visits()).toMatchObject([
      { plate: 'ABO12', exitFoundBy: 'confusable', flags: ['uncertain-plate'] },
    ]);
  });

  it('guesses nothing where two visits look alike', async () => {
    await parked('ABO12', 0.1);
    await parked('AB012', 0.1);
    await site.read('out-1', 'ABD12');
    expect(site.reasons().at(-1)).toBe('ambiguous-visit');
    expect(site.visits().every((visit) => visit.endedAt === null)).toBe(true);
    expect(site.gates['out-1'].pulses).toBe(1);
  });

  it('opens to a car of which it knows nothing', async () => {
    await site.read('out-1', 'ABX12');
    expect(site.reasons()).toEqual(['no-visit']);
    expect(site.gates['out-1'].pulses).toBe(1);
  });

  it('says so when it keeps an unknown car, where the site does', async () => {
    site.close();
    site = createTestSite({ settings: { opensUnmatchedExit: false } });
    await site.read('out-1', 'ABX12');
    expect(site.reasons()).toEqual(['no-visit']);
    expect(site.gates['out-1'].pulses).toBe(0);
  });

  it('takes a car that comes back at once for a new visit', async () => {
    for (let round = 0; round < 3; round++) {
      await site.read('in-1', 'ABX12');
      site.wait(2000);
      await site.read('out-1', 'ABX12');
      site.wait(2000);
    }
    expect(site.visits()).toHaveLength(3);
    expect(site.visits().every((visit) => visit.status === 'completed')).toBe(true);
  });

  it('opens when the database fails', async () => {
    site.db.exec('ALTER TABLE read RENAME TO gone');
    await expect(site.read('out-1', 'ABX12')).rejects.toThrow();
    expect(site.gates['out-1'].pulses).toBe(1);
    site.db.exec('ALTER TABLE gone RENAME TO read');
  });

  it('asks again for a visit that was voided and is opened again', async () => {
    site.price(500);
    await parked('ABX12', 3);
    await site.read('out-1', 'ABX12');
    const visitId = site.visits()[0]?.id ?? '';
    site.settle(visitId, 0, 'void');
    expect(site.visits()).toMatchObject([
      { status: 'completed', paymentStatus: 'void', price: { amountMinor: 0 } },
    ]);
    const id = '01a1fc93-bdd6-7682-9b18-8dd0566e2419';
    const edit = { id, visitId, reason: 'a mistake', by: 'account:1', at: site.now() };
    site.change({
      kind: 'visit-edit',
      op: 'put',
      id,
      item: { ...edit, status: 'need-payment', endedAt: null },
    });
    expect(site.visits()).toMatchObject([
      {
        status: 'need-payment',
        paymentStatus: null,
        paidUntil: null,
        endedAt: null,
        price: { amountMinor: 500 },
      },
    ]);
    site.wait(200_000);
    await site.read('out-1', 'ABX12');
    expect(site.reasons().at(-1)).toBe('need-payment');
  });
});

describe('gate', () => {
  it('does not repeat an opening whose answer was lost, unless the device says that it is closed', async () => {
    site.gates['in-1'].outcome = 'unknown';
    await site.read('in-1', 'ABX12');
    for (let seen = 0; seen < 4; seen++) {
      site.wait(3000);
      await site.read('in-1', 'ABX12');
    }
    expect(site.gates['in-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([{ flags: ['gate-unconfirmed'] }]);
    site.gates['in-1'].reports = 'closed';
    site.gates['in-1'].outcome = 'done';
    site.wait(3000);
    await site.read('in-1', 'ABX12');
    expect(site.gates['in-1'].pulses).toBe(2);
    expect(site.visits()).toMatchObject([{ flags: [] }]);
  });

  it('repeats the command of a lost answer once only, however many reads come at a time', async () => {
    site.gates['in-1'].outcome = 'unknown';
    await site.read('in-1', 'ABX12');
    site.gates['in-1'].reports = 'closed';
    site.wait(3000);
    await Promise.all([site.read('in-1', 'ABX12'), site.read('in-1', 'ABX12'), site.read('in-1', 'ABX12')]);
    expect(site.gates['in-1'].pulses).toBe(2);
  });

  it('tries again when the device certainly did nothing', async () => {
    site.gates['in-1'].outcome = 'unreachable';
    await site.read('in-1', 'ABX12');
    site.gates['in-1'].outcome = 'done';
    site.wait(3000);
    await site.read('in-1', 'ABX12');
    expect(site.gates['in-1'].pulses).toBe(2);
    expect(site.visits()).toHaveLength(1);
  });

  it('opens again for a car that has not driven through', async () => {
    await site.read('in-1', 'ABX12');
    site.wait(20_000);
    await site.read('in-1', 'ABX12');
    expect(site.gates['in-1'].pulses).toBe(2);
    expect(site.visits()).toHaveLength(1);
  });
});

it('measures the time from a document to its gate, and of no opening without one', async () => {
  const times: number[] = [];
  const measured = createTestSite({ onRelayCommand: (ms) => times.push(ms) });
  onTestFinished(() => measured.close());
  const open = { id: newId(), laneId: 'in-1', action: 'pulse', by: 'account:1', reason: 'visitor' } as const;
  await measured.execute(open);
  expect(times).toEqual([]);
  await measured.read('in-1', 'ABX12');
  expect(times).toEqual([expect.any(Number)]);
  measured.db.exec("CREATE TRIGGER full BEFORE INSERT ON read BEGIN SELECT RAISE(ABORT, 'full'); END");
  await expect(measured.read('in-1', 'MKJ45', { score: 0.2 })).rejects.toThrow('full');
  await measured.execute({ ...open, id: newId() });
  expect(times).toHaveLength(1);
});
