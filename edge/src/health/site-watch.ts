import { MINUTE_MS, millis, type UtcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { CameraWatch, SignsOfLife } from '../camera/camera-watch.ts';
import type { Clock } from '../clock.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { type DiskSpace, diskSpace } from '../disk-space.ts';
import { LOG_EVENTS } from '../events.ts';
import type { Gate, GateLogin } from '../gate/gate.ts';
import type { LaneBoard } from '../local-api/lane-board.ts';
import type { LinkBoard } from '../local-api/link-view.ts';
import type { OnvifDevice } from '../onvif/onvif-device.ts';
import type { OrphanedPayments } from '../payment/orphaned-payments.ts';
import type { PaymentService } from '../payment/payment-service.ts';
import type { CameraEar } from './camera-ear.ts';
import { askCloudTime } from './cloud-time.ts';
import { type Sign, WELL } from './device-health.ts';
import { siteWide } from './device-ref.ts';
import { judgeDisk, unmeasured } from './disk-room.ts';
import { createGateWatch } from './gate-watch.ts';
import type { HealthBook } from './health-book.ts';
import type { HealthSettings } from './health-settings.ts';
import type { HealthStore } from './health-store.ts';
import { createLinkWatch } from './link-watch.ts';
import { judgeClock, lookAtClock, UNSEEN_CLOCK, wantsCloudTime } from './site-clock.ts';
import {
  cameraClockSign,
  groupsOnlySign,
  onvifSign,
  refusedSign,
  setAsideSign,
  waitingSign,
} from './site-signs.ts';

const LOOKED_EVERY_MS = 5000;
const MEASURED_EVERY_MS = MINUTE_MS;
/** What was learned is kept; and a disk that cannot be written is found out where no car comes. */
const SAVED_EVERY_MS = 10 * MINUTE_MS;

/** Pictures that are to go to the cloud. */
export interface WaitingPictures {
  pictures: number;
  oldestAt: UtcTime | null;
}

/** How the site's database was found. */
export interface DatabaseState {
  /** Why nothing can be written; null: it can. */
  unwritable: string | null;
  /** Names of databases that were damaged, and wait for a person. */
  setAside: () => readonly string[];
}

/** Looks at everything every few seconds, and reports how it is. Nothing of it is on a driver's way. */
export interface SiteWatch {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Looks at once. */
  look(): Promise<void>;
  /** As measured within the last minute; null: not yet. */
  disk(): DiskSpace | null;
  /** Milliseconds since the lists were last known to be those of the cloud. */
  listsAgeMs(): number;
  /** How far ahead the cloud's clock is, as far as is known. */
  cloudAheadMs(): number | null;
}

export function createSiteWatch(parts: {
  book: HealthBook;
  store: HealthStore;
  commit: Pick<GroupCommit, 'runSoon'>;
  ear: CameraEar;
  cameras: Pick<CameraWatch, 'cameras'> & SignsOfLife;
  board: LaneBoard;
  /** By what it is for: the device behind a camera or a gate. */
  onvif: { cameras: ReadonlyMap<string, OnvifDevice>; gates: ReadonlyMap<string, OnvifDevice> };
  /** Of the gates whose drivers log in for themselves. */
  gateLogins: ReadonlyMap<string, GateLogin>;
  gateProblems: ReadonlyMap<string, NonNullable<Gate['problem']>>;
  /** Null: the site runs without a cloud. */
  cloud: { link: LinkBoard; httpUrl: string } | null;
  /** Null: there is no cloud for them. */
  pictures: (() => WaitingPictures) | null;
  payments: Pick<PaymentService, 'terminalId' | 'signs'> | null;
  orphanedPayments: Pick<OrphanedPayments, 'signs'> | null;
  /** Why the last commit failed; null: it did not. */
  commitFault: () => string | null;
  database: DatabaseState;
  dataDir: string;
  settings: HealthSettings;
  clock: Clock;
  tick: () => number;
  log: Logger;
}): SiteWatch {
  const { book, store, ear, board, cloud, settings, clock, tick, log } = parts;
  const now = () => clock.now().getTime();
  let siteClock = UNSEEN_CLOCK;
  let disk: DiskSpace | null = null;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let savedAt = tick();
  let askingCloud = false;
  let setAside: readonly string[] = [];
  const leftTerminals = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  const gates = createGateWatch({
    ...{ book, board, onvif: parts.onvif.gates, logins: parts.gateLogins, problems: parts.gateProblems },
    onTrouble: () => {
      soon ??= setTimeout(lookSoon, 0).unref();
    },
  });
  const link = createLinkWatch({ ...{ book, store, settings, now, tick }, link: cloud?.link ?? null });

  function lookAtCameras(): void {
    ear.heard(parts.cameras.takeSigns());
    for (const { id, clockBehindMs, clockSuspectedMs, refused, groupsOnly } of parts.cameras.cameras()) {
      const camera = { kind: 'camera', id } as const;
      const onvif = parts.onvif.cameras.get(id);
      book.report(camera, 'heard', ear.sign(id));
      book.report(camera, 'clock', cameraClockSign(clockBehindMs, clockSuspectedMs));
      book.report(camera, 'documents', refusedSign(refused));
      book.report(camera, 'groups', groupsOnlySign(groupsOnly));
      if (onvif) book.report(camera, 'onvif', onvifSign(onvif.state()));
    }
  }

  async function lookAtDisk(): Promise<void> {
    const device = siteWide('disk');
    try {
      disk = await diskSpace(parts.dataDir);
      book.report(device, 'room', judgeDisk(disk, settings.disk));
    } catch (error) {
      book.report(device, 'room', unmeasured(error));
    }
  }

  function lookAtClockOfSite(): void {
    const before = siteClock.set;
    siteClock = lookAtClock(siteClock, now(), tick());
    if (siteClock.set !== before) {
      log.warn({ event: LOG_EVENTS.clockSet, byMs: siteClock.set?.byMs });
      ear.startOver();
    }
    if (cloud?.link.view().connected && wantsCloudTime(siteClock, tick())) askCloud(cloud.httpUrl);
    const sign = judgeClock(siteClock, tick(), settings.clockOffSeconds * 1000);
    book.report(siteWide('clock'), 'time', sign);
  }

  /** Not waited for: a cloud that is slow to answer holds up nothing. */
  function askCloud(httpUrl: string): void {
    if (askingCloud) return;
    askingCloud = true;
    askCloudTime(httpUrl, clock)
      .then((aheadMs) => {
        if (aheadMs !== null) siteClock = { ...siteClock, cloud: { aheadMs, tick: tick() } };
      })
      .finally(() => {
        askingCloud = false;
      });
  }

  function lookAtPictures(): void {
    if (!parts.pictures) return;
    const { pictures, oldestAt } = parts.pictures();
    const oldestMs = oldestAt === null ? 0 : now() - millis(oldestAt);
    const maxMs = settings.waitingMaxMinutes * MINUTE_MS;
    book.report(siteWide('pictures'), 'waiting', waitingSign(pictures, oldestMs, maxMs));
  }

  function lookAtTerminal(): void {
    if (!parts.payments) return;
    const terminal = { kind: 'terminal', id: parts.payments.terminalId } as const;
    for (const [about, sign] of Object.entries(parts.payments.signs())) book.report(terminal, about, sign);
  }

  /** They count among the site's devices for as long as something is left there. */
  function lookAtLeftTerminals(): void {
    const left = parts.orphanedPayments?.signs() ?? new Map<string, Sign>();
    for (const id of [...leftTerminals].filter((told) => !left.has(told))) {
      leftTerminals.delete(id);
      book.report({ kind: 'terminal', id }, 'left', { state: 'gone', detail: '' });
    }
    for (const [id, sign] of left) {
      leftTerminals.add(id);
      book.report({ kind: 'terminal', id }, 'left', sign);
    }
  }

  function lookAtDatabase(): void {
    const { unwritable } = parts.database;
    const fault = unwritable ?? parts.commitFault();
    book.report(siteWide('database'), 'commit', fault === null ? WELL : { state: 'failing', detail: fault });
    book.report(siteWide('database'), 'set-aside', setAsideSign(setAside));
  }

  async function save(): Promise<void> {
    savedAt = tick();
    await parts.commit
      .runSoon(() => {
        ear.save();
        link.save();
      })
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.deviceUnsaved, err }));
  }

  async function look(): Promise<void> {
    lookAtClockOfSite();
    lookAtCameras();
    gates.look();
    lookAtTerminal();
    lookAtLeftTerminals();
    link.look();
    // A database that cannot be written may want for room.
    if (parts.commitFault() !== null || tick() - measuredAt >= MEASURED_EVERY_MS) {
      measuredAt = tick();
      setAside = parts.database.setAside();
      lookAtPictures();
      await lookAtDisk();
    }
    if (tick() - savedAt >= SAVED_EVERY_MS) await save();
    lookAtDatabase();
    await book.judge();
  }

  function lookSoon(): void {
    soon = undefined;
    void look();
  }

  return {
    look,
    async start() {
      await look();
      timer = setInterval(() => void look(), LOOKED_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      clearTimeout(soon);
      gates.stop();
      await save();
    },
    disk: () => disk,
    listsAgeMs: link.listsAgeMs,
    cloudAheadMs: () => siteClock.cloud?.aheadMs ?? null,
  };
}
