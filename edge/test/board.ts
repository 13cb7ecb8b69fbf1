import { utcTime } from '@hlid/protocol/base/utc-time';
import { PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import { type BoardCar, laneState, type SiteBoard, waitingLanes } from '@hlid/protocol/site-link/site-board';
import { pino } from 'pino';
import { gateBoard, passageBoard } from '../src/board/site-boards.ts';
import type { CameraView } from '../src/camera/camera-watch.ts';
import type { LinkBoard, LinkView } from '../src/cloud-link/link-view.ts';
import type { OnSiteConfig } from '../src/config/config.ts';
import type { GateView } from '../src/gate/gate-mode.ts';
import type { DeviceView } from '../src/health/device-health.ts';
import type { DeviceRef } from '../src/health/device-ref.ts';
import type { LaneStatus, LaneUpdate, LaneView, ReadView } from '../src/lane/lane-status.ts';
import type { KioskApi } from '../src/local-api/kiosk-api.ts';
import { LocalApi } from '../src/local-api/local-api.ts';
import type { PassageView } from '../src/passage/passage-view.ts';
import type { PaymentService } from '../src/payment/payment-service.ts';

const START = '2026-11-21T08:30:00.000Z';

/** A board with an entrance and an exit on which the test makes things happen, and the local API that shows it. */
export function createTestBoard(
  options: {
    withoutCloud?: boolean;
    beatMs?: number;
    port?: number;
    onSite?: OnSiteConfig;
    payments?: Pick<PaymentService, 'forPerson' | 'recordFinding'>;
    /** The answer to the code of a payment. */
    acceptCode?: KioskApi['acceptCode'];
  } = {},
) {
  const now = new Date(START);
  let passages = 0;
  let disk: Promise<unknown> = Promise.resolve();
  const lanes: LaneView[] = [testLane('in-1', 'Entrance 1', 'entry'), testLane('out-1', 'Exit 1', 'exit')];
  const cameras: CameraView[] = lanes.map(({ id }) => {
    return {
      id: `cam-${id}`,
      laneId: id,
      lastSeenAt: START,
      lastReadAt: null,
      clockBehindMs: 0,
      clockSuspectedMs: 0,
      refused: null,
      mended: [],
      groupsOnly: false,
    };
  });
  const link: LinkView = {
    connected: true,
    since: START,
    lastError: null,
    seq: 7,
    acknowledged: 7,
    feedAt: 3,
    listsTrouble: null,
  };
  const devices: DeviceView[] = [
    ...cameras.map(({ id }) => testDevice('camera', id)),
    ...lanes.map(({ id }) => testDevice('gate', id)),
    testDevice('disk', 'site'),
  ];
  const deviceListeners = new Set<() => void>();
  const triedAgain: (DeviceRef | null)[] = [];
  const commands: object[] = [];
  /** The newest car of each lane, beside its passage. */
  const cars = new Map<string, Partial<BoardCar> & { stands?: boolean }>();
  const zones: SiteBoard['zones'] = [];
  const alerts: SiteBoard['alerts'] = [];
  const pictures = new Map<string, Buffer>();
  const boardListeners = new Set<() => void>();
  const laneListeners = new Set<(update: LaneUpdate) => void>();
  const linkListeners = new Set<() => void>();
  const board: LaneStatus = {
    lanes: () => lanes,
    subscribe(listener) {
      laneListeners.add(listener);
      return () => laneListeners.delete(listener);
    },
  };
  const linkBoard: LinkBoard = {
    view: () => ({ ...link }),
    listsDiffer: () => null,
    subscribe(listener) {
      linkListeners.add(listener);
      return () => linkListeners.delete(listener);
    },
  };
  const publish = (update: LaneUpdate) => {
    for (const listener of laneListeners) listener(update);
    publishBoard();
  };
  const publishBoard = () => {
    for (const listener of boardListeners) listener();
  };
  const siteBoard = (): SiteBoard => {
    const boards = lanes.map(({ id, name, direction, gate, passages: [newest, ...earlier] }) => {
      const { stands = newest?.open === false, ...known } = cars.get(newest?.id ?? '') ?? {};
      const car = newest && {
        ...passageBoard(newest),
        score: 0.9,
        cameAt: newest.at,
        photoId: `photo-${newest.id}`,
        ...({ picture: 'none', due: null, enteredAt: null } as const),
        ...known,
      };
      const state = laneState({ car: car ?? null, stands, gate }, utcTime(now));
      const about = { id, name, direction, ...state, car: car ?? null, gate: gateBoard(gate) };
      return { ...about, earlier: earlier.map(passageBoard) };
    });
    const alarms = devices.flatMap(({ alarm, lastError: _, ...device }) => (alarm ? [device] : []));
    const seen = { zones, alarms, alerts, waiting: waitingLanes(boards) };
    return { v: PROTOCOL_VERSION, at: utcTime(now), lanes: boards, ...seen };
  };
  const lane = (id: string): LaneView => {
    const found = lanes.find((one) => one.id === id);
    if (!found) throw new Error(`no lane ${id}`);
    return found;
  };

  return {
    api: new LocalApi({
      port: options.port ?? 0,
      board,
      boards: {
        board: siteBoard,
        subscribe(listener) {
          boardListeners.add(listener);
          return () => boardListeners.delete(listener);
        },
      },
      pictures: {
        async pictureOf(readId, kind) {
          const found = kind === 'vehicle' ? pictures.get(readId) : undefined;
          return found ? { contentType: 'image/jpeg', bytes: found } : null;
        },
      },
      onSite: options.onSite ?? { loopback: 'open' },
      link: options.withoutCloud ? null : linkBoard,
      cameras: () => cameras,
      health: {
        devices: () => devices,
        subscribe(listener) {
          deviceListeners.add(listener);
          return () => deviceListeners.delete(listener);
        },
        tryAgain(device) {
          triedAgain.push(device);
          return device?.id === 'nobody' ? null : [{ kind: 'camera', id: 'cam-in-1' }];
        },
        checkDevice: async ({ id }) => (id === 'nobody' ? 'no-device' : 'not-checkable'),
      },
      metrics: { text: async () => 'hlid_link_up 1\n', contentType: 'text/plain; version=0.0.4' },
      site: () => ({ name: 'Bílastæðið', timeZone: 'Atlantic/Reykjavik' }),
      commands: {
        move: async (command) => {
          commands.push(command);
          if (command.laneId !== null && !lanes.some(({ id }) => id === command.laneId))
            return 'unknown-lane';
          return [{ laneId: command.laneId ?? 'in-1', outcome: 'done' }];
        },
        moveForPerson: async (command) => {
          commands.push(command);
          const found = lanes.find(({ id }) => id === command.laneId);
          if (!found) return { outcome: 'unknown-lane' };
          const [newest] = found.passages;
          const { passageId = null } = command;
          if (passageId === null || passageId === newest?.id) return { outcome: 'done' };
          const { visitId = null, plate = null, at: since = START } = newest ?? {};
          return {
            outcome: 'stale',
            car: newest ? { passageId: newest.id, visitId, plate, since } : null,
          };
        },
      },
      payments: options.payments ?? { forPerson: () => [], recordFinding: async () => false },
      kiosk: {
        routes: [],
        start: () => undefined,
        stop: () => undefined,
        acceptCode: options.acceptCode ?? (async () => 'wrong-code'),
      },
      beginPause: () => ['a payment'],
      secret: 'the-secret',
      checkStorage: () => disk,
      clock: { now: () => now },
      log: pino({ enabled: false }),
      beatMs: options.beatMs ?? 60_000,
    }),
    cameras,
    /** The devices at which a refused login was to be tried again. */
    triedAgain,
    changeDevice(kind: DeviceView['kind'], id: string, change: Partial<DeviceView>): void {
      const device = devices.find((one) => one.kind === kind && one.id === id);
      if (!device) throw new Error(`no ${kind} ${id}`);
      Object.assign(device, change);
      for (const listener of deviceListeners) listener();
      publishBoard();
    },
    /** A device of the whole site, beside those of every test. */
    addDevice(kind: DeviceView['kind'], state: Partial<DeviceView>): void {
      devices.push({ ...testDevice(kind, 'site'), ...state });
    },
    /** The commands that the gates received. */
    commands,
    pass(laneId: string, more: Partial<PassageView> = {}): PassageView {
      const id = `0198c0de-0000-7000-8000-${String(++passages).padStart(12, '0')}`;
      const passage: PassageView = {
        id,
        at: utcTime(now),
        laneId,
        plate: 'ABX12',
        open: true,
        reason: 'permit',
        visitId: null,
        flags: [],
        gate: more.open === false ? 'untouched' : 'done',
        ...more,
      };
      const at = lane(laneId);
      const place = at.passages.findIndex((other) => other.id === passage.id && other.at === passage.at);
      const others = at.passages.filter((other) => other.id !== passage.id);
      at.passages = others.toSpliced(Math.max(place, 0), 0, passage).slice(0, 10);
      publish({ laneId, passage });
      return passage;
    },
    /** More of the newest car of a lane, and whether it stands there; its picture. */
    knowCar(
      laneId: string,
      { jpeg, ...more }: Partial<BoardCar> & { stands?: boolean; jpeg?: Buffer },
    ): void {
      const [newest] = lane(laneId).passages;
      if (!newest) throw new Error(`no car at ${laneId}`);
      if (jpeg) pictures.set(`photo-${newest.id}`, jpeg);
      cars.set(newest.id, { ...cars.get(newest.id), ...more, ...(jpeg && { picture: 'coming' }) });
      publishBoard();
    },
    zones,
    alerts,
    /** Shows an instruction on the lane display. */
    instruct(laneId: string, instruction: LaneView['instruction']): void {
      lane(laneId).instruction = instruction ?? null;
      publish({ laneId, instruction: instruction ?? null });
    },
    /** Time passes. */
    wait(ms: number): void {
      now.setTime(now.getTime() + ms);
      publishBoard();
    },
    read(laneId: string, read: Partial<ReadView>): void {
      const seen = { cameraId: `cam-${laneId}`, at: utcTime(now), plate: 'ABX12', score: 0.9 };
      publish({ laneId, read: { ...seen, standing: 'counts', reason: null, ...read } });
    },
    moveGate(
      laneId: string,
      state: GateView['state'],
      lastError: string | null = null,
      hold: GateView['hold'] = null,
    ): void {
      const gate = { state, since: utcTime(now), lastError, hold };
      lane(laneId).gate = gate;
      publish({ laneId, gate });
    },
    moveLink(change: Partial<LinkView>): void {
      Object.assign(link, change);
      for (const listener of linkListeners) listener();
    },
    breakDisk(message: string): void {
      disk = Promise.reject(new Error(message));
      disk.catch(() => undefined);
    },
  };
}

function testLane(id: string, name: string, direction: LaneView['direction']): LaneView {
  return {
    id,
    name,
    direction,
    gate: { state: 'closed', since: START, lastError: null, hold: null },
    passages: [],
  };
}

function testDevice(kind: DeviceView['kind'], id: string): DeviceView {
  return { kind, id, state: 'ok', since: START, detail: '', alarm: false, lastError: null };
}
