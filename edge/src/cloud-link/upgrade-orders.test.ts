import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { systemClock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { VERSION } from '@hlid/protocol/base/version';
import {
  type EdgeUpgradeReport,
  EdgeUpgradeReportSchema,
  type UpgradeOrder,
} from '@hlid/protocol/site-link/edge-upgrade';
import { deadline } from '@hlid/protocol/test/deadline';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSigner } from '../../test/minisign.ts';
import { ORDER_FILE, ORDERED_PACKAGE, orderFolder } from '../upgrade/upgrade-order.ts';
import { upgradeFolder, upgradeKeysFolder } from '../upgrade/upgrade-state.ts';
import { UpgradeOrders } from './upgrade-orders.ts';

const signer = createSigner();
const CONTENT = randomBytes(300_000);
const WAIT = { timeout: deadline(20_000), interval: 20 };

let folder: string;
let dataDir: string;
let cloud: Server;
let orders: UpgradeOrders;
let reports: EdgeUpgradeReport[];
let ranges: (string | undefined)[];
let order: UpgradeOrder | null;
/** How the cloud answers a request for the package. */
let sendPackage: (response: ServerResponse, range: string | undefined) => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-orders-'));
  dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  [reports, ranges, order] = [[], [], newOrder()];
  sendPackage = sendWhole;
  cloud = createServer(async (request, response) => {
    if (request.method === 'POST') {
      reports.push(EdgeUpgradeReportSchema.parse(await json(request)));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ order }));
      return;
    }
    ranges.push(request.headers.range);
    sendPackage(response, request.headers.range);
  });
  await new Promise<void>((resolve) => cloud.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await orders.stop();
  cloud.closeAllConnections();
  cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(): void {
  const { port } = cloud.address() as AddressInfo;
  orders = new UpgradeOrders({
    cloud: { httpUrl: `http://127.0.0.1:${port}`, siteId: 'site', secret: 'secret' },
    dataDir,
    clock: systemClock,
    log: createLog('edge', 'silent'),
    timing: { askEveryMs: 40, reportEveryMs: 40 },
  });
  orders.start();
}

function newOrder(content = CONTENT): UpgradeOrder {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return {
    id: randomUUID(),
    version: '9.0.0',
    bytes: content.length,
    sha256,
    signature: signer.sign(content),
  };
}

function sendWhole(response: ServerResponse): void {
  response.end(CONTENT);
}

/** The report of root's unit about an upgrade. */
function installerReports(outcome: string, reason: string | null = null): void {
  const state = {
    outcome,
    orderId: order?.id,
    from: VERSION,
    to: '9.0.0',
    reason,
    at: '2026-11-23T08:00:00.000Z',
  };
  mkdirSync(upgradeFolder(dataDir), { recursive: true });
  writeFileSync(join(upgradeFolder(dataDir), 'state.json'), JSON.stringify(state));
}

const offered = () => {
  const path = join(orderFolder(dataDir), ORDER_FILE);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
};
const outcomes = () => [...new Set(reports.map(({ upgrade }) => upgrade?.outcome ?? null))];

it('brings a package, leaves it to root’s unit, and reports each step', async () => {
  start();
  await vi.waitFor(() => expect(offered()).toMatchObject({ id: order?.id, version: '9.0.0' }), WAIT);
  expect(readFileSync(join(orderFolder(dataDir), ORDERED_PACKAGE)).equals(CONTENT)).toBe(true);
  installerReports('working');
  await vi.waitFor(() => expect(outcomes()).toContain('working'), WAIT);
  installerReports('refused', 'it was never the moment');
  await vi.waitFor(() => expect(reports.at(-1)?.upgrade?.reason).toBe('it was never the moment'), WAIT);
  expect(outcomes()).toEqual([null, 'downloading', 'working', 'refused']);
  expect(reports[0]).toMatchObject({ version: VERSION, acceptsOrders: false });
  expect(ranges).toEqual([undefined]);
});

it('reports whether the site trusts a key', async () => {
  mkdirSync(upgradeKeysFolder(dataDir), { recursive: true });
  writeFileSync(join(upgradeKeysFolder(dataDir), 'a.pub'), signer.publicKey);
  order = null;
  start();
  await vi.waitFor(() => expect(reports.at(-1)).toMatchObject({ acceptsOrders: true, upgrade: null }), WAIT);
});

it('goes on with a download that was cut off', async () => {
  sendPackage = (response, range) => {
    const from = Number(range?.match(/\d+/)?.[0] ?? 0);
    const rest = CONTENT.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length });
    if (from > 0) return response.end(rest);
    response.write(rest.subarray(0, 100_000), () => response.destroy());
    return;
  };
  start();
  await vi.waitFor(() => expect(offered()).toMatchObject({ id: order?.id }), WAIT);
  expect(readFileSync(join(orderFolder(dataDir), ORDERED_PACKAGE)).equals(CONTENT)).toBe(true);
  expect(ranges.at(-1)).toMatch(/^bytes=\d+-$/);
});

it('refuses a package with another sum, and downloads it once only', async () => {
  sendPackage = (response) => response.end(randomBytes(CONTENT.length));
  start();
  await vi.waitFor(() => expect(reports.at(-1)?.upgrade?.outcome).toBe('refused'), WAIT);
  const before = reports.length;
  await vi.waitFor(() => expect(reports.length).toBeGreaterThan(before + 3), WAIT);
  expect(ranges).toHaveLength(1);
  expect(reports.at(-1)?.upgrade?.reason).toMatch(/^the package arrived with the sum [0-9a-f]{64}$/);
  expect(offered()).toBeNull();
});

it('never offers an order that was withdrawn while its package was on its way', async () => {
  let finish = () => undefined as unknown;
  sendPackage = (response) => {
    response.writeHead(200, { 'content-length': CONTENT.length }).write(CONTENT.subarray(0, 1000));
    finish = () => response.end(CONTENT.subarray(1000));
  };
  start();
  await vi.waitFor(() => expect(ranges).toHaveLength(1), WAIT);
  order = null;
  finish();
  const before = reports.length;
  await vi.waitFor(() => expect(reports.length).toBeGreaterThan(before + 3), WAIT);
  expect(offered()).toBeNull();
  expect(existsSync(orderFolder(dataDir))).toBe(false);
});

it('goes on where it was after a restart', async () => {
  start();
  await vi.waitFor(() => expect(offered()).not.toBeNull(), WAIT);
  await orders.stop();
  rmSync(join(orderFolder(dataDir), ORDER_FILE));
  start();
  await vi.waitFor(() => expect(offered()).toMatchObject({ id: order?.id }), WAIT);
  expect(ranges).toHaveLength(1);
});
