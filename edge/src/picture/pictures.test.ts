import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestPictures, type TestPictures } from '../../test/pictures.ts';
import { jpeg, readPicture } from '../../test/sample-pictures.ts';

let rig: TestPictures;

beforeEach(() => {
  rig = createTestPictures();
});
afterEach(() => rig.close());

const visit = () => rig.site.visits().at(-1);

it('a picture stands at the visit, and goes to the cloud once that has the visit itself', async () => {
  rig.pictures.start();
  const readId = await rig.see('in-1', 'ABX12', 'entry', {
    shows: [readPicture('crop', 'plate'), readPicture('entry'), readPicture('car', 'vehicle')],
  });
  expect(visit()?.entryReadId).toBe(readId);
  expect(rig.rows()).toEqual([
    { readId, kind: 'vehicle', state: 'waiting' },
    { readId, kind: 'plate', state: 'waiting' },
  ]);
  rig.pictures.wake();
  await rig.atRest();
  expect(rig.asked).toBe(0);
  rig.acknowledged();
  await rig.soon(() => expect(rig.rows().every(({ state }) => state === 'stored')).toBe(true));
  expect(rig.cloud.get(`${readId} vehicle`)).toEqual(jpeg('entry'));
  expect(rig.cloud.get(`${readId} plate`)).toEqual(jpeg('crop'));
  // Kept a while all the same, for people on rig.site.
  expect((await rig.pictures.pictureOf(readId, 'vehicle'))?.bytes).toEqual(jpeg('entry'));
});

it('the picture of a group that comes after its car has passed stands at the visit', async () => {
  const first = await rig.see('in-1', 'ABX12', '', { more: { eventKey: 'frame' }, shows: [] });
  rig.site.wait(4000);
  await rig.see('in-1', 'ABX12', 'group', { more: { late: true, relatedKeys: ['frame'] } });
  expect(visit()?.entryReadId).toBe(first);
  expect((await rig.pictures.pictureOf(first, 'vehicle'))?.bytes).toEqual(jpeg('group'));
});

it('a car is shown by the read that has its picture, whichever read decided last', async () => {
  rig.pictures.start();
  const first = await rig.see('in-1', 'ABX12', '', { more: { eventKey: 'frame' }, shows: [] });
  rig.site.wait(1000);
  await rig.see('in-1', 'ABX12', 'group', { more: { relatedKeys: ['frame'] } });
  const car = rig.site.core.lanes.get('in-1')?.cars.newest();
  expect(car?.readId).not.toBe(first);
  expect(car && rig.pictures.shownOf(car)).toEqual({ photoId: first, picture: 'coming' });
  rig.acknowledged();
  await rig.soon(() => expect(car && rig.pictures.shownOf(car).picture).toBe('there'));
});

it('a car that stands in view for an hour fills no disk', async () => {
  for (let n = 0; n < 60; n++) {
    await rig.see('in-1', 'ABX12', `sight ${n}`, { more: { score: 0.7 + n / 400 } });
    rig.site.wait(2000);
  }
  expect(rig.rows().length).toBeGreaterThan(1);
  expect(rig.rows().length).toBeLessThanOrEqual(3);
  expect(rig.files()).toHaveLength(rig.rows().length);
});

it('a car that is let go in the end has its last picture at its exit', async () => {
  await rig.site.price();
  await rig.see('in-1', 'ABX12', 'entry');
  rig.site.wait(DAY_MS);
  await rig.see('out-1', 'ABX12', 'asked to pay');
  rig.site.wait(2000);
  const last = await rig.see('out-1', 'ABX12', 'waits');
  const { id = '' } = visit() ?? {};
  await rig.site.change({
    kind: 'settlement',
    op: 'put',
    id: 'paid',
    item: {
      id: 'paid',
      visitId: id,
      paymentStatus: 'kiosk',
      amountMinor: 500,
      currency: 'ISK',
      units: 1,
      by: 'kiosk',
      settledAt: rig.site.now(),
    },
  });
  await rig.atRest();
  expect(visit()).toMatchObject({ status: 'completed', exitReadId: last });
  expect((await rig.pictures.pictureOf(last, 'vehicle'))?.bytes).toEqual(jpeg('waits'));
});

it('what was lost in a crash comes with the same document again, what is here is not kept twice', async () => {
  const readId = await rig.see('in-1', 'ABX12', 'once', { more: { eventKey: 'again' } });
  await rig.see('in-1', 'ABX12', 'once', { more: { eventKey: 'again' } });
  expect(rig.rows()).toHaveLength(1);
  await rig.pictures.forget([readId]);
  expect([rig.rows(), rig.files()]).toEqual([[], []]);
  await rig.see('in-1', 'ABX12', 'once', { more: { eventKey: 'again' } });
  expect(rig.rows()).toMatchObject([{ readId }]);
});

it('reads of no passage are kept for review, a few', async () => {
  for (let n = 0; n < 20; n++) {
    await rig.see('in-1', 'ABX12', `weak ${n}`, { more: { score: 0.01, late: true } });
    rig.site.wait(1000);
  }
  expect(rig.rows()).toHaveLength(2);
});

it('what is no picture is not kept', async () => {
  const shows = [{ ...readPicture(''), base64: Buffer.from('<svg/>').toString('base64') }];
  await rig.see('in-1', 'ABX12', '', { shows });
  expect(rig.rows()).toEqual([]);
});
