import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VisitView } from '../harness/cloud-views.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';
import { post } from '../sim/camera.ts';

/** The promise is a second; a busy machine may need several. */
const AT_ONCE_MS = 10_000;

let network: Network;

/** The visits of a plate in the cloud, newest first, once the cloud has received all from the site. */
async function visitsOf(plate: string): Promise<VisitView[]> {
  await network.settled();
  return (await network.operator.visits({ plate })).filter((visit) => visit.plate === plate);
}

async function opens(laneId: string, plate: string | null) {
  const lane = network.lane(laneId);
  const before = lane.openings();
  const passage = await lane.passes(plate);
  await lane.opensAfter(before);
  return passage;
}

async function staysClosed(laneId: string, plate: string | null) {
  const lane = network.lane(laneId);
  const before = lane.openings();
  const passage = await lane.passes(plate);
  expect(passage.open).toBe(false);
  expect(lane.openings()).toBe(before);
  return passage;
}

describe('at a car park that charges from the first minute', () => {
  beforeAll(async () => {
    // Cars come in by one entrance right after the other, each read once.
    network = await startNetwork({ settings: { entryGraceMinutes: 0, passageWindowMs: 250 } });
  });
  afterAll(() => network?.stop());

  it('a permit holder drives in and out; the visit ends completed and whitelisted', async () => {
    await network.operator.addPermit('PERM01');
    await network.settled();
    expect(await opens('in-1', 'PERM01')).toMatchObject({ reason: 'permit' });
    expect(await visitsOf('PERM01')).toMatchObject([{ status: 'new', endedOn: null }]);
    expect(await opens('out-1', 'PERM01')).toMatchObject({ reason: 'whitelisted' });
    const [visit, ...others] = await visitsOf('PERM01');
    expect(visit).toMatchObject({ status: 'completed', paymentStatus: 'whitelisted', flags: [] });
    expect(visit?.endedOn).not.toBeNull();
    expect(others).toEqual([]);
  });

  it('a visitor who must pay at the exit leaves once the visit is settled', async () => {
    await opens('in-1', 'MKJ45');
    expect(await staysClosed('out-1', 'MKJ45')).toMatchObject({ reason: 'need-payment' });
    const [owing] = await visitsOf('MKJ45');
    expect(owing).toMatchObject({ status: 'need-payment', price: { amount: 500, currency: 'ISK' } });
    await network.operator.settle(owing?.id ?? '', 'kiosk', 'paid at the desk');
    // The gate opens for the car that waits there; one that comes back later is let out by its next read.
    const exit = network.lane('out-1');
    await waitFor(() => exit.openings() > 1, { what: 'the gate to open for the settled car' });
    const [left] = await visitsOf('MKJ45');
    expect(left).toMatchObject({ status: 'completed', paymentStatus: 'kiosk' });
    expect(left?.endedOn).not.toBeNull();
  });

  it('an exit read with confused characters finds its visit, and flags the match', async () => {
    await opens('in-1', 'SOB18');
    expect(await staysClosed('out-2', '5OB18')).toMatchObject({
      reason: 'need-payment',
      flags: ['uncertain-plate'],
    });
    expect(await visitsOf('SOB18')).toMatchObject([{ status: 'need-payment', flags: ['uncertain-plate'] }]);
  });

  it.each(['in-1', 'in-2'])('the same document posted three times at %s makes one visit', async (laneId) => {
    const lane = network.lane(laneId);
    const plate = laneId === 'in-1' ? 'TRI31' : 'TRE77';
    const [document] = lane.camera.see({ plate, score: 0.93, at: new Date() });
    if (!document) throw new Error('the camera said nothing');
    const before = lane.openings();
    for (const expected of [
      { stored: 1, repeated: 0 },
      { stored: 0, repeated: 1 },
      { stored: 0, repeated: 1 },
    ]) {
      const { status, text } = await post(lane.pushUrl(), document);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toEqual(expected);
    }
    await lane.opensAfter(before);
    expect(await visitsOf(plate)).toHaveLength(1);
    expect(lane.openings()).toBe(before + 1);
  });

  it('a corrected plate reaches the site, and the car leaves under its own plate', async () => {
    await network.operator.addPermit('FIX12');
    await opens('in-1', 'FLX72');
    const [misread] = await visitsOf('FLX72');
    await network.operator.ask('PUT', `/visit/${misread?.id}`, { plate: 'FIX12', reason: 'misread' });
    await network.settled();
    expect(await opens('out-1', 'FIX12')).toMatchObject({ reason: 'whitelisted', visitId: misread?.id });
    expect(await visitsOf('FIX12')).toMatchObject([{ status: 'completed' }]);
  });

  it.each([
    ['in-1', 'UNR34'],
    ['in-2', 'KVT57'],
  ])(
    'an unreadable plate gets in at %s, waits for its plate, and is given it by an operator',
    async (laneId, plate) => {
      await opens(laneId, null);
      await network.settled();
      const [unread] = await network.operator.visits({ status: 'need-plate' });
      expect(unread).toMatchObject({ plate: null, status: 'need-plate', flags: ['unreadable-plate'] });
      const given = { plate, reason: 'read from the picture' };
      const answer = await network.operator.ask('PUT', `/visit/${unread?.id}`, given);
      expect(answer.status).toBe(303);
      expect(await visitsOf(plate)).toMatchObject([{ id: unread?.id, status: 'new' }]);
      expect(await staysClosed('out-2', plate)).toMatchObject({
        reason: 'need-payment',
        visitId: unread?.id,
      });
    },
  );
});

describe('at a car park with a grace of 15 minutes, for permit holders only', () => {
  beforeAll(async () => {
    // Cars come in by one entrance right after the other.
    network = await startNetwork({ settings: { permitsOnly: true, sameCarMs: 0 } });
  });
  afterAll(() => network?.stop());

  it('a car that turns round within the grace period owes nothing', async () => {
    const permit = await network.operator.addPermit('TURN1');
    await network.settled();
    await opens('in-1', 'TURN1');
    await network.operator.ask('DELETE', `/visit/whitelist/${permit.id}`);
    await network.settled();
    expect(await opens('out-1', 'TURN1')).toMatchObject({ reason: 'nothing-due' });
    expect(await visitsOf('TURN1')).toMatchObject([{ status: 'completed', paymentStatus: null }]);
  });

  it('a permit added in the cloud opens the gate at once', async () => {
    for (const plate of ['QUICK1', 'SPEEDY', 'RAPID7']) {
      await staysClosed('in-1', plate);
      const before = network.lane('in-1').openings();
      await network.operator.addPermit(plate);
      await waitFor(
        async () => {
          await network.lane('in-1').sees(plate);
          return network.lane('in-1').openings() > before;
        },
        { what: `the gate to open for ${plate}`, withinMs: AT_ONCE_MS },
      );
    }
  });

  it('no car gets in without a permit, or with a paused one', async () => {
    expect(await staysClosed('in-2', 'NOBODY')).toMatchObject({ reason: 'permits-only' });
    const permit = await network.operator.addPermit('PAUSE1');
    await network.settled();
    await opens('in-2', 'PAUSE1');
    await network.operator.ask('PUT', `/visit/whitelist/${permit.id}`, {
      status: 'paused',
      reason: 'unpaid',
    });
    await network.settled();
    expect(await staysClosed('in-1', 'PAUSE1')).toMatchObject({ reason: 'permits-only' });
  });
});
