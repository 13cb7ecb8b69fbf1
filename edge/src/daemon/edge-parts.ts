import type { Part } from '@hlid/node/started-parts';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { LOG_EVENTS } from '../base/events.ts';
import { SOFTWARE } from '../base/software.ts';
import { BoardSender } from '../board/board-sender.ts';
import { SiteBoards } from '../board/site-boards.ts';
import type { CloudAccess } from '../cloud-access/cloud-request.ts';
import { CloudLink } from '../cloud-link/cloud-link.ts';
import { UpgradeOrders } from '../cloud-link/upgrade-orders.ts';
import { CommandAge } from '../commands/command-age.ts';
import { DeviceCommands } from '../commands/device-commands.ts';
import { GateCommands } from '../commands/gate-commands.ts';
import { KioskCommands } from '../commands/kiosk-commands.ts';
import type { CloudConfig } from '../config/config.ts';
import { findSetAside } from '../db/replace-site-db.ts';
import { siteDbPath } from '../db/site-db.ts';
import type { Gate } from '../gate/gate.ts';
import { Health } from '../health/health.ts';
import { disownVisit } from '../lane/disown-visit.ts';
import type { KioskApi } from '../local-api/kiosk-api.ts';
import { LocalApi } from '../local-api/local-api.ts';
import { createSiteKiosk } from '../local-api/site-kiosk.ts';
import {
  makeTechnicianSecret,
  removeTechnicianKey,
  writeTechnicianKey,
} from '../local-api/technician-key.ts';
import { claimVisit } from '../payment/claim-visit.ts';
import { createSnapshotHttp } from '../picture/bring-picture.ts';
import { CameraInputs, type CameraUrls } from './camera-inputs.ts';
import { CodeReaders } from './code-readers.ts';
import type { SiteParts } from './site-parts.ts';

/** Longer than a package takes to be installed. */
const PAUSE_MS = 2 * MINUTE_MS;

/** The addresses at which the daemon listens. */
export interface EdgeUrls extends CameraUrls {
  localUrl: string;
}

/**
 * The parts of the daemon, each made from those before it. Storage and decisions come first, then inputs,
 * then the link to the cloud, and last what people see.
 */
export class EdgeParts {
  readonly site: SiteParts;
  readonly #cameras: CameraInputs;
  readonly #link: CloudLink | null;
  readonly #health: Health;
  readonly #boards: SiteBoards;
  readonly #boardSender: BoardSender;
  readonly #commandAge: CommandAge;
  readonly #gateCommands: GateCommands;
  readonly #upgradeOrders: UpgradeOrders | null;
  readonly #kiosk: KioskApi;
  readonly #codeReaders: CodeReaders;
  readonly #localApi: LocalApi;
  readonly #secret = makeTechnicianSecret();
  #localUrl = '';

  constructor(site: SiteParts) {
    const { config, context, core, devices } = site;
    const { clock, log } = context;
    this.site = site;
    this.#cameras = new CameraInputs(site);
    this.#link = this.#createLink();
    this.#health = this.#createHealth(
      new Map([...devices].flatMap(([laneId, { gate }]) => (gate === null ? [] : [[laneId, gate]]))),
    );
    this.#boards = this.#createBoards();
    this.#boardSender = new BoardSender(this.#boards);
    this.#commandAge = new CommandAge(clock);
    this.#gateCommands = new GateCommands(context, core.lanes, this.#commandAge);
    const { cloud, dataDir } = config;
    this.#upgradeOrders = cloud && new UpgradeOrders({ cloud, dataDir, clock, log });
    this.#kiosk = this.#createKiosk();
    this.#codeReaders = new CodeReaders(config.lanes, {
      lanes: core.lanes,
      health: this.#health,
      accept: (typed) => this.#kiosk.acceptCodeFor(typed),
      clock,
      log,
    });
    this.#localApi = this.#createLocalApi();
    this.#connectParts();
  }

  /** The addresses at which the daemon listens, once it is started. */
  urls(): EdgeUrls {
    return { localUrl: this.#localUrl, ...this.#cameras.urls() };
  }

  /** The parts in the order in which they start: those that decide before the ways in, which stop first. */
  inOrder(): Part[] {
    const { core } = this.site;
    const { commit } = this.site.context;
    return [
      {
        name: 'Gates',
        stop: async () => {
          // Writes that still wait for the disk are made, if it works.
          await commit.run(() => undefined).catch(() => undefined);
          await core.lanes.release();
        },
      },
      this.site.databaseWatch,
      ...[this.site.cloudTls, this.site.cameraTls].filter((tls) => tls !== null),
      { name: 'LocalApi', start: () => this.#startLocalApi(), stop: () => this.#stopLocalApi() },
      this.#boards,
      { name: 'BoardSender', stop: () => this.#boardSender.stop() },
      { name: 'CloudLink', start: () => this.#startLink(), stop: () => this.#link?.stop() },
      this.site.pictures,
      { name: 'Lanes', start: () => core.lanes.start(), stop: () => core.stop() },
      ...this.#cameras.inOrder(),
      { start: () => core.feed.sweep() },
      core.retention,
      ...(this.site.payments ? [this.site.payments] : []),
      this.site.orphanedPayments,
      this.#codeReaders,
      this.#health,
      ...(this.#upgradeOrders ? [this.#upgradeOrders] : []),
    ];
  }

  /** Each part that reports something gets its listeners, once all parts are there. */
  #connectParts(): void {
    const { context, pictures } = this.site;
    context.events.onAppend((body) => this.#boards.eventWritten(body));
    pictures.onKept(() => this.#boards.changed());
    this.#link?.subscribe(() => {
      pictures.wake();
      this.#updateCloud();
    });
  }

  #updateCloud(): void {
    const isConnected = this.#link?.isConnected() ?? false;
    this.site.core.stays.onlinePayments.setConnected(isConnected);
    this.site.core.lanes.setCloud(isConnected);
  }

  /**
   * A database in memory keeps no history: the cloud receives events of the site again when the disk can be
   * written.
   */
  #createLink(): CloudLink | null {
    const { cloud } = this.site.config;
    const { events } = this.site.context;
    if (!cloud || this.site.unwritable !== null) return null;
    return new CloudLink(this.site.context, {
      cloud,
      events,
      feed: this.site.core.feed,
      software: SOFTWARE,
    });
  }

  #createHealth(gates: ReadonlyMap<string, Gate>): Health {
    const { db, clock, log } = this.site.context;
    return new Health({
      config: this.site.config,
      db,
      core: this.site.core,
      watch: this.#cameras.watch,
      onvif: this.site.onvif,
      gates,
      onGateReached: (laneId) => this.site.core.lanes.get(laneId)?.gate.noteReached(),
      link: this.#link,
      metrics: this.site.metrics,
      clock,
      log,
      payments: this.site.payments,
      orphanedPayments: this.site.orphanedPayments,
      kiosk: this.site.kioskScreen,
      settings: () => this.site.core.site().settings,
      isOnlineOff: () => this.site.core.site().onlinePayment === 'off',
      tls: { cloud: this.site.cloudTls, cameras: this.site.cameraTls },
      pictures: () => this.site.pictures.view().waiting,
      siteClock: {
        confirm: () => this.site.core.confirmClock(),
        certainlyBehindMs: () => this.site.core.clockCertainlyBehindMs(),
      },
      database: {
        unwritable: this.site.unwritable,
        setAside: () => findSetAside(siteDbPath(this.site.config.dataDir)),
      },
    });
  }

  #createBoards(): SiteBoards {
    return new SiteBoards(this.site.context, {
      lanes: this.site.core.lanes,
      configs: this.site.config.lanes,
      core: this.site.core,
      pictureOf: (passage) => this.site.pictures.shownOf(passage),
      health: this.#health,
    });
  }

  #createKioskCommands(): KioskCommands {
    const { stays, paymentRecords } = this.site.core;
    const { commit, clock } = this.site.context;
    const { store } = paymentRecords;
    return new KioskCommands(this.site.context, {
      payments: this.site.payments,
      paymentOf: (id) => commit.run(() => store.get(id)?.payment ?? null),
      disown: (claim) => disownVisit({ stays, commit, clock }, claim),
      claim: (command) => claimVisit({ stays, store, commit, clock }, command),
      age: this.#commandAge,
    });
  }

  #createDeviceCommands(cloud: CloudConfig & CloudAccess): DeviceCommands {
    return new DeviceCommands(this.site.context, {
      config: this.site.config,
      snapshots: this.site.pictures.snapshots,
      age: this.#commandAge,
      bring: createSnapshotHttp(cloud),
      takeScreen: (id, timeoutMs) => this.site.kioskScreen.take(id, timeoutMs),
      checkDevice: (ref, timeoutMs) => this.#health.checkDevice(ref, timeoutMs),
      discover: async () => {
        const { discoverDevices } = await import('../onvif/discover.ts');
        return await discoverDevices(this.site.config.probe);
      },
      pushesFrom: (cameraId) => this.#cameras.pushesFrom(cameraId),
    });
  }

  #createKiosk(): KioskApi {
    const { config, context, core, payments, pictures, kioskScreen } = this.site;
    const { db, clock } = context;
    return createSiteKiosk({
      config,
      db,
      core,
      payments,
      pictures,
      link: this.#link,
      clock,
      screen: kioskScreen,
    });
  }

  #createLocalApi(): LocalApi {
    const { commit, clock, log } = this.site.context;
    const { core } = this.site;
    const [config, payments, link, pictures] = [
      this.site.config,
      this.site.payments,
      this.#link,
      this.site.pictures,
    ];
    return new LocalApi({
      commands: this.#gateCommands,
      link,
      clock,
      log,
      secret: this.#secret,
      port: config.edgePort,
      onSite: config.onSite,
      kiosk: this.#kiosk,
      payments: payments ?? this.site.orphanedPayments,
      beginPause: () => this.#beginPause(),
      board: core.lanes,
      boards: this.#boards,
      pictures,
      cameras: () => this.#cameras.watch.cameras(),
      health: this.#health,
      metrics: this.site.metrics,
      site: () => core.site(),
      checkStorage: () => commit.run(() => this.site.clockStore.save(this.site.clocks.beliefs())),
    });
  }

  /** Prepares a restart that an operator has ordered. @returns what stands in its way */
  #beginPause(): string[] {
    const lanes = this.site.core.lanes
      .lanes()
      .filter(({ gate, instruction }) => instruction || gate.state === 'opening');
    const waitsFor = lanes.map(({ id }) => `a car at ${id}`);
    if (waitsFor.length > 0) return waitsFor;
    return this.site.payments?.pause(PAUSE_MS) === false ? ['a payment'] : [];
  }

  async #startLocalApi(): Promise<void> {
    const { url } = await this.#localApi.start();
    this.#localUrl = url;
    try {
      writeTechnicianKey(this.site.config.dataDir, { url, secret: this.#secret });
    } catch (err) {
      // The technician's tools do not find the daemon without the key; the gates work.
      this.site.context.log.error({ event: LOG_EVENTS.technicianKeyUnwritten, reason: messageOf(err), err });
    }
  }

  async #stopLocalApi(): Promise<void> {
    removeTechnicianKey(this.site.config.dataDir);
    await this.#localApi.stop();
  }

  #startLink(): void {
    const { cloud } = this.site.config;
    this.#updateCloud();
    if (!cloud) return;
    this.#link?.start({
      commands: this.#gateCommands,
      kioskCommands: this.#createKioskCommands(),
      deviceCommands: this.#createDeviceCommands(cloud),
      board: this.#boardSender,
    });
  }
}
