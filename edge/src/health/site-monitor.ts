import type { CertificateView } from '@hlid/node/tls-files';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import { readBackupState } from '../backup/backup-state.ts';
import { type DiskSpace, diskSpace } from '../base/disk-space.ts';
import { LOG_EVENTS } from '../base/events.ts';
import type { CameraWatch, SignsOfLife } from '../camera/camera-watch.ts';
import type { CloudAccess } from '../cloud-access/cloud-request.ts';
import type { HealthSettings } from '../config/config.ts';
import { HEALTHY, type HealthSignal } from '../config/health-state.ts';
import type { OnvifDevice } from '../onvif/onvif-device.ts';
import { readUpgradeState } from '../upgrade/upgrade-state.ts';
import type { CameraSilenceMonitor } from './camera-silence-monitor.ts';
import type { DeviceHealth, HealthContext } from './device-health.ts';
import { siteWide } from './device-ref.ts';
import type { GateMonitor } from './gate-monitor.ts';
import {
  backupSignal,
  cameraClockSignal,
  certificateSignal,
  diskSignal,
  groupsOnlySignal,
  mendedSignal,
  onvifSignal,
  paymentSignal,
  refusedSignal,
  setAsideSignal,
  unmeasuredDiskSignal,
  upgradeSignal,
  waitingSignal,
} from './health-signals.ts';
import type { KioskScreen } from './kiosk-screen.ts';
import type { LinkMonitor } from './link-monitor.ts';
import {
  checkClock,
  clockSignal,
  measureCloudTime,
  needsCloudTime,
  rememberedClockSignal,
  UNCHECKED_CLOCK,
} from './site-clock.ts';

const CHECK_EVERY_MS = 5000;
const MEASURE_EVERY_MS = MINUTE_MS;
/** The state is stored this often; this also finds a disk that cannot be written where no car comes. */
const SAVE_EVERY_MS = 10 * MINUTE_MS;

/** Pictures that wait to be sent to the cloud. */
export interface WaitingPictures {
  pictures: number;
  oldestAt: UtcTime | null;
}

/** The state of the site's database at the start. */
export interface DatabaseState {
  /** Why it cannot be written; null: it can. */
  unwritable: string | null;
  /** The names of damaged databases that wait for a person. */
  setAside: () => readonly string[];
}

/** The card terminal of the site, with its signals by subject. */
export interface SiteTerminal {
  terminalId: string;
  signs(): Readonly<Record<string, HealthSignal>> & { line: HealthSignal };
  /** Connects to it now. */
  check(): Promise<void>;
}

/** The known certificates, and why files of them cannot be used. */
export interface Certificates {
  certificates: readonly CertificateView[];
  problems: readonly string[];
}

/** Terminals that the site does not have any more, and at which payments are still open. */
export interface OrphanedTerminals {
  /** The signals by terminal. */
  signs(): ReadonlyMap<string, HealthSignal>;
}

/** The stored state of the site's clock. */
export interface RememberedClock {
  /** The clock is right. */
  confirm(): void;
  /** The time by which it is certainly behind; 0: nothing shows that. */
  certainlyBehindMs(): number;
}

interface SiteMonitorParts {
  devices: DeviceHealth;
  silence: CameraSilenceMonitor;
  gates: GateMonitor;
  link: LinkMonitor;
  cameras: Pick<CameraWatch, 'cameras'> & SignsOfLife;
  /** The ONVIF devices by camera. */
  onvifCameras: ReadonlyMap<string, OnvifDevice>;
  /** Null: the site runs without a cloud. */
  cloud:
    | (Pick<CloudAccess, 'httpUrl' | 'tls'> & {
        isConnected: () => boolean;
        pictures: () => WaitingPictures;
      })
    | null;
  siteClock: RememberedClock | null;
  payments: SiteTerminal | null;
  kiosk: KioskScreen | null;
  /** Null: no exit where a driver may have to pay at a terminal. */
  paySettings: (() => SiteSettings) | null;
  /** Whether the cloud's payment page takes no cards now. */
  isOnlineOff: () => boolean;
  orphanedPayments: OrphanedTerminals | null;
  /** Why the last commit failed; null: it did not. */
  commitFault: () => string | null;
  database: DatabaseState;
  certificates: () => Certificates;
  dataDir: string;
  makesBackups: boolean;
  settings: HealthSettings;
}

/** Checks everything at intervals, and reports how it is. Nothing of this runs while a driver waits. */
export class SiteMonitor {
  readonly #context: HealthContext;
  readonly #parts: SiteMonitorParts;
  readonly #orphanedTerminals = new Set<string>();
  #wasOnlineOff = false;
  #clock = UNCHECKED_CLOCK;
  #disk: DiskSpace | null = null;
  #setAside: readonly string[] = [];
  #measuredAt = Number.NEGATIVE_INFINITY;
  #savedAt: number;
  #isMeasuringCloud = false;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(context: HealthContext, parts: SiteMonitorParts) {
    this.#context = context;
    this.#parts = parts;
    this.#savedAt = context.tick();
  }

  async start(): Promise<void> {
    this.#parts.gates.start();
    await this.check();
    this.#timer = setInterval(() => this.#checkInBackground(), CHECK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#parts.gates.stop();
    await this.#save();
  }

  /** Checks in the next turn of the event loop: a gate has failed. */
  checkSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#checkInBackground();
    }, 0).unref();
  }

  /** A database that cannot be read must not end the daemon: it is replaced while the gates work. */
  #checkInBackground(): void {
    this.check().catch((err: unknown) => this.#context.log.error({ event: LOG_EVENTS.healthUnchecked, err }));
  }

  async check(): Promise<void> {
    const { gates, link, commitFault, devices, database } = this.#parts;
    const tick = this.#context.tick();
    this.#checkClock();
    this.#checkCameras();
    gates.check();
    this.#checkTerminals();
    this.#checkKiosk();
    this.#checkUpgrade();
    link.check();
    // A database that cannot be written may lack disk space.
    if (commitFault() !== null || tick - this.#measuredAt >= MEASURE_EVERY_MS) {
      this.#measuredAt = tick;
      this.#setAside = database.setAside();
      this.#checkPictures();
      this.#checkCertificates();
      this.#checkBackup();
      await this.#checkDisk();
    }
    if (this.#context.tick() - this.#savedAt >= SAVE_EVERY_MS) await this.#save();
    this.#checkDatabase();
    await devices.judge();
  }

  /** The disk's space, measured within the last minute; null: it was not measured yet. */
  disk(): DiskSpace | null {
    return this.#disk;
  }

  /** How far the cloud's clock is ahead; null: not known. */
  cloudAheadMs(): number | null {
    return this.#clock.cloud?.aheadMs ?? null;
  }

  #checkCameras(): void {
    const { devices, silence, cameras, onvifCameras } = this.#parts;
    silence.note(cameras.takeSigns());
    for (const { id, clockBehindMs, clockSuspectedMs, refused, mended, groupsOnly } of cameras.cameras()) {
      const camera = { kind: 'camera', id } as const;
      const onvif = onvifCameras.get(id);
      devices.report(camera, 'heard', silence.signal(id));
      devices.report(camera, 'clock', cameraClockSignal(clockBehindMs, clockSuspectedMs));
      devices.report(camera, 'documents', refusedSignal(refused));
      const faults = [...mended, ...(onvif?.mended() ?? [])];
      devices.report(camera, 'speech', mendedSignal(faults));
      devices.report(camera, 'groups', groupsOnlySignal(groupsOnly));
      if (onvif) devices.report(camera, 'onvif', onvifSignal(onvif.state()));
    }
  }

  async #checkDisk(): Promise<void> {
    const { devices, dataDir, settings } = this.#parts;
    const disk = siteWide('disk');
    try {
      this.#disk = await diskSpace(dataDir);
      devices.report(disk, 'room', diskSignal(this.#disk, settings.disk));
    } catch (error) {
      devices.report(disk, 'room', unmeasuredDiskSignal(error));
    }
  }

  #checkClock(): void {
    const { silence, cloud, devices, settings, siteClock } = this.#parts;
    const { clock, log } = this.#context;
    const tick = this.#context.tick();
    const before = this.#clock.set;
    this.#clock = checkClock(this.#clock, clock.now().getTime(), tick);
    if (this.#clock.set !== before) {
      log.warn({ event: LOG_EVENTS.clockSet, byMs: this.#clock.set?.byMs });
      silence.restart();
    }
    if (cloud?.isConnected() && needsCloudTime(this.#clock, tick)) this.#measureCloud(cloud);
    const limitMs = settings.clockOffSeconds * 1000;
    devices.report(siteWide('clock'), 'time', clockSignal(this.#clock, tick, limitMs));
    const behindMs = siteClock?.certainlyBehindMs() ?? 0;
    devices.report(siteWide('clock'), 'memory', rememberedClockSignal(behindMs, limitMs));
  }

  /** Measures without a caller that waits: the cloud may be slow to answer. */
  #measureCloud(cloud: Pick<CloudAccess, 'httpUrl' | 'tls'>): void {
    if (this.#isMeasuringCloud) return;
    this.#isMeasuringCloud = true;
    measureCloudTime(cloud, this.#context.clock)
      .then((aheadMs) => {
        if (aheadMs === null) return;
        this.#clock = { ...this.#clock, cloud: { aheadMs, tick: this.#context.tick() } };
        const { settings, siteClock } = this.#parts;
        if (Math.abs(aheadMs) <= settings.clockOffSeconds * 1000) siteClock?.confirm();
      })
      .finally(() => {
        this.#isMeasuringCloud = false;
      });
  }

  #checkCertificates(): void {
    const { certificates, problems } = this.#parts.certificates();
    if (certificates.length === 0 && problems.length === 0) return;
    const signal = certificateSignal(certificates, problems, this.#context.clock.now().getTime());
    this.#parts.devices.report(siteWide('certificate'), 'validity', signal);
  }

  #checkPictures(): void {
    const { cloud, devices, settings } = this.#parts;
    if (!cloud) return;
    const { pictures, oldestAt } = cloud.pictures();
    const oldestMs = oldestAt === null ? 0 : this.#context.clock.now().getTime() - millis(oldestAt);
    const maxMs = settings.waitingMaxMinutes * MINUTE_MS;
    devices.report(siteWide('pictures'), 'waiting', waitingSignal(pictures, oldestMs, maxMs));
  }

  #checkBackup(): void {
    const { devices, dataDir, settings, makesBackups } = this.#parts;
    if (!makesBackups) return;
    const maxAgeMs = settings.backupMaxAgeHours * HOUR_MS;
    const signal = backupSignal(readBackupState(dataDir), this.#context.clock.now(), maxAgeMs);
    devices.report(siteWide('backup'), 'age', signal);
  }

  /** Reports the outcome of the last upgrade; if none was ever ordered, nothing is reported. */
  #checkUpgrade(): void {
    const state = readUpgradeState(this.#parts.dataDir);
    if (state !== null) this.#parts.devices.report(siteWide('upgrade'), 'outcome', upgradeSignal(state));
  }

  /** The site's terminal, and former ones: devices of the site as long as a payment there is open. */
  #checkTerminals(): void {
    const { devices, payments, orphanedPayments } = this.#parts;
    if (payments) {
      const terminal = { kind: 'terminal', id: payments.terminalId } as const;
      const signs = payments.signs();
      for (const [about, signal] of Object.entries(signs)) devices.report(terminal, about, signal);
    }
    this.#checkWaysToPay(payments?.signs().line ?? null);
    const orphaned = orphanedPayments?.signs() ?? new Map<string, HealthSignal>();
    for (const id of [...this.#orphanedTerminals].filter((known) => !orphaned.has(known))) {
      this.#orphanedTerminals.delete(id);
      devices.report({ kind: 'terminal', id }, 'left', { state: 'gone', detail: '' });
    }
    for (const [id, signal] of orphaned) {
      this.#orphanedTerminals.add(id);
      devices.report({ kind: 'terminal', id }, 'left', signal);
    }
  }

  /** A site without a terminal is watched for a payment page that is off. @param line of its terminal */
  #checkWaysToPay(line: HealthSignal | null): void {
    const { devices, paySettings, kiosk, isOnlineOff } = this.#parts;
    if (!paySettings) return;
    const isOff = isOnlineOff();
    if (line === null && !isOff && !this.#wasOnlineOff) return;
    this.#wasOnlineOff = isOff;
    const signal = paymentSignal(line, kiosk?.isDead() ?? false, paySettings(), isOff);
    devices.report(siteWide('payment'), 'ways', signal);
  }

  #checkKiosk(): void {
    const { devices, kiosk } = this.#parts;
    kiosk?.check();
    if (kiosk?.isWatched()) devices.report(siteWide('kiosk'), 'page', kiosk.signal());
  }

  #checkDatabase(): void {
    const { devices, database, commitFault } = this.#parts;
    const fault = database.unwritable ?? commitFault();
    const signal: HealthSignal = fault === null ? HEALTHY : { state: 'failing', detail: fault };
    devices.report(siteWide('database'), 'commit', signal);
    devices.report(siteWide('database'), 'set-aside', setAsideSignal(this.#setAside));
  }

  async #save(): Promise<void> {
    const { commit, log, tick } = this.#context;
    const { silence, link } = this.#parts;
    this.#savedAt = tick();
    await commit
      .runSoon(() => {
        silence.save();
        link.save();
      })
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.deviceUnsaved, err }));
  }
}
