import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(async () => {
  site = createTestSite({ settings: { permitsOnly: true } });
  await site.permit('ABX12');
});
afterEach(() => site.close());

/** Lets every insert of a read fail, as on a full disk. */
function failDisk(): void {
  site.db.exec("CREATE TRIGGER full BEFORE INSERT ON read BEGIN SELECT RAISE(ABORT, 'full'); END");
}
const mendDisk = () => site.db.exec('DROP TRIGGER full');
const pulses = () => site.gates['in-1'].pulses;
/** A read that is not answered with 200. */
const lost = (plate: string, eventKey: string, more = {}) =>
  expect(site.read('in-1', plate, { eventKey, ...more })).rejects.toThrow('full');

describe('an entrance whose decisions cannot be written down', () => {
  it('opens for whom the rules let in, once, and for nobody else', async () => {
    failDisk();
    await lost('MKJ45', 'stranger');
    expect(pulses()).toBe(0);
    await lost('ABX12', 'one');
    await lost('ABX12', 'one');
    await lost('ABX12', 'its next frame');
    expect(pulses()).toBe(1);
  });

  it('begins the visit when the camera sends it again, and leaves the gate alone', async () => {
    failDisk();
    await lost('ABX12', 'one');
    mendDisk();
    site.wait(60_000);
    await site.read('in-1', 'ABX12', { eventKey: 'one' });
    await expect.poll(() => site.visits()).toMatchObject([{ plate: 'ABX12', status: 'new' }]);
    expect(pulses()).toBe(1);
    site.wait(60_000);
    await site.permit('PQR77');
    await site.read('in-1', 'PQR77');
    expect(pulses()).toBe(2);
  });

  it.each([
    ['a read that would not count', { score: 0.2 }],
    ['a read that is late', { late: true }],
  ])('does not open for %s', async (_, more) => {
    failDisk();
    await lost('ABX12', 'one', more);
    expect(pulses()).toBe(0);
  });

  it('stays closed where a person keeps it closed', async () => {
    const closing = {
      id: 'order-1',
      laneId: 'in-1',
      action: 'close',
      by: 'account:1',
      reason: 'flood',
    } as const;
    expect(await site.execute(closing)).toBe('done');
    failDisk();
    await lost('ABX12', 'one');
    expect(pulses()).toBe(0);
  });

  it('stays closed where nothing can be read either', async () => {
    site.db.exec('ALTER TABLE permit RENAME TO permit_gone');
    failDisk();
    await expect(site.read('in-1', 'ABX12')).rejects.toThrow();
    expect(pulses()).toBe(0);
  });
});

it('shows technicians each read once, and why it decides nothing', async () => {
  const shown: unknown[] = [];
  site.core.lanes.subscribe(
    (update) => 'read' in update && shown.push([update.read.plate, update.read.standing]),
  );
  await site.read('in-1', 'ABX12', { eventKey: 'one' });
  await site.read('in-1', 'ABX12', { eventKey: 'one' });
  await site.read('in-1', 'MKJ45', { score: 0.2 });
  await site.read('in-2', 'PQR77', { late: true });
  expect(shown).toEqual([
    ['ABX12', 'counts'],
    ['MKJ45', 'low-score'],
    ['PQR77', 'late'],
  ]);
});
