import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { expect, test } from 'vitest';
import { useLanes } from '../../../test/lanes.ts';
import { frame } from '../../../test/sample-documents.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { waitsAtExit } from './waiting-cars.ts';

const lanes = useLanes();
const { drivesIn, drivesOut } = lanes;

async function waits(visitId: string | null): Promise<boolean> {
  const { db } = lanes.api.context;
  return await db.read(async (q) => {
    const visit = await findVisitRow(q, visitId ?? '', ALL_ROWS);
    if (visit === null) throw new Error(`no visit ${visitId}`);
    return await waitsAtExit(q, visit, await siteOfVisit(q, visit), lanes.api.now());
  });
}

test('a car that has to pay waits at the exit until another one stands there, or for as long as the site lets it', async () => {
  const first = await drivesIn('ABX12');
  lanes.api.wait(MINUTE_MS);
  const second = await drivesIn('MKJ45');
  expect(await waits(first.visitId)).toBe(false);
  lanes.api.wait(3 * HOUR_MS);
  await drivesOut('ABX12');
  expect([await waits(first.visitId), await waits(second.visitId)]).toEqual([true, false]);
  lanes.api.wait(5 * MINUTE_MS);
  await drivesOut('MKJ45');
  expect([await waits(first.visitId), await waits(second.visitId)]).toEqual([false, true]);
  lanes.api.wait(24 * HOUR_MS);
  expect(await waits(second.visitId)).toBe(false);
});

test('a car that drives on to another exit waits there', async () => {
  const other = { name: 'Out 2', location: 'exit', remoteId: 'cam-out-2', config: { minimumOcrScore: 0.7 } };
  const { id } = await lanes.api.made('/cameras', other);
  const { visitId } = await drivesIn('ABX12');
  lanes.api.wait(3 * HOUR_MS);
  await drivesOut('ABX12');
  lanes.api.wait(MINUTE_MS);
  await lanes.post(id, frame('ABX12', lanes.api.now()));
  expect(await waits(visitId)).toBe(true);
  lanes.api.wait(MINUTE_MS);
  // Another car at the first exit changes nothing there.
  await drivesOut('TUV99');
  expect(await waits(visitId)).toBe(true);
});
