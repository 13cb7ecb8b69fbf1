import type { Clock } from '@hlid/node/clock';
import type { Part } from '@hlid/node/started-parts';
import { TlsFiles } from '@hlid/node/tls-files';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import { SOFTWARE } from '../base/software.ts';
import { BoardSender } from '../board/board-sender.ts';
import { SiteBoards } from '../board/site-boards.ts';
import { CameraClocks } from '../camera/camera-clock.ts';
import { CameraPush } from '../camera/camera-push.ts';
import { CameraWatch } from '../camera/camera-watch.ts';
import { ClockStore } from '../camera/clock-store.ts';
import { OnvifSource } from '../camera/onvif-source.ts';
import type { CloudAccess } from '../cloud-access/cloud-request.ts';
import { CloudTls } from '../cloud-access/cloud-tls.ts';
import { CloudLink } from '../cloud-link/cloud-link.ts';
import { UpgradeOrders } from '../cloud-link/upgrade-orders.ts';
import { CommandAge } from '../commands/command-age.ts';
import { DeviceCommands } from '../commands/device-commands.ts';
import { GateCommands } from '../commands/gate-commands.ts';
import { KioskCommands } from '../commands/kiosk-commands.ts';
import type { CloudConfig, EdgeConfig } from '../config/config.ts';
import { DatabaseWatch, type DatabaseWatchTiming } from '../db/database-watch.ts';
import { GroupCommit } from '../db/group-commit.ts';
import type { OpenedSite } from '../db/open-site.ts';
import { findSetAside } from '../db/replace-site-db.ts';
import { siteDbPath } from '../db/site-db.ts';
import { Health } from '../health/health.ts';
import { KioskScreen } from '../health/kiosk-screen.ts';
import { Metrics } from '../health/metrics.ts';
import { disownVisit } from '../lane/disown-visit.ts';
import type { LaneDevices } from '../lane/lane-devices.ts';
import { createLaneDevices } from '../lane/lane-devices.ts';
import { LocalApi } from '../local-api/local-api.ts';
import { createSiteKiosk } from '../local-api/site-kiosk.ts';
import {
  makeTechnicianSecret,
  removeTechnicianKey,
  writeTechnicianKey,
} from '../local-api/technician-key.ts';
import { OnvifDevices } from '../onvif/onvif-devices.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import { EventLog } from '../outbox/event-log.ts';
import { claimVisit } from '../payment/claim-visit.ts';
import { OrphanedPayments } from '../payment/orphaned-payments.ts';
import { PaymentService } from '../payment/payment-service.ts';
import { PaymentStore } from '../payment/payment-store.ts';
import { createSnapshotHttp } from '../picture/bring-picture.ts';
import { Pictures } from '../picture/pictures.ts';
import { SiteCore } from '../site/site-core.ts';
import { createTerminal } from '../terminal/terminal-kinds.ts';
import { readBootClock } from '../visit/clock-memory.ts';

interface PartsOptions {
  log: Logger;
  clock: Clock;
  databaseTiming?: Partial<DatabaseWatchTiming>;
  onDatabaseBroken: (reason: string) => void;
  onDatabaseWritable: () => void;
}

/** Longer than a package takes to be installed. */
const PAUSE_MS = 2 * MINUTE_MS;

/** The addresses at which the daemon listens. */
export interface EdgeUrls {
  localUrl: string;
  cameraUrl: string;
  /** Null: cameras cannot push by https. */
  cameraTlsUrl: string | null;
}

interface PeopleCommands {
  age: CommandAge;
  gates: GateCommands;
  kiosks: KioskCommands;
}

/** The parts of the daemon: what stores and decides, then the ways in, then the way to the cloud. */
export class EdgeParts {
  readonly core: SiteCore;
  readonly #config: EdgeConfig & { cloud: (CloudConfig & CloudAccess) | null };
  readonly #cloudTls: CloudTls | null;
  readonly #cameraTls: TlsFiles | null;
  readonly #unwritable: OpenedSite['unwritable'];
  readonly #context: EdgeContext;
  readonly #databaseWatch: DatabaseWatch;
  readonly #clockStore: ClockStore;
  readonly #clocks: CameraClocks;
  readonly #metrics: Metrics;
  readonly #onvif: OnvifDevices;
  readonly #devices: ReadonlyMap<string, LaneDevices>;
  readonly #pictures: Pictures;
  readonly #payments: PaymentService | null;
  readonly #kioskScreen: KioskScreen;
  readonly #orphanedPayments: OrphanedPayments;
  readonly #watch: CameraWatch;
  readonly #push: CameraPush;
  readonly #onvifSource: OnvifSource;
  readonly #boards: SiteBoards;
  readonly #boardSender: BoardSender;
  readonly #link: CloudLink | null;
  readonly #upgradeOrders: UpgradeOrders | null;
  readonly #health: Health;
  readonly #localApi: LocalApi;
  readonly #secret = makeTechnicianSecret();
  #localUrl = '';
  #cameraUrls: Omit<EdgeUrls, 'localUrl'> = { cameraUrl: '', cameraTlsUrl: null };

  constructor(given: EdgeConfig, { db, unwritable, lasts }: OpenedSite, options: PartsOptions) {
    const { log, clock } = options;
    const { cameras, cameraHost: host, cameraPort: port, cameraTls } = given;
    this.#cloudTls = given.cloud && new CloudTls(given.cloud, { log });
    this.#cameraTls = cameraTls && new TlsFiles({ cert: cameraTls.cert, key: cameraTls.key }, { log });
    const cloud = given.cloud && { ...given.cloud, ...(this.#cloudTls && { tls: this.#cloudTls }) };
    const config = { ...given, cloud };
    this.#config = config;
    this.#unwritable = unwritable;
    this.#metrics = new Metrics();
    this.#databaseWatch = new DatabaseWatch(
      { db, log },
      {
        dataDir: config.dataDir,
        unwritable: unwritable === null ? null : lasts ? 'lasts' : 'passes',
        onBroken: options.onDatabaseBroken,
        onWritable: options.onDatabaseWritable,
        ...(options.databaseTiming && { timing: options.databaseTiming }),
      },
    );
    const commit = new GroupCommit(db, {
      onFlushed: (tookMs, fault) => this.#metrics.flushed(tookMs, fault),
      checkInPlace: () => this.#databaseWatch.checkInPlace(),
      onFailed: (error) => this.#databaseWatch.failed(error),
    });
    const events = EventLog.open({ db, commit }, (body) => {
      this.#metrics.eventWritten(body);
      this.#boards.eventWritten(body);
    });
    const context = { db, commit, events, clock, log };
    this.#context = context;
    this.#clockStore = new ClockStore(db);
    this.#clocks = new CameraClocks(this.#clockStore.load());
    this.#onvif = new OnvifDevices({ clock, log });
    this.#devices = createLaneDevices(config, this.#onvif);
    this.#pictures = new Pictures(context, {
      config,
      devices: this.#onvif,
      onKept: () => this.#boards.changed(),
    });
    this.core = this.#createCore();
    this.#payments = this.#createPayments();
    this.#kioskScreen = this.#createKioskScreen();
    this.#updateKiosk();
    this.#orphanedPayments = new OrphanedPayments(context, {
      terminalId: config.terminal?.id ?? null,
      stays: this.core.stays,
    });
    this.#watch = this.#createWatch();
    const { reads } = this.core;
    const { timeZone } = config.site;
    const ways = { cameras, reads, watch: this.#watch, clock, log };
    this.#push = new CameraPush({
      ...ways,
      host,
      port,
      timeZone,
      ...(cameraTls && this.#cameraTls && { tls: { ...cameraTls, files: this.#cameraTls } }),
    });
    this.#onvifSource = new OnvifSource({ ...ways, devices: this.#onvif });
    const commands = this.#createCommands();
    this.#boards = this.#createBoards();
    this.#boardSender = new BoardSender(this.#boards);
    this.#link = this.#createLink(commands);
    this.#upgradeOrders = cloud && new UpgradeOrders({ cloud, dataDir: config.dataDir, clock, log });
    this.#health = this.#createHealth();
    this.#localApi = this.#createLocalApi(commands.gates);
  }

  /** The addresses at which the daemon listens, once it is started. */
  urls(): EdgeUrls {
    return { localUrl: this.#localUrl, ...this.#cameraUrls };
  }

  /** The parts in the order in which they start: those that decide before the ways in, which stop first. */
  inOrder(): Part[] {
    const { core } = this;
    const { commit } = this.#context;
    return [
      {
        stop: async () => {
          // What is still waiting for the disk gets there, where it can.
          await commit.run(() => undefined).catch(() => undefined);
          await core.lanes.release();
        },
      },
      this.#databaseWatch,
      ...[this.#cloudTls, this.#cameraTls].filter((tls) => tls !== null),
      { start: () => this.#startLocalApi(), stop: () => this.#stopLocalApi() },
      this.#boards,
      { stop: () => this.#boardSender.stop() },
      { start: () => this.#startLink(), stop: () => this.#link?.stop() },
      this.#pictures,
      { start: () => core.lanes.start(), stop: () => core.stop() },
      { stop: () => this.#onvifSource.stop() },
      { start: () => this.#onvif.start(), stop: () => this.#onvif.stop() },
      { start: () => this.#startPush(), stop: () => this.#push.stop() },
      { start: () => core.feed.sweep() },
      core.retention,
      ...(this.#payments ? [this.#payments] : []),
      this.#orphanedPayments,
      this.#health,
      ...(this.#upgradeOrders ? [this.#upgradeOrders] : []),
    ];
  }

  #createCore(): SiteCore {
    const { cameras } = this.#config;
    const core = new SiteCore(this.#context, {
      config: this.#config,
      devicesOf: (laneId) => this.#devicesOf(laneId),
      cameraClocks: this.#clocks,
      deletePictures: (readIds) => this.#pictures.forget(readIds),
      onRelayCommand: this.#metrics.relayCommanded,
      tick: () => performance.now(),
      boot: readBootClock,
      onClockSet: (byMs) =>
        this.#clocks.shift(
          cameras.map(({ id }) => id),
          byMs,
        ),
    });
    core.lanes.subscribe((update) => this.#pictures.onLaneUpdate(update));
    core.reads.onHandled((cameraId, document, at) => this.#pictures.documentHandled(cameraId, document, at));
    return core;
  }

  #devicesOf(laneId: string): LaneDevices {
    const devices = this.#devices.get(laneId);
    if (!devices) throw new RangeError(`no lane ${laneId}`);
    return devices;
  }

  #createPayments(): PaymentService | null {
    const { terminal, payments, site, dataDir } = this.#config;
    const { clock, log } = this.#context;
    if (!terminal) return null;
    const created = new PaymentService(this.#context, {
      terminalId: terminal.id,
      stays: this.core.stays,
      terminal: createTerminal(terminal, { currency: site.currency, dataDir, clock, log }),
      dayClosesAt: payments.dayClosesAt,
      timeZone: () => this.core.site().timeZone,
    });
    created.onStatus(() => this.#updateKiosk());
    return created;
  }

  #createKioskScreen(): KioskScreen {
    const { terminal, health } = this.#config;
    return new KioskScreen({
      silentSeconds: health.kioskSilentSeconds,
      isExpected: terminal !== null,
      tick: () => performance.now(),
      now: () => this.#context.clock.now(),
      onChange: () => this.#updateKiosk(),
    });
  }

  /** Drivers are sent to the kiosk only while it serves them. */
  #updateKiosk(): void {
    const works = this.#payments?.works() ? 'works' : 'none';
    this.core.lanes.setKiosk(this.#kioskScreen.isDead() ? 'dead' : works);
  }

  #createWatch(): CameraWatch {
    const { commit, clock, log } = this.#context;
    return new CameraWatch({
      cameras: this.#config.cameras,
      clocks: this.#clocks,
      log,
      onDocument: () => this.core.checkClock(),
      onClockLearned: (beliefs) => {
        commit
          .run(() => this.#clockStore.save(beliefs))
          .catch((err: unknown) => log.error({ event: LOG_EVENTS.cameraClockUnsaved, err }));
      },
      onRefused: ({ id: cameraId, lane }, reason) => {
        const read = { cameraId, at: utcTime(clock.now()), reason, plate: null, score: 0 };
        this.core.lanes.showRead(lane, { ...read, standing: 'refused' });
      },
      onMended: ({ id: cameraId, lane }, reason) => {
        const read = { cameraId, at: utcTime(clock.now()), reason, plate: null, score: 0 };
        this.core.lanes.showRead(lane, { ...read, standing: 'mended' });
      },
    });
  }

  #createCommands(): PeopleCommands {
    const { lanes: gates, stays } = this.core;
    const { commit, clock } = this.#context;
    const age = new CommandAge(clock);
    return {
      age,
      gates: new GateCommands(this.#context, { lanes: this.#config.lanes, gates, age }),
      kiosks: new KioskCommands(this.#context, {
        payments: this.#payments,
        paymentOf: (id) => commit.run(() => new PaymentStore(this.#context.db).get(id)?.payment ?? null),
        disown: (claim) => disownVisit({ stays, commit, clock }, claim),
        claim: (command) =>
          claimVisit({ stays, store: new PaymentStore(this.#context.db), commit, clock }, command),
        age,
      }),
    };
  }

  #createBoards(): SiteBoards {
    return new SiteBoards(this.#context, {
      lanes: this.core.lanes,
      configs: this.#config.lanes,
      core: this.core,
      pictureOf: (passage) => this.#pictures.shownOf(passage),
      health: {
        devices: () => this.#health.devices(),
        subscribe: (listener) => this.#health.subscribe(listener),
      },
    });
  }

  /** What is in memory is no history of its own: the cloud hears of the site again when it can write. */
  #createLink(commands: PeopleCommands): CloudLink | null {
    const { cloud } = this.#config;
    const { events } = this.#context;
    if (!cloud || this.#unwritable !== null) return null;
    return new CloudLink(this.#context, {
      cloud,
      events,
      feed: this.core.feed,
      software: SOFTWARE,
      commands: commands.gates,
      kioskCommands: commands.kiosks,
      board: this.#boardSender,
      deviceCommands: new DeviceCommands(this.#context, {
        config: this.#config,
        snapshots: this.#pictures.snapshots,
        age: commands.age,
        bring: createSnapshotHttp(cloud),
        takeScreen: (id, timeoutMs) => this.#kioskScreen.take(id, timeoutMs),
        checkDevice: (ref, timeoutMs) => this.#health.checkDevice(ref, timeoutMs),
        discover: async () => {
          const { discoverDevices } = await import('../onvif/discover.ts');
          return await discoverDevices(this.#config.probe);
        },
        pushesFrom: (cameraId) => this.#push.addressOf(cameraId),
      }),
    });
  }

  #createHealth(): Health {
    const { db, clock, log } = this.#context;
    const gates = new Map([...this.#devices].map(([laneId, { gate }]) => [laneId, gate]));
    return new Health({
      config: this.#config,
      db,
      core: this.core,
      watch: this.#watch,
      onvif: this.#onvif,
      gates,
      onGateReached: (laneId) => this.core.lanes.get(laneId)?.gate.noteReached(),
      link: this.#link,
      metrics: this.#metrics,
      clock,
      log,
      payments: this.#payments,
      orphanedPayments: this.#orphanedPayments,
      kiosk: this.#kioskScreen,
      settings: () => this.core.site().settings,
      isOnlineOff: () => this.core.site().onlinePayment === 'off',
      tls: { cloud: this.#cloudTls, cameras: this.#cameraTls },
      pictures: () => this.#pictures.view().waiting,
      siteClock: {
        confirm: () => this.core.confirmClock(),
        certainlyBehindMs: () => this.core.clockCertainlyBehindMs(),
      },
      database: {
        unwritable: this.#unwritable,
        setAside: () => findSetAside(siteDbPath(this.#config.dataDir)),
      },
    });
  }

  #createLocalApi(commands: GateCommands): LocalApi {
    const { db, commit, clock, log } = this.#context;
    const { core } = this;
    const [config, payments, link] = [this.#config, this.#payments, this.#link];
    return new LocalApi({
      commands,
      link,
      clock,
      log,
      secret: this.#secret,
      port: config.edgePort,
      onSite: config.onSite,
      kiosk: createSiteKiosk({
        config,
        db,
        core,
        payments,
        pictures: this.#pictures,
        link,
        clock,
        screen: this.#kioskScreen,
      }),
      payments: payments ?? this.#orphanedPayments,
      beginPause: () => this.#beginPause(),
      board: core.lanes,
      boards: this.#boards,
      pictures: this.#pictures,
      cameras: () => this.#watch.cameras(),
      health: this.#health,
      metrics: this.#metrics,
      site: core.site,
      checkStorage: () => commit.run(() => this.#clockStore.save(this.#clocks.beliefs())),
    });
  }

  /** Prepares a restart that an operator has ordered. @returns what stands in its way */
  #beginPause(): string[] {
    const lanes = this.core.lanes
      .lanes()
      .filter(({ gate, instruction }) => instruction || gate.state === 'opening');
    const waitsFor = lanes.map(({ id }) => `a car at ${id}`);
    if (waitsFor.length > 0) return waitsFor;
    return this.#payments?.pause(PAUSE_MS) === false ? ['a payment'] : [];
  }

  async #startLocalApi(): Promise<void> {
    const { url } = await this.#localApi.start();
    this.#localUrl = url;
    try {
      writeTechnicianKey(this.#config.dataDir, { url, secret: this.#secret });
    } catch (err) {
      // The technician's tools do not find the daemon without the key; the gates work.
      this.#context.log.error({ event: LOG_EVENTS.technicianKeyUnwritten, reason: messageOf(err), err });
    }
  }

  async #stopLocalApi(): Promise<void> {
    removeTechnicianKey(this.#config.dataDir);
    await this.#localApi.stop();
  }

  #startLink(): void {
    const { stays, lanes } = this.core;
    const note = () => {
      const isConnected = this.#link?.isConnected() ?? false;
      stays.onlinePayments.setConnected(isConnected);
      lanes.setCloud(isConnected);
    };
    note();
    this.#link?.subscribe(() => {
      this.#pictures.wake();
      note();
    });
    this.#link?.start();
  }

  async #startPush(): Promise<void> {
    const { url, tlsUrl } = await this.#push.start();
    this.#cameraUrls = { cameraUrl: url, cameraTlsUrl: tlsUrl };
  }
}
