import type { Clock } from '@hlid/node/clock';
import { TlsFiles } from '@hlid/node/tls-files';
import type { Logger } from 'pino';
import { CameraClocks } from '../camera/camera-clock.ts';
import { ClockStore } from '../camera/clock-store.ts';
import type { CloudAccess } from '../cloud-access/cloud-request.ts';
import { CloudTls } from '../cloud-access/cloud-tls.ts';
import type { CloudConfig, EdgeConfig } from '../config/config.ts';
import { DatabaseWatch, type DatabaseWatchTiming } from '../db/database-watch.ts';
import { GroupCommit } from '../db/group-commit.ts';
import type { OpenedSite } from '../db/open-site.ts';
import { KioskScreen } from '../health/kiosk-screen.ts';
import { Metrics } from '../health/metrics.ts';
import { createLaneDevices, type LaneDevices } from '../lane/lane-devices.ts';
import { OnvifDevices } from '../onvif/onvif-devices.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import { EventLog } from '../outbox/event-log.ts';
import { OrphanedPayments } from '../payment/orphaned-payments.ts';
import { PaymentService } from '../payment/payment-service.ts';
import { Pictures } from '../picture/pictures.ts';
import { createTerminal } from '../terminal/terminal-kinds.ts';
import { readBootClock } from '../visit/clock-memory.ts';
import { SiteCore } from './site-core.ts';

export interface PartsOptions {
  log: Logger;
  clock: Clock;
  databaseTiming?: Partial<DatabaseWatchTiming>;
  onDatabaseBroken: (reason: string) => void;
  onDatabaseWritable: () => void;
}

/**
 * The parts of the daemon that store and decide, each made from those before it: database, pictures, lanes,
 * payments at the terminal.
 */
export class SiteParts {
  readonly config: EdgeConfig & { cloud: (CloudConfig & CloudAccess) | null };
  readonly unwritable: OpenedSite['unwritable'];
  readonly cloudTls: CloudTls | null;
  readonly cameraTls: TlsFiles | null;
  readonly metrics = new Metrics();
  readonly databaseWatch: DatabaseWatch;
  readonly context: EdgeContext;
  readonly clockStore: ClockStore;
  readonly clocks: CameraClocks;
  readonly onvif: OnvifDevices;
  readonly pictures: Pictures;
  readonly devices: ReadonlyMap<string, LaneDevices>;
  readonly core: SiteCore;
  readonly kioskScreen: KioskScreen;
  readonly payments: PaymentService | null;
  readonly orphanedPayments: OrphanedPayments;

  constructor(given: EdgeConfig, opened: OpenedSite, options: PartsOptions) {
    const { log, clock } = options;
    this.unwritable = opened.unwritable;
    this.cloudTls = given.cloud && new CloudTls(given.cloud, { log });
    this.cameraTls = given.cameraTls && new TlsFiles(given.cameraTls, { log });
    const cloud = given.cloud && { ...given.cloud, ...(this.cloudTls && { tls: this.cloudTls }) };
    this.config = { ...given, cloud };
    this.databaseWatch = this.#createDatabaseWatch(opened, options);
    this.context = this.#createContext(opened, options);
    this.clockStore = new ClockStore(opened.db);
    this.clocks = new CameraClocks(this.clockStore.load());
    this.onvif = new OnvifDevices({ clock, log });
    this.pictures = new Pictures(this.context, { config: this.config, devices: this.onvif });
    this.devices = createLaneDevices(this.config, this.onvif);
    this.core = this.#createCore();
    this.kioskScreen = this.#createKioskScreen();
    this.payments = this.#createPayments();
    this.orphanedPayments = new OrphanedPayments(this.context, {
      terminalId: given.terminal?.id ?? null,
      stays: this.core.stays,
      records: this.core.paymentRecords,
    });
    this.#connectParts();
  }

  #connectParts(): void {
    const { context, core, pictures, metrics } = this;
    context.events.onAppend((body) => metrics.eventWritten(body));
    core.lanes.subscribe((update) => pictures.onLaneUpdate(update));
    core.reads.onHandled((cameraId, document, at) => pictures.documentHandled(cameraId, document, at));
    this.kioskScreen.onChange(() => this.#updateKiosk());
    this.payments?.onStatus(() => this.#updateKiosk());
    this.#updateKiosk();
  }

  /** Drivers are sent to the kiosk only while it serves them. */
  #updateKiosk(): void {
    const works = this.payments?.works() ? 'works' : 'none';
    this.core.lanes.setKiosk(this.kioskScreen.isDead() ? 'dead' : works);
  }

  #createDatabaseWatch({ db, unwritable, lasts }: OpenedSite, options: PartsOptions): DatabaseWatch {
    const { log, databaseTiming: timing, onDatabaseBroken, onDatabaseWritable } = options;
    return new DatabaseWatch(
      { db, log },
      {
        dataDir: this.config.dataDir,
        unwritable: unwritable === null ? null : lasts ? 'lasts' : 'passes',
        onBroken: onDatabaseBroken,
        onWritable: onDatabaseWritable,
        ...(timing && { timing }),
      },
    );
  }

  #createContext({ db }: OpenedSite, { clock, log }: PartsOptions): EdgeContext {
    const commit = new GroupCommit(db, {
      onFlushed: (tookMs, fault) => this.metrics.flushed(tookMs, fault),
      checkInPlace: () => this.databaseWatch.checkInPlace(),
      onFailed: (error) => this.databaseWatch.failed(error),
    });
    return { db, commit, events: EventLog.open({ db, commit }), clock, log };
  }

  #createCore(): SiteCore {
    return new SiteCore(this.context, {
      config: this.config,
      devices: this.devices,
      cameraClocks: this.clocks,
      deletePictures: (readIds) => this.pictures.forget(readIds),
      onRelayCommand: this.metrics.relayCommanded,
      tick: () => performance.now(),
      boot: readBootClock,
    });
  }

  #createKioskScreen(): KioskScreen {
    const { terminal, health } = this.config;
    return new KioskScreen({
      silentSeconds: health.kioskSilentSeconds,
      isExpected: terminal !== null,
      tick: () => performance.now(),
      now: () => this.context.clock.now(),
    });
  }

  #createPayments(): PaymentService | null {
    const { terminal, payments, site, dataDir } = this.config;
    const { clock, log } = this.context;
    if (!terminal) return null;
    return new PaymentService(this.context, {
      terminalId: terminal.id,
      stays: this.core.stays,
      records: this.core.paymentRecords,
      terminal: createTerminal(terminal, { currency: site.currency, dataDir, clock, log }),
      dayClosesAt: payments.dayClosesAt,
      timeZone: () => this.core.site().timeZone,
    });
  }
}
