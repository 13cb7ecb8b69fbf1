import type { Clock } from '@hlid/node/clock';
import type { TlsFiles } from '@hlid/node/tls-files';
import { withTimeout } from '@hlid/node/with-timeout';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import type { Logger } from 'pino';
import { SOFTWARE } from '../base/software.ts';
import type { CameraWatch, SignsOfLife } from '../camera/camera-watch.ts';
import type { CloudTls } from '../cloud-access/cloud-tls.ts';
import type { LinkBoard } from '../cloud-link/link-view.ts';
import { type EdgeConfig, onvifOptions } from '../config/config.ts';
import type { HealthSignal } from '../config/health-state.ts';
import { type SiteDb, siteDbPath } from '../db/site-db.ts';
import type { Gate, GateLogin } from '../gate/gate.ts';
import type { LaneStatus } from '../lane/lane-status.ts';
import type { OnvifDevice } from '../onvif/onvif-device.ts';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import { readUpgradeState } from '../upgrade/upgrade-state.ts';
import { CameraSilenceMonitor } from './camera-silence-monitor.ts';
import { DeviceHealth, type DeviceView, type HealthContext } from './device-health.ts';
import { type DeviceRef, siteWide } from './device-ref.ts';
import { GateMonitor } from './gate-monitor.ts';
import { HealthStore } from './health-store.ts';
import type { KioskScreen } from './kiosk-screen.ts';
import { LinkMonitor } from './link-monitor.ts';
import type { Metrics } from './metrics.ts';
import {
  type Certificates,
  type DatabaseState,
  type OrphanedTerminals,
  type RememberedClock,
  SiteMonitor,
  type SiteTerminal,
  type WaitingPictures,
} from './site-monitor.ts';

export interface HealthParts {
  config: Pick<
    EdgeConfig,
    'cameras' | 'lanes' | 'kiosk' | 'terminal' | 'cloud' | 'dataDir' | 'health' | 'backup'
  >;
  db: SiteDb;
  core: Pick<HealthContext, 'commit' | 'events'> & { lanes: Pick<LaneStatus, 'subscribe'> };
  watch: CameraWatch & SignsOfLife;
  onvif: OnvifDevices;
  gates: ReadonlyMap<string, Pick<Gate, 'login' | 'problem' | 'check'>>;
  /** The device of a lane's gate was reached, and nothing has moved. */
  onGateReached?: (laneId: string) => void;
  link: LinkBoard | null;
  /** Null or absent: the site has no card terminal. */
  payments?: SiteTerminal | null;
  /** The settings that apply now. */
  settings: () => SiteSettings;
  /** Whether the cloud's payment page takes no cards now; absent: it always does. */
  isOnlineOff?: () => boolean;
  /** Terminals that the site does not have any more. */
  orphanedPayments?: OrphanedTerminals;
  /** Absent: nothing is expected of it. */
  kiosk?: KioskScreen;
  pictures: () => WaitingPictures;
  /** Absent: nothing is remembered of the site's clock. */
  siteClock?: RememberedClock;
  /** The certificates of the site, and the cloud's as it was last seen. */
  tls?: { cloud: CloudTls | null; cameras: TlsFiles | null };
  metrics: Metrics;
  /** Absent: it is on the disk, as it should be. */
  database?: DatabaseState;
  clock: Clock;
  tick?: () => number;
  log: Logger;
}

/** The health of the site: kept up to date, reported to the cloud, shown to people and to Prometheus. */
export class Health {
  readonly #parts: Pick<HealthParts, 'gates'> & { payments: SiteTerminal | null };
  readonly #onvif: ReturnType<typeof devicesBehind>;
  readonly #gateLogins: ReadonlyMap<string, GateLogin>;
  readonly #devices: DeviceHealth;
  readonly #gateMonitor: GateMonitor;
  readonly #monitor: SiteMonitor;

  constructor(parts: HealthParts) {
    const { config, core, watch, link, metrics, clock, log, tls } = parts;
    const tick = parts.tick ?? (() => performance.now());
    const { commit, events, lanes: board } = core;
    const store = new HealthStore(parts.db);
    if (store.load().some(({ kind }) => kind === 'kiosk')) parts.kiosk?.expect();
    const context: HealthContext = { store, events, commit, clock, tick, log };
    this.#parts = { gates: parts.gates, payments: parts.payments ?? null };
    this.#onvif = devicesBehind(config, parts.onvif);
    this.#gateLogins = defined(parts.gates, ({ login }) => login);
    const devices = new DeviceHealth(context, devicesOf(parts), nameIn(config));
    const links = new LinkMonitor({
      devices,
      store,
      link: config.cloud ? link : null,
      settings: config.health,
      tick,
      now: () => clock.now().getTime(),
    });
    const gates = new GateMonitor({
      devices,
      board,
      onvif: this.#onvif.gates,
      logins: this.#gateLogins,
      problems: defined(parts.gates, ({ problem }) => problem),
      checks: defined(parts.gates, (gate) => gate.check?.bind(gate)),
      onReached: parts.onGateReached ?? (() => undefined),
      onFailure: () => this.#monitor.checkSoon(),
    });
    this.#devices = devices;
    this.#gateMonitor = gates;
    this.#monitor = new SiteMonitor(context, {
      devices,
      gates,
      link: links,
      cameras: watch,
      onvifCameras: this.#onvif.cameras,
      silence: new CameraSilenceMonitor(
        context,
        config.cameras.map(({ id }) => id),
      ),
      cloud: link &&
        config.cloud && {
          isConnected: () => link.view().connected,
          httpUrl: config.cloud.httpUrl,
          ...(tls?.cloud && { tls: tls.cloud }),
          pictures: parts.pictures,
        },
      siteClock: parts.siteClock ?? null,
      payments: parts.payments ?? null,
      kiosk: parts.kiosk ?? null,
      paySettings: config.lanes.some(({ direction }) => direction === 'exit') ? parts.settings : null,
      isOnlineOff: parts.isOnlineOff ?? (() => false),
      orphanedPayments: parts.orphanedPayments ?? null,
      commitFault: () => metrics.commitFault(),
      database: parts.database ?? { unwritable: null, setAside: () => [] },
      certificates: () => certificatesOf(tls),
      dataDir: config.dataDir,
      makesBackups: config.backup !== null,
      settings: config.health,
    });
    metrics.watch({
      devices: () => devices.devices(),
      cameras: () => watch.cameras(),
      link: link && (() => link.view()),
      kioskSeenAt: () => parts.kiosk?.lastSeenAt() ?? null,
      disk: () => this.#monitor.disk(),
      listsAgeMs: () => links.listsAgeMs(),
      cloudAheadMs: () => this.#monitor.cloudAheadMs(),
      certificates: () => certificatesOf(tls).certificates,
      nowMs: () => clock.now().getTime(),
      databasePath: siteDbPath(config.dataDir),
      software: SOFTWARE,
    });
  }

  async start(): Promise<void> {
    await this.#monitor.start();
  }

  async stop(): Promise<void> {
    await this.#monitor.stop();
  }

  /** Checks everything now, which otherwise happens at intervals. */
  async check(): Promise<void> {
    await this.#monitor.check();
  }

  devices(): DeviceView[] {
    return this.#devices.devices();
  }

  /** Calls the listener after each change. @returns ends the subscription */
  subscribe(listener: () => void): () => void {
    return this.#devices.subscribe(listener);
  }

  /**
   * Connects to a device now, without the pause between retries and in spite of earlier refusals.
   *
   * @returns the device's state then, or after the timeout; a reason where there is no such device or no way
   *   to connect to it
   */
  async checkDevice(ref: DeviceRef, timeoutMs: number): Promise<DeviceView | 'no-device' | 'not-checkable'> {
    const find = () => this.devices().find(({ kind, id }) => kind === ref.kind && id === ref.id);
    if (!find()) return 'no-device';
    const check = this.#checkOf(ref);
    if (check === null) return 'not-checkable';
    await withTimeout(check(), timeoutMs, () => undefined);
    await this.#monitor.check();
    await this.#devices.judgeNow(ref);
    return find() ?? 'no-device';
  }

  #checkOf({ kind, id }: DeviceRef): (() => Promise<void>) | null {
    const { gates, payments } = this.#parts;
    if (kind === 'camera') {
      const device = this.#onvif.cameras.get(id);
      return device ? () => device.check() : null;
    }
    if (kind === 'gate') {
      const gate = gates.get(id);
      if (!gate?.check) return null;
      const check = gate.check.bind(gate);
      return async () => this.#gateMonitor.noteCheck(id, await check());
    }
    return kind === 'terminal' && payments?.terminalId === id ? () => payments.check() : null;
  }

  /** Reports the health of a device for another part of the program. */
  report(device: DeviceRef, source: string, signal: HealthSignal | null): void {
    this.#devices.report(device, source, signal);
  }

  /**
   * Logs in again at devices that have refused our login. Nothing else does, since devices lock an account
   * after repeated failures.
   *
   * @param device null: every device that has refused
   * @returns the devices that are tried again; null: there is no such device, or it has not refused
   */
  tryAgain(device: DeviceRef | null): DeviceRef[] | null {
    const { cameras, gates } = this.#onvif;
    const refusing = [
      ...refused('camera', cameras, (behind) => behind.state().state === 'login-refused'),
      ...refused('gate', gates, (behind) => behind.state().state === 'login-refused'),
      ...refused('gate', triable(this.#gateLogins), (login) => login.state() === 'refused'),
    ].filter(({ ref }) => device === null || (ref.kind === device.kind && ref.id === device.id));
    for (const behind of new Set(refusing.map((one) => one.behind))) behind.tryAgain();
    return device !== null && refusing.length === 0 ? null : refusing.map(({ ref }) => ref);
  }
}

function usesTls({ cloud }: HealthParts['config'], tls: HealthParts['tls']): boolean {
  const addresses = cloud ? [cloud.httpUrl, cloud.mqttUrl] : [];
  return Boolean(tls?.cameras) || addresses.some((url) => /^(?:https|mqtts|wss):/.test(url));
}

function certificatesOf(tls: HealthParts['tls']): Certificates {
  const { cloud, cameras } = tls ?? {};
  const problem = cameras?.problem() ?? null;
  return {
    certificates: [...(cloud?.certificates() ?? []), ...(cameras?.certificates() ?? [])],
    problems: [...(cloud?.problems() ?? []), ...(problem === null ? [] : [problem])],
  };
}

/** Whether drivers may have to pay at a card terminal of the site before an exit opens. */
function paysAtTerminal({ config, payments }: HealthParts): boolean {
  return Boolean(payments) && config.lanes.some(({ direction }) => direction === 'exit');
}

/** The devices and services with a known health. */
function devicesOf(parts: HealthParts): DeviceRef[] {
  const { config, link, payments, orphanedPayments, kiosk, tls } = parts;
  const terminals = [...(payments ? [payments.terminalId] : []), ...(orphanedPayments?.signs().keys() ?? [])];
  return [
    ...config.cameras.map(({ id }): DeviceRef => ({ kind: 'camera', id })),
    ...config.lanes.flatMap(({ id, gate }): DeviceRef[] =>
      gate.kind === 'none' ? [] : [{ kind: 'gate', id }],
    ),
    ...terminals.map((id): DeviceRef => ({ kind: 'terminal', id })),
    ...config.lanes.flatMap(({ id, codeReader }): DeviceRef[] =>
      codeReader === undefined ? [] : [{ kind: 'code-reader', id }],
    ),
    ...(kiosk?.isWatched() ? [siteWide('kiosk')] : []),
    ...(['disk', 'database', 'clock'] as const).map(siteWide),
    ...(usesTls(config, tls) ? [siteWide('certificate')] : []),
    ...(paysAtTerminal(parts) ? [siteWide('payment')] : []),
    ...(config.backup === null ? [] : [siteWide('backup')]),
    ...(readUpgradeState(config.dataDir) === null ? [] : [siteWide('upgrade')]),
    ...(link && config.cloud ? (['link', 'lists', 'outbox', 'pictures'] as const).map(siteWide) : []),
  ];
}

/** Gates and cameras are called by the lanes at which they stand, terminal and kiosk as they are configured. */
function nameIn({
  lanes,
  cameras,
  kiosk,
  terminal,
}: HealthParts['config']): (device: DeviceRef) => string | undefined {
  const laneName = (laneId: string | undefined) => lanes.find(({ id }) => id === laneId)?.name;
  return ({ kind, id }) => {
    if (kind === 'gate' || kind === 'code-reader') return laneName(id);
    if (kind === 'kiosk') return kiosk.name;
    if (kind === 'terminal') return terminal?.id === id ? terminal.name : undefined;
    if (kind !== 'camera') return undefined;
    const camera = cameras.find((one) => one.id === id);
    const seen = camera?.lanes?.map(({ lane }) => lane) ?? [camera?.lane];
    return [...new Set(seen.flatMap((lane) => laneName(lane) ?? []))].join(', ') || undefined;
  };
}

/** The gates that have this, with it. */
function defined<Value>(
  gates: HealthParts['gates'],
  pick: (gate: Pick<Gate, 'login' | 'problem' | 'check'>) => Value | undefined,
): Map<string, Value> {
  return new Map(
    [...gates].flatMap(([id, gate]) => {
      const value = pick(gate);
      return value === undefined ? [] : [[id, value] as const];
    }),
  );
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

/** The logins that can be tried alone; the others are tried with the next movement. */
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
