import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { CameraSettingsSchema, SiteSettingsSchema } from '@hlid/protocol/records/lane';
import type { Visit } from '@hlid/protocol/records/visit';
import type { Permit } from '@hlid/protocol/records/whitelist';
import type {
  QuotaItem,
  SiteChange,
  SiteChangeBody,
  VehicleItem,
} from '@hlid/protocol/site-link/site-change';
import {
  type GateOutcome,
  type LaneAlert,
  type SiteEvent,
  SiteEventSchema,
  type StoredRead,
} from '@hlid/protocol/site-link/site-event';
import type { Product } from '@hlid/protocol/tariff/product';
import { pino } from 'pino';
import type { CameraClocks } from '../src/camera/camera-clock.ts';
import type { CameraLane } from '../src/config/camera-lanes.ts';
import { SiteCore } from '../src/daemon/site-core.ts';
import { GroupCommit } from '../src/db/group-commit.ts';
import { openSiteDb, type SiteDb, siteDbPath } from '../src/db/site-db.ts';
import type { Gate, GateReport } from '../src/gate/gate.ts';
import type { GateCommand } from '../src/gate/gate-mode.ts';
import type { LaneDevices } from '../src/lane/lane-devices.ts';
import { type LoopSource, NO_LOOP } from '../src/loop/loop-source.ts';
import { EventLog } from '../src/outbox/event-log.ts';
import { RetentionSchema } from '../src/retention/retention-config.ts';
import type { BootClock } from '../src/visit/clock-memory.ts';

/** A gate that the test commands, and that counts. */
export interface TestGate extends Gate {
  pulses: number;
  /** Its commands in order, pulses apart. */
  commands: ('hold' | 'release' | 'close')[];
  outcome: GateOutcome;
  reports: GateReport | null;
}

function testGate(): TestGate {
  const gate: TestGate = {
    pulses: 0,
    commands: [],
    outcome: 'done',
    reports: null,
    async pulse() {
      gate.pulses++;
      return gate.outcome;
    },
    async hold() {
      gate.commands.push('hold');
      return gate.outcome;
    },
    async release() {
      gate.commands.push('release');
      return gate.outcome;
    },
    async close() {
      gate.commands.push('close');
      return gate.outcome;
    },
    report: async () => gate.reports ?? 'unknown',
  };
  return gate;
}

/** A loop on which the test puts cars. */
export interface TestLoop extends LoopSource {
  set(occupied: boolean | null): void;
}

function testLoops() {
  return { arrival: testLoop(), passed: testLoop() };
}

function testLoop(): TestLoop {
  let now: boolean | null = false;
  const listeners: (() => void)[] = [];
  return {
    occupied: () => now,
    watch: (listener) => void listeners.push(listener),
    set(occupied) {
      now = occupied;
      for (const listener of listeners) listener();
    },
  };
}

/**
 * An empty database of this version. It is made once in a process, since making its tables takes longer than
 * most tests.
 */
let emptyFile: Buffer | undefined;

function makeEmptyFile(): Buffer {
  const db = openSiteDb(':memory:');
  const bytes = db.serialize();
  db.close();
  return bytes;
}

/** Two entrances and two exits, on a real database; time moves only when the test moves it. */
export function createTestSite(
  options: {
    settings?: Record<string, unknown>;
    folder?: string;
    start?: string;
    /** Loops at every lane. */
    withLoops?: boolean;
    readsNeedArrival?: boolean;
    /** The cameras' learned clocks; absent: the test sets them, in `behind` and `doubted`. */
    clocks?: CameraClocks;
    /** A way to pay that works. */
    kioskWorks?: boolean;
    gateOpenMs?: number;
    gateToggles?: boolean;
    /** Lanes without a gate. */
    gateless?: readonly LaneId[];
    /** The machine's monotonic clock. */
    boot?: () => BootClock;
    onRelayCommand?: (sinceDocumentMs: number) => void;
    /** One camera over several of the lanes, beside those that each lane has. */
    split?: { id: string; lanes: CameraLane[] };
  } = {},
) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'hlid-site-'));
  let setBy = 0;
  let time = Date.parse(options.start ?? '2026-11-21T08:00:00.000Z');
  const dbPath = siteDbPath(folder);
  emptyFile ??= makeEmptyFile();
  if (!existsSync(dbPath)) writeFileSync(dbPath, emptyFile);
  const db: SiteDb = openSiteDb(dbPath);
  // The numbers go on in a folder that was used before, as after a restart.
  let made = Number(db.prepare('SELECT count(*) FROM read').pluck().get());
  const gates = { 'in-1': testGate(), 'in-2': testGate(), 'out-1': testGate(), 'out-2': testGate() };
  const loops = { 'in-1': testLoops(), 'in-2': testLoops(), 'out-1': testLoops(), 'out-2': testLoops() };
  const behind = new Map<string, number>();
  const doubted = new Set<string>();
  const forgotten: string[] = [];
  const gateless: readonly string[] = options.gateless ?? [];
  const lane = (id: LaneId, name: string, direction: 'entry' | 'exit') => ({
    id,
    name,
    direction,
    gate: gateless.includes(id)
      ? { kind: 'none' as const }
      : { kind: 'http' as const, mode: 'pulse' as const, ...HTTP_GATE },
    ...(options.gateOpenMs && { gateOpenMs: options.gateOpenMs }),
    ...(options.gateToggles && { gateToggles: true }),
    ...(options.readsNeedArrival && direction === 'entry' && { loops: { readsNeedArrival: true } }),
  });
  const clock = { now: () => new Date(time) };
  const log = pino({ enabled: false });
  const commit = new GroupCommit(db);
  const context = { db, commit, events: EventLog.open({ db, commit }), clock, log };
  const devices = new Map<string, LaneDevices>(
    LANES.map((id) => {
      const noLoops = { arrival: NO_LOOP, passed: NO_LOOP };
      return [
        id,
        { gate: gateless.includes(id) ? null : gates[id], loops: options.withLoops ? loops[id] : noLoops },
      ];
    }),
  );
  const core = new SiteCore(context, {
    config: {
      site: {
        name: 'Test',
        timeZone: 'Atlantic/Reykjavik',
        currency: 'ISK',
        settings: SiteSettingsSchema.parse(options.settings ?? {}),
      },
      lanes: [
        lane('in-1', 'In', 'entry'),
        lane('in-2', 'In 2', 'entry'),
        lane('out-1', 'Out', 'exit'),
        lane('out-2', 'Out 2', 'exit'),
      ],
      cameras: [
        ...CAMERAS.map((id) => ({ ...CAMERA, id, lane: id.slice('cam-'.length) })),
        ...(options.split ? [{ ...CAMERA, ...options.split, lane: 'in-1' }] : []),
      ],
      retention: RetentionSchema.parse({}),
    },
    devices,
    cameraClocks: options.clocks ?? {
      clockBehindMs: (cameraId) => behind.get(cameraId) ?? 0,
      inDoubt: (cameraId) => doubted.has(cameraId),
      shift: () => undefined,
    },
    ...(options.onRelayCommand && { onRelayCommand: options.onRelayCommand }),
    deletePictures: async (readIds) => void forgotten.push(...readIds),
    tick: () => time - setBy,
    ...(options.boot && { boot: options.boot }),
  });
  core.start();
  core.lanes.setKiosk(options.kioskWorks ? 'works' : 'none');

  // A device first reports the state of its inputs.
  for (const { arrival, passed } of Object.values(loops)) {
    arrival.set(false);
    passed.set(false);
  }

  let { n } = core.feed.position();

  const site = {
    core,
    db,
    gates,
    loops,
    behind,
    doubted,
    /** Reads whose pictures were to go. */
    forgotten,
    folder,
    now: () => utcTime(time),
    wait: (ms: number) => {
      time += ms;
    },
    /** Sets the clock, while no time passes. */
    setClock: (byMs: number) => {
      time += byMs;
      setBy += byMs;
    },
    /** A read of a plate at a lane; resolves when the gate has moved too. */
    async read(laneId: keyof typeof gates, plate: string | null, more: Partial<PlateRead> = {}) {
      const read = testRead(plate, { eventKey: `event-${++made}`, ...more });
      core.checkClock();
      if (read.capturedAt !== null) {
        const captured = new Date(read.capturedAt);
        options.clocks?.observe(`cam-${laneId}`, captured, new Date(time), read.eventKey);
      }
      const result = await core.reads.handle(
        `cam-${laneId}`,
        { kind: 'test', reads: [read], heartbeat: false, pictures: [] },
        new Date(time),
      );
      await gatesAtRest(site.core);
      return result;
    },
    /** A person's command at a gate. */
    execute: (command: GateCommand) => core.lanes.get(command.laneId)?.gate.execute(command),
    change(...bodies: SiteChangeBody[]) {
      const changes: SiteChange[] = bodies.map((change) => ({
        n: ++n,
        mark: String(n).padStart(16, '0'),
        change,
      }));
      return core.feed.apply(changes);
    },
    permit: (plate: string, more: Partial<Permit> = {}) =>
      site.change({
        kind: 'permit',
        op: 'put',
        id: more.id ?? `permit-${plate}`,
        item: testPermit(plate, more),
      }),
    price: (priceMinor = 500, vehicleCategory: 'light' | 'heavy' = 'light', more: Partial<Product> = {}) =>
      site.change({
        kind: 'product',
        op: 'put',
        id: `day-${vehicleCategory}`,
        item: {
          id: `day-${vehicleCategory}`,
          type: 'default',
          priceMinor,
          currency: 'ISK',
          vatRate: 24,
          vehicleCategory,
          category: null,
          name: { en: 'Day', is: 'Dagur' },
          productCode: 'DAY',
          config: { startTime: '00:00', endTime: '23:59' },
          version: 1,
          ...more,
        },
      }),
    /** A vehicle of the customer `acme`, since long before by default. */
    vehicle: (plate: string, more: Partial<VehicleItem> = {}) =>
      site.change({ kind: 'vehicle', op: 'put', id: plate, item: testVehicle(plate, more) }),
    /** A visit is paid for, or waived, elsewhere. */
    settle: (visitId: string, units: number, paymentStatus: 'kiosk' | 'void' = 'kiosk') => {
      const id = '01a1fc93-bdd6-7682-9b18-8dd0566e2418';
      const money = { amountMinor: 500 * units, currency: 'ISK', units };
      const item = { id, visitId, paymentStatus, ...money, settledAt: utcTime(time), by: 'account:1' };
      return site.change({ kind: 'settlement', op: 'put', id, item });
    },
    /** A quota of `acme` for light vehicles. */
    quota: (total: number, more: Partial<QuotaItem> = {}) => {
      const id = more.id ?? 'quota-1';
      const item = { id, customerId: 'acme', vehicleCategory: 'light' as const, total, used: 0, ...more };
      return site.change({ kind: 'quota', op: 'put', id, item });
    },
    /** The cloud has committed every event so far. */
    acknowledge: () => site.core.events.acknowledge(site.core.events.lastSeq()),
    events: (): SiteEvent[] =>
      core.events
        .after(0, 100_000, Number.POSITIVE_INFINITY)
        .map(({ json }) => SiteEventSchema.parse(JSON.parse(json))),
    /** The visits as the event log has them. */
    visits(): Visit[] {
      const visits = new Map<string, Visit>();
      for (const { body } of site.events()) if ('visit' in body) visits.set(body.visit.id, body.visit);
      return [...visits.values()];
    },
    /** The alerts of the lanes, with a decision or without. */
    alerts: (): LaneAlert[] =>
      site.events().flatMap(({ body }) => {
        if (body.type === 'lane.alert') return [body.alert];
        return body.type === 'passage.decided' ? body.alerts : [];
      }),
    /** The reads that the event log has, with a decision or without. */
    reads: (): StoredRead[] =>
      site.events().flatMap(({ body }) => ('read' in body && body.read ? [body.read] : [])),
    reasons: () =>
      site.events().flatMap(({ body }) => (body.type === 'passage.decided' ? [body.decision.reason] : [])),
    close() {
      core.stop();
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return site;
}

const LANES = ['in-1', 'in-2', 'out-1', 'out-2'] as const;
type LaneId = (typeof LANES)[number];
const CAMERAS = ['cam-in-1', 'cam-in-2', 'cam-out-1', 'cam-out-2'];
const CAMERA = {
  token: 'x'.repeat(16),
  directionReliable: true,
  opensOnGroup: false,
  settings: CameraSettingsSchema.parse({}),
};

const HTTP_GATE = {
  open: { method: 'POST' as const, url: 'http://127.0.0.1:9/', headers: {}, body: '' },
  releaseAfterMs: 1000,
  timeoutMs: 500,
  keepAlive: false,
};

export function testRead(plate: string | null, more: Partial<PlateRead> = {}): PlateRead {
  return {
    plate,
    plateRaw: plate ?? '',
    score: plate === null ? 0 : 0.95,
    country: null,
    direction: 'unknown',
    capturedAt: null,
    eventKey: 'event',
    relatedKeys: [],
    candidates: plate === null ? [] : [{ plate, score: more.score ?? 0.95 }],
    late: false,
    parked: false,
    ...more,
  };
}

export function testVehicle(plate: string, more: Partial<VehicleItem> = {}): VehicleItem {
  const custody = { customerId: 'acme', billing: null, from: '2026-01-01T00:00:00.000Z', until: null };
  return { plate, category: 'light', custody: [custody], ...more };
}

export function testPermit(plate: string, more: Partial<Permit> = {}): Permit {
  return {
    id: `permit-${plate}`,
    plate,
    effect: 'allow',
    type: 'permanent',
    visitId: null,
    activeFrom: null,
    expireAt: null,
    status: 'active',
    rules: [],
    ...more,
  };
}

/** Movements are written down after the gate has answered: waits for the commit that follows. */
async function gatesAtRest(core: SiteCore): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  for (let commits = 0; commits < 3; commits++) await core.commit.run(() => undefined);
}
