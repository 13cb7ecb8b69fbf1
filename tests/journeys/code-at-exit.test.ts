import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPort } from '@hlid/edge/base/serial-port';
import { codeSignerOf } from '@hlid/node/exit-code-key';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { exitCode } from '@hlid/protocol/records/exit-code';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fourLanes } from '../harness/edge-document.ts';
import { runEdgeTool } from '../harness/edge-tool.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { joinPair } from '../sim/zvt-port.ts';

const PLATE = 'ABX12';

let folder: string;
let pair: Awaited<ReturnType<typeof joinPair>>;
let network: Network;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-scanner-'));
  pair = await joinPair(folder);
  const lanes = fourLanes(() => randomUUID()).map((lane) =>
    lane.id === 'out-1' ? { ...lane, codeReader: { kind: 'serial', path: pair.theirs } } : lane,
  );
  network = await startNetwork({ lanes, settings: { entryGraceMinutes: 0 } });
});
afterEach(async () => {
  await network?.stop();
  await pair.part();
  rmSync(folder, { recursive: true });
});

async function scanner() {
  const port = await openPort({ path: pair.ours, baudRate: 9600, stopBits: 1 });
  return {
    shows: (code: string) => port.write(Buffer.from(`${code}\r`)),
    unplug: () => port.close(),
  };
}
const readers = async () => {
  const { printed } = await runEdgeTool(network.folders.edge, ['status', '--json']);
  return printed.includes('"code-reader"');
};

it('a driver who paid while the line was cut shows the code at the exit, which opens once, also after the reader was unplugged', async () => {
  await network.lane('in-1').passes(PLATE);
  await network.settled();
  const [visit] = await network.operator.visits({ plate: PLATE });
  if (visit === undefined) throw new Error('the cloud has no visit');
  await network.cloud.stop();
  const exit = network.lane('out-1');
  const { siteId, secret } = network.site;
  const paid = { paidAt: utcTime(Date.now()), units: 1, amountMinor: 500 };
  const stay = { siteId, visitId: visit.id, currency: 'ISK' };
  const code = exitCode(stay, paid, codeSignerOf(secret)) ?? expect.unreachable('there is no code');
  const forged = exitCode(stay, paid, codeSignerOf(`${secret}x`)) ?? expect.unreachable('there is no code');

  expect(await readers()).toBe(true);
  const first = await scanner();
  expect(await exit.passes(PLATE)).toMatchObject({ open: false, reason: 'need-payment' });
  const before = exit.openings();
  first.shows(forged);
  first.shows('https://example.com/');
  await first.unplug();
  await pair.part();
  pair = await joinPair(folder);
  const second = await scanner();
  // The daemon opens the port again when it notices; a driver shows the code until the gate opens.
  const showing = setInterval(() => second.shows(code), 500);
  try {
    await exit.opensAfter(before, 45_000);
  } finally {
    clearInterval(showing);
    await second.unplug();
  }
  expect(exit.openings()).toBe(before + 1);
});
