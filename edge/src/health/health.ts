import type { Logger } from 'pino';
import type { CameraWatch, SignsOfLife } from '../camera/camera-watch.ts';
import type { Clock } from '../clock.ts';
import { type EdgeConfig, onvifOptions } from '../config.ts';
import { type SiteDb, siteDbPath } from '../db/site-db.ts';
import type { Gate, GateLogin } from '../gate/gate.ts';
import type { LinkBoard } from '../local-api/link-view.ts';
import type { OnvifDevice } from '../onvif/onvif-device.ts';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import type { OrphanedPayments } from '../payment/orphaned-payments.ts';
import type { PaymentService } from '../payment/payment-service.ts';
import type { SiteCore } from '../site-core.ts';
import { SOFTWARE } from '../software.ts';
import { createCameraEar } from './camera-ear.ts';
import { type DeviceRef, siteWide } from './device-ref.ts';
import { createHealthBook, type DeviceView, type HealthBook } from './health-book.ts';
import { createHealthStore } from './health-store.ts';
import type { Metrics } from './metrics.ts';
import { createSiteWatch, type DatabaseState, type WaitingPictures } from './site-watch.ts';

/** How the site is: kept up to date, told to the cloud, shown to people and to Prometheus. */
export interface Health {
  devices(): DeviceView[];
  /** Called after something has changed. @returns ends the subscription */
  subscribe(listener: () => void): () => void;
  /** For whatever knows how a device is. */
  report: HealthBook['report'];
  /**
   * Tries again where a device has refused our login: nobody else does, since devices lock out who fails too often.
   *
   * @param device null: wherever it is so
   * @returns the devices that are tried again; null: there is no such device, or nothing to try
   */
  tryAgain(device: DeviceRef | null): DeviceRef[] | null;
  /** Looks at everything at once, which otherwise is done every few seconds. */
  look(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createHealth(parts: {
  config: Pick<EdgeConfig, 'cameras' | 'lanes' | 'cloud' | 'dataDir' | 'health'>;
  db: SiteDb;
  core: Pick<SiteCore, 'board' | 'commit' | 'events'>;
  watch: CameraWatch & SignsOfLife;
  onvif: OnvifDevices;
  gates: ReadonlyMap<string, Pick<Gate, 'login' | 'problem'>>;
  link: LinkBoard | null;
  /** Null or absent: the site has no card terminal. */
  payments?: Pick<PaymentService, 'terminalId' | 'signs'> | null;
  /** Of terminals that it has no more. */
  orphanedPayments?: Pick<OrphanedPayments, 'signs'>;
  pictures: () => WaitingPictures;
  metrics: Metrics;
  /** Absent: it lies on the disk, as it should. */
  database?: DatabaseState;
  clock: Clock;
  tick?: () => number;
  log: Logger;
}): Health {
  const { config, core, watch, link, metrics, clock, log } = parts;
  const { commit, events, board } = core;
  const tick = parts.tick ?? (() => performance.now());
  const store = createHealthStore(parts.db);
  const onvif = devicesBehind(config, parts.onvif);
  const gateLogins = new Map(
    [...parts.gates].flatMap(([id, { login }]): [string, GateLogin][] => (login ? [[id, login]] : [])),
  );
  const gateProblems = new Map(
    [...parts.gates].flatMap(([id, { problem }]) => (problem ? [[id, problem] as const] : [])),
  );
  const cloud = link && config.cloud && { link, httpUrl: config.cloud.httpUrl };
  const book = createHealthBook({
    devices: [
      ...config.cameras.map(({ id }): DeviceRef => ({ kind: 'camera', id })),
      ...config.lanes.map(({ id }): DeviceRef => ({ kind: 'gate', id })),
      ...(parts.payments ? [{ kind: 'terminal' as const, id: parts.payments.terminalId }] : []),
      ...[...(parts.orphanedPayments?.signs().keys() ?? [])].map((id) => ({ kind: 'terminal' as const, id })),
      ...(['disk', 'database', 'clock'] as const).map(siteWide),
      ...(cloud ? (['link', 'lists', 'outbox', 'pictures'] as const).map(siteWide) : []),
    ],
    ...{ store, events, commit, clock, tick, log },
  });
  const siteWatch = createSiteWatch({
    ...{ book, store, commit, board, onvif, gateLogins, gateProblems, cloud, clock, tick, log },
    ear: createCameraEar({ cameraIds: config.cameras.map(({ id }) => id), store, clock }),
    cameras: watch,
    pictures: cloud && parts.pictures,
    payments: parts.payments ?? null,
    orphanedPayments: parts.orphanedPayments ?? null,
    commitFault: metrics.commitFault,
    database: parts.database ?? { unwritable: null, setAside: () => [] },
    dataDir: config.dataDir,
    settings: config.health,
  });
  metrics.watch({
    devices: book.devices,
    cameras: watch.cameras,
    link: link && (() => link.view()),
    disk: siteWatch.disk,
    listsAgeMs: siteWatch.listsAgeMs,
    cloudAheadMs: siteWatch.cloudAheadMs,
    databasePath: siteDbPath(config.dataDir),
    software: SOFTWARE,
  });

  return {
    devices: book.devices,
    subscribe: book.subscribe,
    report: book.report,
    tryAgain(device) {
      const held = [
        ...refused('camera', onvif.cameras, (behind) => behind.state().state === 'login-refused'),
        ...refused('gate', onvif.gates, (behind) => behind.state().state === 'login-refused'),
        ...refused('gate', triable(gateLogins), (login) => login.state() === 'refused'),
      ].filter(({ ref }) => device === null || (ref.kind === device.kind && ref.id === device.id));
      for (const behind of new Set(held.map((one) => one.behind))) behind.tryAgain();
      return device !== null && held.length === 0 ? null : held.map(({ ref }) => ref);
    },
    look: siteWatch.look,
    start: siteWatch.start,
    stop: siteWatch.stop,
  };
}

/** The ONVIF devices that cameras and gates are; one may be several of them. */
function devicesBehind(config: Pick<EdgeConfig, 'cameras' | 'lanes'>, onvif: OnvifDevices) {
  const cameras = new Map<string, OnvifDevice>();
  const gates = new Map<string, OnvifDevice>();
  for (const camera of config.cameras) {
    const options = onvifOptions(camera);
    if (options) cameras.set(camera.id, onvif.at(options));
  }
  for (const { id, gate } of config.lanes) {
    if (gate.kind !== 'onvif') continue;
    const { url, user, password, login, selfSigned, timeoutMs } = gate;
    gates.set(id, onvif.at({ url, user, password, login, selfSigned, timeoutMs }));
  }
  return { cameras, gates };
}

/** Of these a login can be tried by itself; the others are tried when they are next to move. */
function triable(logins: ReadonlyMap<string, GateLogin>) {
  return new Map(
    [...logins].flatMap(([id, { state, tryAgain }]) =>
      tryAgain ? [[id, { state, tryAgain }] as const] : [],
    ),
  );
}

/** The devices of a kind that have refused our login, with what can try again. */
function refused<Behind extends { tryAgain(): void }>(
  kind: 'camera' | 'gate',
  devices: ReadonlyMap<string, Behind>,
  hasRefused: (behind: Behind) => boolean,
) {
  return [...devices]
    .filter(([, behind]) => hasRefused(behind))
    .map(([id, behind]) => ({ behind, ref: { kind, id } satisfies DeviceRef }));
}
