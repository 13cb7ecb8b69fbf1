import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
});
afterEach(() => site.close());

describe('documents with one key', () => {
  it('correct the plate of one vehicle, and open for its permit', async () => {
    site.close();
    site = createTestSite({ settings: { permitsOnly: true } });
    await site.permit('TZA47');
    await site.read('in-1', 'TZA4', { eventKey: 'uuid', score: 0.61 });
    site.wait(2000);
    await site.read('in-1', 'TZA47', { eventKey: 'uuid', score: 0.98 });
    expect(site.gates['in-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([{ plate: 'TZA47', permitId: 'permit-TZA47' }]);
    await site.read('in-1', 'TZA47', { eventKey: 'uuid', score: 0.98 });
    expect(site.reads()).toHaveLength(2);
  });

  it('count once the plate is read well enough', async () => {
    await site.read('in-1', 'TZA47', { eventKey: 'uuid', score: 0.4 });
    site.wait(1000);
    await site.read('in-1', 'TZA47', { eventKey: 'uuid', score: 0.98 });
    expect(site.gates['in-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([{ plate: 'TZA47' }]);
  });

  it('are of different cars where the camera gives all of them the same', async () => {
    for (const plate of ['NKP52', 'LUV31', 'OGD88']) {
      await site.read('in-1', plate, { eventKey: 'uuid' });
      site.wait(MINUTE_MS);
    }
    site.wait(HOUR_MS);
    await site.read('out-1', 'NKP52', { eventKey: 'uuid' });
    site.wait(HOUR_MS);
    await site.read('in-1', 'NKP52', { eventKey: 'uuid', capturedAt: site.now() });
    expect(site.gates['in-1'].pulses).toBe(4);
    expect(site.visits().map(({ plate }) => plate)).toEqual(['NKP52', 'LUV31', 'OGD88', 'NKP52']);
  });
});

describe('a plate that was read with its country, or in part', () => {
  it.each([
    ['ISABX12', 'ABX12'],
    ['ABX12', 'ISABX12'],
    ['X12', 'ABX12'],
    ['ABX12', 'X12'],
    ['FINABC123', 'ABC123'],
  ])('leaves as %s → %s: the visit is flagged, and the car is let go', async (entry, exit) => {
    await site.price();
    await site.read('in-1', entry);
    site.wait(2 * HOUR_MS);
    await site.read('out-1', exit, { score: 0.96 });
    expect(site.gates['out-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([{ plate: entry, endedAt: null, flags: ['near-exit'] }]);
  });

  it.each([
    ['ISABX12', 'ABX12'],
    ['X12', 'ABX12'],
  ])('is asked to pay in doubt as %s → %s, and its driver finds the visit', async (entry, exit) => {
    await site.price();
    await site.read('in-1', entry);
    site.wait(2 * HOUR_MS);
    await site.read('out-1', exit, { score: 0.8 });
    expect(site.reasons().at(-1)).toBe('need-payment');
    expect(site.core.stays.inDoubt(site.now())).toMatchObject([{ visitPlate: entry }]);
  });

  it.each([
    ['ISABX12', 'ABX12', 'ABX12'],
    ['ABX12', 'ISABX12', 'ABX12'],
    ['ISABX12', 'ISABX12', 'ABX12'],
    ['ABX12', 'ABX12', 'ISABX12'],
  ])('has its permit as %s → %s with a permit for %s', async (entry, exit, permit) => {
    site.close();
    site = createTestSite({ settings: { permitsOnly: true, opensUnmatchedExit: false } });
    await site.price();
    await site.permit(permit);
    await site.read('in-1', entry, { score: 0.91, country: 'IS' });
    expect(site.gates['in-1'].pulses).toBe(1);
    site.wait(5 * HOUR_MS);
    await site.read('out-1', exit, { score: 0.96, country: 'IS' });
    expect(site.gates['out-1'].pulses).toBe(1);
    const [visit] = site.visits();
    const isCertain = entry === exit && entry === permit;
    if (visit?.endedAt === null) expect(visit.flags).toContain('near-exit');
    else if (!isCertain) expect(visit?.flags.length).toBeGreaterThan(0);
  });

  it('opens for nobody else: neither for a part of a listed plate nor for another country', async () => {
    site.close();
    site = createTestSite({ settings: { permitsOnly: true } });
    await site.permit('ABX12');
    for (const [plate, country] of [
      ['X12', null],
      ['ISABX12', 'DE'],
      ['SABX12', null],
    ] as const) {
      await site.read('in-1', plate, { country });
      site.wait(MINUTE_MS);
    }
    expect(site.gates['in-1'].pulses).toBe(0);
  });
});

describe('letters', () => {
  it.each([
    ['ÞÓR12', 'THOR12'],
    ['ÆGIR', 'AEGIR'],
    ['MUE123', 'MÜ123'],
    ['ØRN12', 'OERN12'],
  ])('are the same spelt %s and %s: permit, visit and search', async (entry, exit) => {
    await site.price();
    await site.permit(entry);
    await site.read('in-1', exit);
    expect(site.reasons()).toEqual(['permit']);
    await site.read('in-2', 'NKP52');
    site.wait(2 * HOUR_MS);
    await site.read('out-1', entry);
    expect(site.reasons().at(-1)).toBe('whitelisted');
    expect(site.visits().find(({ plate }) => plate === exit)).toMatchObject({ status: 'completed' });
  });

  it('open for neither of two listed plates that differ only by them', async () => {
    site.close();
    site = createTestSite({ settings: { permitsOnly: true } });
    await site.permit('MÜ123');
    await site.permit('MUE123');
    await site.read('in-1', 'MU123');
    expect(site.gates['in-1'].pulses).toBe(0);
    site.wait(MINUTE_MS);
    await site.read('in-2', 'MUE123');
    expect(site.visits()).toMatchObject([{ permitId: 'permit-MUE123' }]);
  });
});
