import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Network, startNetwork } from '../harness/network.ts';
import { type HranaServer, startHranaServer } from '../sim/hrana-server.ts';

let folder: string;
let server: HranaServer;
let network: Network;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-remote-'));
  server = await startHranaServer(join(folder, 'remote.db'));
  network = await startNetwork({
    settings: { entryGraceMinutes: 0 },
    cloudEnv: { HLID_DATABASE_URL: server.url, HLID_DATABASE_TOKEN: server.token },
  });
});
afterAll(async () => {
  await network?.stop();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a cloud whose database is at a libSQL server', () => {
  it('lets a car in and out, paid', async () => {
    const { operator } = network;
    expect(await network.lane('in-1').passes('REMOTE')).toMatchObject({ open: true });
    expect(await network.lane('out-1').passes('REMOTE')).toMatchObject({ reason: 'need-payment' });
    await network.settled();
    const [visit] = await operator.visits({ plate: 'REMOTE' });
    await operator.settle(visit?.id ?? '', 'kiosk', 'paid at the desk');
    await network.lane('out-1').opensAfter(0);
    await network.settled();
    const left = await operator.visit(visit?.id ?? '');
    expect(left).toMatchObject({
      status: 'completed',
      paymentStatus: 'kiosk',
      price: { amount: 500 },
      due: { amount: 0 },
    });
  });

  it('sends a permit to the site, and keeps it over a restart', async () => {
    const { operator, cloud } = network;
    const { id } = await operator.addPermit('PERMIT');
    await network.settled();
    expect(await network.lane('in-2').passes('PERMIT')).toMatchObject({ reason: 'permit' });
    await cloud.restart();
    await network.settled();
    expect((await operator.ask('GET', `/visit/whitelist/${id}`)).status).toBe(200);
    expect(server.requests()).toBeGreaterThan(100);
  });
});
