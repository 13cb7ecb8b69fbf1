import type { Clock } from '@hlid/node/clock';
import { Fault, messageOf } from '@hlid/protocol/fault';
import { utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import { createCameraClocks } from './camera/camera-clock.ts';
import { createCameraPush } from './camera/camera-push.ts';
import { createCameraWatch } from './camera/camera-watch.ts';
import { createClockStore } from './camera/clock-store.ts';
import { createOnvifSource } from './camera/onvif-source.ts';
import { createCloudLink } from './cloud-link/cloud-link.ts';
import { CommandAge } from './commands/command-age.ts';
import { GateCommands } from './commands/gate-commands.ts';
import { KioskCommands } from './commands/kiosk-commands.ts';
import { type EdgeConfig, onvifOptions } from './config.ts';
import { createDatabaseWatch, type DatabaseWatchTiming } from './db/database-watch.ts';
import { isAboutContent, type OpenedSite, openSite } from './db/open-site.ts';
import { findSetAside, replaceSiteDb } from './db/replace-site-db.ts';
import { siteDbPath } from './db/site-db.ts';
import { disownVisit } from './decision/disown-visit.ts';
import { LOG_EVENTS } from './events.ts';
import { createGate } from './gate/gate-kinds.ts';
import { Health } from './health/health.ts';
import { Metrics } from './health/metrics.ts';
import { createRelayTimer } from './health/relay-timer.ts';
import { LocalApi } from './local-api/local-api.ts';
import { createSiteKiosk } from './local-api/site-kiosk.ts';
import { makeTechnicianSecret, removeTechnicianKey, writeTechnicianKey } from './local-api/technician-key.ts';
import { createLoop, type LoopConfig, NEVER_TELLS } from './loop/loop-kinds.ts';
import { OnvifDevices } from './onvif/onvif-devices.ts';
import { OrphanedPayments } from './payment/orphaned-payments.ts';
import { PaymentService } from './payment/payment-service.ts';
import { createPictures } from './picture/pictures.ts';
import { createSiteCore } from './site-core.ts';
import { SOFTWARE } from './software.ts';
import { createTerminal } from './terminal/terminal-kinds.ts';

/** The edge daemon. */
export interface Edge {
  /** Resolves when cameras are listened to; the cloud need not be there. */
  start(): Promise<{ localUrl: string; cameraUrl: string }>;
  stop(): Promise<void>;
  /**
   * Resolves when the site's database cannot be used any more, or can be again: the daemon has to be stopped, which
   * saves what can be read of it, and to be created anew.
   */
  readonly databaseChanged: Promise<void>;
}

interface EdgeParts {
  log: Logger;
  clock: Clock;
  databaseTiming?: Partial<DatabaseWatchTiming>;
}

/** Puts the daemon together, on whatever the site's database still is: nothing that lies there keeps it from starting. */
export function createEdge(config: EdgeConfig, parts: EdgeParts): Edge {
  for (const trust of ['whole', 'readable', 'nothing'] as const) {
    const opened = openSite(config.dataDir, { trust, ...parts });
    try {
      return assembleEdge(config, opened, parts);
    } catch (error) {
      opened.db.close();
      if (trust === 'nothing' || !isAboutContent(error)) throw error;
      parts.log.error({ event: LOG_EVENTS.databaseUnusable, reason: messageOf(error), err: error });
    }
  }
  throw new Fault('database-unusable', 'not even an empty database can be used');
}

/** What remembers and decides, then the ways in, then the way to the cloud. */
function assembleEdge(
  config: EdgeConfig,
  opened: OpenedSite,
  { log, clock, databaseTiming }: EdgeParts,
): Edge {
  const { db, unwritable } = opened;
  const { cameras, lanes } = config;
  const databasePath = siteDbPath(config.dataDir);
  let brokenBecause: string | null = null;
  let changed: () => void = () => undefined;
  const databaseChanged = new Promise<void>((resolve) => {
    changed = resolve;
  });
  const databaseWatch = createDatabaseWatch({
    db,
    unwritable: unwritable !== null,
    dataDir: config.dataDir,
    onBroken(why) {
      brokenBecause = why;
      changed();
    },
    onWritable: changed,
    ...(databaseTiming && { timing: databaseTiming }),
    log,
  });

  const clockStore = createClockStore(db);
  const clocks = createCameraClocks(clockStore.load());
  const onvif = new OnvifDevices({ clock, log });
  const metrics = new Metrics();
  const relayTimer = createRelayTimer(cameras, metrics.relayTold);
  const gates = new Map(
    lanes.map(({ id, gate }) => [id, relayTimer.gate(id, createGate(gate, { onvif }))] as const),
  );
  /** The ways in and out of an ONVIF device are shared: a loop may be an input of the lane's camera. */
  const cameraOptions = (cameraId: string) => {
    const camera = cameras.find(({ id }) => id === cameraId);
    return camera ? onvifOptions(camera) : null;
  };
  const loops = new Map(
    lanes.flatMap(({ id, loops }) => {
      const loop = (options: LoopConfig | undefined) =>
        options ? createLoop(options, { onvif, cameraOptions }) : NEVER_TELLS;
      return loops ? [[id, { arrival: loop(loops.arrival), passed: loop(loops.passed) }] as const] : [];
    }),
  );
  const core = createSiteCore({
    config,
    kioskWorks: () => payments?.works() ?? false,
    db,
    gates,
    loops,
    clockBehindMs: clocks.clockBehindMs,
    clockInDoubt: clocks.inDoubt,
    tick: () => performance.now(),
    onClockSet: (byMs) =>
      clocks.shift(
        cameras.map(({ id }) => id),
        byMs,
      ),
    forgetPictures: (readIds) => pictures.forget(readIds),
    meter: metrics,
    databaseWatch,
    clock,
    log,
  });
  const { commit, events, feed, board, keeper } = core;
  const pictures = createPictures({ ...{ config, db, commit, events, board, clock, log }, devices: onvif });
  const context = { db, commit, events, clock, log };
  const terminal = config.terminal;
  const payments =
    terminal &&
    new PaymentService(context, {
      terminalId: terminal.id,
      terminal: createTerminal(terminal, {
        currency: config.site.currency,
        dataDir: config.dataDir,
        clock,
        log,
      }),
      stays: core.stays,
      dayClosesAt: config.payments.dayClosesAt,
      timeZone: () => core.site().timeZone,
    });
  payments?.onStatus(core.tellAnew);
  const orphanedPayments = new OrphanedPayments(context, {
    terminalId: terminal?.id ?? null,
    stays: core.stays,
  });
  const desk = pictures.behind(relayTimer.desk(core.desk));
  const age = new CommandAge(clock);
  const commands = new GateCommands(context, { lanes, keeper, age });
  const kioskCommands = new KioskCommands(context, {
    payments,
    disown: (claim) => disownVisit({ stays: core.stays, commit, clock }, claim),
    age,
  });

  const watch = createCameraWatch({
    cameras,
    clocks,
    onDocument: core.lookAtClock,
    onClockLearned: (beliefs) => {
      commit
        .run(() => clockStore.save(beliefs))
        .catch((err: unknown) => log.error({ event: LOG_EVENTS.cameraClockUnsaved, err }));
    },
    onRefused: ({ id: cameraId, lane }, why) =>
      board.showRead(lane, {
        ...{ cameraId, at: utcTime(clock.now()), why },
        ...{ plate: null, score: 0, standing: 'refused' },
      }),
    log,
  });
  const { cameraHost: host, cameraPort } = config;
  const { timeZone } = config.site;
  const push = createCameraPush({ cameras, host, port: cameraPort, desk, watch, timeZone, clock, log });
  const onvifSource = createOnvifSource({ cameras, devices: onvif, desk, watch, clock, log });
  // What is in memory is no history of its own: the cloud hears of the site again when it can write.
  const link =
    config.cloud && unwritable === null
      ? createCloudLink({
          cloud: config.cloud,
          events,
          feed,
          commands,
          kioskCommands,
          log,
          clock,
          software: SOFTWARE,
        })
      : null;
  const health = new Health({
    ...{ config, db, core, watch, onvif, gates, link, metrics, payments, orphanedPayments, clock, log },
    pictures: () => pictures.view().waiting,
    database: { unwritable, setAside: () => findSetAside(databasePath) },
  });
  const secret = makeTechnicianSecret();
  const kiosk = createSiteKiosk({ ...{ config, db, core, payments, pictures, link, clock } });
  const localApi = new LocalApi({
    commands,
    kiosk,
    payments: payments ?? orphanedPayments,
    secret,
    port: config.edgePort,
    board,
    link,
    cameras: watch.cameras,
    health,
    metrics,
    site: core.site,
    checkStorage: () => commit.run(() => clockStore.save(clocks.beliefs())),
    log,
    clock,
  });

  // From here on each write fails, as it would on the disk, and is dealt with as one that has failed.
  if (unwritable !== null) db.pragma('query_only = ON');

  /** Saves what can be read of a broken database, while the files that were deleted are still open. */
  function replaceBroken(why: string): void {
    try {
      const replaced = replaceSiteDb(databasePath, { why, source: db, at: clock.now(), rescue: true });
      log.error({ event: LOG_EVENTS.databaseReplaced, path: databasePath, reason: why, ...replaced.rescued });
    } catch (err) {
      log.error({ event: LOG_EVENTS.databaseUnusable, path: databasePath, reason: messageOf(err), err });
    }
  }

  return {
    databaseChanged,
    async start() {
      const { url: localUrl } = await localApi.start();
      try {
        writeTechnicianKey(config.dataDir, { url: localUrl, secret });
      } catch (err) {
        // Without it the technician's tools do not find the daemon; the gates work.
        log.error({ event: LOG_EVENTS.technicianKeyUnwritten, reason: messageOf(err), err });
      }
      databaseWatch.start();
      for (const gate of gates.values()) gate.start?.();
      orphanedPayments.start();
      payments?.start();
      onvif.start();
      keeper.start();
      const { url: cameraUrl } = await push.start();
      link?.subscribe(pictures.wake);
      link?.start();
      pictures.start();
      feed.sweep();
      core.retention.start();
      await health.start();
      return { localUrl, cameraUrl };
    },
    async stop() {
      await health.stop();
      await orphanedPayments.stop();
      await payments?.stop();
      await core.retention.stop();
      keeper.stop();
      core.stop();
      await Promise.all([push.stop(), onvif.stop()]);
      await onvifSource.stop();
      await pictures.stop();
      await link?.stop();
      removeTechnicianKey(config.dataDir);
      await localApi.stop();
      await databaseWatch.stop();
      // What is still waiting for the disk gets there, where it can.
      await commit.run(() => undefined).catch(() => undefined);
      await Promise.all([...gates.values()].map((gate) => gate.stop?.()));
      if (brokenBecause !== null) replaceBroken(brokenBecause);
      db.close();
    },
  };
}
