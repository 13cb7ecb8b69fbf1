import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Network, startNetwork } from '../harness/network.ts';
import { SQLD_INSTALLED, type Sqld, startSqld } from '../harness/sqld.ts';
import { waitFor } from '../harness/wait.ts';
import { startHranaServer } from '../sim/hrana-server.ts';

interface DatabaseServer {
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Our own server, which refuses what it does not support, and a real one. */
const SERVERS: readonly { name: string; isHere: boolean; start: () => Promise<DatabaseServer> }[] = [
  { name: 'a simulated libSQL server', isHere: true, start: startSimulated },
  { name: 'sqld, a libSQL server', isHere: SQLD_INSTALLED, start: startSqld },
];

describe.each(SERVERS)('a cloud whose database is at $name', ({ isHere, start }) => {
  if (!isHere) {
    it.skip('needs a libSQL server: its program on the path, or in HLID_SQLD');
    return;
  }
  let server: DatabaseServer;
  let network: Network;

  beforeAll(async () => {
    server = await start();
    network = await startNetwork({ settings: { entryGraceMinutes: 0 }, cloudEnv: server.env });
  });
  afterAll(async () => {
    await network?.stop();
    await server?.stop();
  });

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
  });
});

describe.skipIf(!SQLD_INSTALLED)('a cloud whose libSQL server has a replica', () => {
  let server: Sqld;
  let replica: Sqld;
  let network: Network;

  beforeAll(async () => {
    server = await startSqld();
    replica = await server.startReplica();
    const replicaUrl = replica.env['HLID_DATABASE_URL'] ?? '';
    const cloudEnv = { ...server.env, HLID_DATABASE_REPLICA_URL: replicaUrl };
    network = await startNetwork({ cloudEnv });
  });
  afterAll(async () => {
    await network?.stop();
    await replica?.stop();
    await server?.stop();
  });

  const StatsSchema = z.looseObject({ total: z.int() });
  const unused = () => network.cloud.logged('database.replica-unused');
  const counted = async () => {
    const today = new Date().toISOString().slice(0, 10);
    const days = `date.from=${today}&date.to=${today}`;
    return (await network.operator.call(StatsSchema, 'GET', `/reports/visits/stats?${days}`)).total;
  };

  it('has its reports from the replica, and from the server where the replica is gone', async () => {
    await network.lane('in-1').passes('FIRST1');
    await network.settled();
    await waitFor(async () => (await counted()) === 1, { what: 'the car in the report' });
    expect(unused()).toEqual([]);
    await replica.kill();
    await network.lane('in-2').passes('SECND2');
    await network.settled();
    expect(await counted()).toBe(2);
    expect(unused()).toHaveLength(1);
    await replica.start();
    await waitFor(async () => (await counted()) === 2 && unused().length === 1, { what: 'the replica' });
  });
});

async function startSimulated(): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-remote-'));
  const server = await startHranaServer(join(folder, 'remote.db'));
  return {
    env: { HLID_DATABASE_URL: server.url, HLID_DATABASE_TOKEN: server.token },
    async stop() {
      expect(server.requests()).toBeGreaterThan(100);
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
