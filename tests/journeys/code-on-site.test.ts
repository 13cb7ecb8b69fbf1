import { codeSignerOf } from '@hlid/node/exit-code-key';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { exitCode } from '@hlid/protocol/records/exit-code';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { runEdgeTool } from '../harness/edge-tool.ts';
import { type Network, startNetwork } from '../harness/network.ts';

const PLATE = 'ABX12';
const VisitSchema = z.looseObject({ paymentStatus: z.string().nullable(), status: z.string() });

let network: Network;
beforeEach(async () => {
  network = await startNetwork({ settings: { entryGraceMinutes: 0 } });
});
afterEach(() => network?.stop());

const typed = (code: string) =>
  runEdgeTool(network.folders.edge, ['payment', 'code', code, '--plate', PLATE, '--json']);

it('a person on site types the code of a payment while the line is cut: the exit opens once, and the cloud learns of it later', async () => {
  await network.lane('in-1').passes(PLATE);
  await network.settled();
  const [visit] = await network.operator.visits({ plate: PLATE });
  if (visit === undefined) throw new Error('the cloud has no visit');
  await network.cloud.stop();

  const exit = network.lane('out-1');
  expect(await exit.passes(PLATE)).toMatchObject({ open: false, reason: 'need-payment' });
  const { siteId, secret } = network.site;
  const paid = { paidAt: utcTime(Date.now()), units: 1, amountMinor: 500 };
  const stay = { siteId, visitId: visit.id, currency: 'ISK' };
  const code = exitCode(stay, paid, codeSignerOf(secret)) ?? expect.unreachable('there is no code');
  const before = exit.openings();
  const forged = exitCode(stay, paid, codeSignerOf(`${secret}x`)) ?? expect.unreachable('there is no code');
  expect((await typed(forged)).code).toBe(1);
  expect(exit.openings()).toBe(before);

  expect(await typed(code)).toMatchObject({ code: 0 });
  await exit.opensAfter(before);
  // It is good for that stay only, and that has ended.
  const opened = exit.openings();
  expect((await typed(code)).code).toBe(1);
  await network.lane('in-2').passes(PLATE);
  expect((await typed(code)).code).toBe(1);
  expect(exit.openings()).toBe(opened);

  await network.cloud.restart();
  await network.settled();
  expect(await network.operator.call(VisitSchema, 'GET', `/visit/${visit.id}`)).toMatchObject({
    status: 'completed',
    paymentStatus: 'kiosk',
  });
});
