import { HOUR_MS, MINUTE_MS, millis, type UtcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { CameraWatch, SignsOfLife } from '../camera/camera-watch.ts';
import type { Clock } from '../clock.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import type { GateLogin } from '../gate/gate.ts';
import type { LaneBoard } from '../local-api/lane-board.ts';
import type { LinkBoard } from '../local-api/link-view.ts';
import type { OnvifDevice } from '../onvif/onvif-device.ts';
import type { LeftPayments } from '../payment/left-payments.ts';
import type { Payments } from '../payment/payments.ts';
import { type DiskSpace, diskSpace } from '../picture/disk-space.ts';
import type { CameraEar } from './camera-ear.ts';
import { askCloudTime } from './cloud-time.ts';
import { type Sign, WELL } from './device-health.ts';
import { judgeDisk, unmeasured } from './disk-room.ts';
import type { HealthBook } from './health-book.ts';
import type { HealthSettings } from './health-settings.ts';
import type { HealthStore } from './health-store.ts';
import { judgeClock, lookAtClock, UNSEEN_CLOCK, wantsCloudTime } from './site-clock.ts';
import {
  cameraClockSign,
  gateSign,
  linkSign,
  listsSign,
  loginSign,
  onvifSign,
  refusedSign,
  waitingSign,
} from './site-signs.ts';

const LOOKED_EVERY_MS = 5000;
const MEASURED_EVERY_MS = MINUTE_MS;
/** What was learned is kept; and a disk that cannot be written is found out where no car comes. */
const SAVED_EVERY_MS = 10 * MINUTE_MS;

const ListsNoteSchema = z.object({ heardAt: z.number() });

/** Pictures that are to go to the cloud. */
export interface WaitingPictures {
  pictures: number;
  oldestAt: UtcTime | null;
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
  /** Null: the site runs without a cloud. */
  cloud: { link: LinkBoard; httpUrl: string } | null;
  /** Null: there is no cloud for them. */
  pictures: (() => WaitingPictures) | null;
  payments: Pick<Payments, 'terminalId' | 'signs'> | null;
  leftPayments: Pick<LeftPayments, 'signs'> | null;
  /** Why the last commit failed; null: it did not. */
  commitFault: () => string | null;
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
  let listsHeardAt = store.note('lists', ListsNoteSchema)?.heardAt ?? now();
  /** What each gate's last movement came to; a gate that has not moved yet is neither well nor failing. */
  const movements = new Map<string, Sign>();
  const leftTerminals = new Set<string>();
  const events = createStuckWatch(tick);
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;

  function lookAtCameras(): void {
    ear.heard(parts.cameras.takeSigns());
    for (const { id, clockBehindMs, clockSuspectedMs, refused } of parts.cameras.cameras()) {
      const camera = { kind: 'camera', id } as const;
      const onvif = parts.onvif.cameras.get(id);
      book.report(camera, 'heard', ear.sign(id));
      book.report(camera, 'clock', cameraClockSign(clockBehindMs, clockSuspectedMs));
      book.report(camera, 'documents', refusedSign(refused));
      if (onvif) book.report(camera, 'onvif', onvifSign(onvif.state()));
    }
  }

  function lookAtGates(): void {
    for (const [id, sign] of movements) book.report({ kind: 'gate', id }, 'movement', sign);
    for (const [id, device] of parts.onvif.gates) {
      const gate = { kind: 'gate', id } as const;
      const state = device.state();
      book.report(gate, 'onvif', onvifSign(state));
      // What it did not do says less than that it does not let us in.
      if (state.state === 'login-refused') book.report(gate, 'movement', null);
    }
    for (const [id, login] of parts.gateLogins) {
      const gate = { kind: 'gate', id } as const;
      const state = login.state();
      book.report(gate, 'login', loginSign(state));
      if (state !== 'refused') continue;
      movements.delete(id);
      book.report(gate, 'movement', null);
    }
  }

  async function lookAtDisk(): Promise<void> {
    const device = { kind: 'disk', id: 'site' } as const;
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
    book.report({ kind: 'clock', id: 'site' }, 'time', sign);
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

  function lookAtLink({ link }: { link: LinkBoard }): void {
    const view = link.view();
    const maxMs = settings.waitingMaxMinutes * MINUTE_MS;
    if (view.connected && view.listsTrouble === null) listsHeardAt = now();
    book.report({ kind: 'link', id: 'site' }, 'link', linkSign(view));
    const maxAgeMs = settings.listsMaxAgeHours * HOUR_MS;
    book.report(
      { kind: 'lists', id: 'site' },
      'age',
      listsSign(view.listsTrouble, now() - listsHeardAt, maxAgeMs),
    );
    const waiting = Math.max(0, view.seq - view.acknowledged);
    const stuckMs = events.stuckMs({ waiting, gone: view.acknowledged });
    book.report({ kind: 'outbox', id: 'site' }, 'waiting', waitingSign(waiting, stuckMs, maxMs));
  }

  function lookAtPictures(): void {
    if (!parts.pictures) return;
    const { pictures, oldestAt } = parts.pictures();
    const oldestMs = oldestAt === null ? 0 : now() - millis(oldestAt);
    const maxMs = settings.waitingMaxMinutes * MINUTE_MS;
    book.report({ kind: 'pictures', id: 'site' }, 'waiting', waitingSign(pictures, oldestMs, maxMs));
  }

  function lookAtTerminal(): void {
    if (!parts.payments) return;
    const terminal = { kind: 'terminal', id: parts.payments.terminalId } as const;
    for (const [about, sign] of Object.entries(parts.payments.signs())) book.report(terminal, about, sign);
  }

  /** They count among the site's devices for as long as something is left there. */
  function lookAtLeftTerminals(): void {
    const left = parts.leftPayments?.signs() ?? new Map<string, Sign>();
    for (const id of [...leftTerminals].filter((told) => !left.has(told))) {
      leftTerminals.delete(id);
      book.report({ kind: 'terminal', id }, 'left', { state: 'gone', detail: '' });
    }
    for (const [id, sign] of left) {
      leftTerminals.add(id);
      book.report({ kind: 'terminal', id }, 'left', sign);
    }
  }

  async function save(): Promise<void> {
    savedAt = tick();
    await parts.commit
      .runSoon(() => {
        ear.save();
        store.saveNote('lists', { heardAt: listsHeardAt });
      })
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.deviceUnsaved, err }));
  }

  async function look(): Promise<void> {
    lookAtClockOfSite();
    lookAtCameras();
    lookAtGates();
    lookAtTerminal();
    lookAtLeftTerminals();
    if (cloud) lookAtLink(cloud);
    // A database that cannot be written may want for room.
    if (parts.commitFault() !== null || tick() - measuredAt >= MEASURED_EVERY_MS) {
      measuredAt = tick();
      lookAtPictures();
      await lookAtDisk();
    }
    if (tick() - savedAt >= SAVED_EVERY_MS) await save();
    const fault = parts.commitFault();
    book.report(
      { kind: 'database', id: 'site' },
      'commit',
      fault === null ? WELL : { state: 'failing', detail: fault },
    );
    await book.judge();
  }

  const unsubscribe = board.subscribe((news) => {
    const sign = 'gate' in news ? gateSign(news.gate) : null;
    if (sign === null) return;
    movements.set(news.laneId, sign);
    // A gate that does not answer is told of at once: a car stands before it.
    if (sign !== WELL) soon ??= setTimeout(lookSoon, 0).unref();
  });

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
      unsubscribe();
      await save();
    },
    disk: () => disk,
    listsAgeMs: () => now() - listsHeardAt,
    cloudAheadMs: () => siteClock.cloud?.aheadMs ?? null,
  };
}

/** For how long nothing of what waits has gone. */
function createStuckWatch(tick: () => number) {
  let gone = -1;
  let movedAt = tick();
  return {
    stuckMs(seen: { waiting: number; gone: number }): number {
      if (seen.waiting === 0 || seen.gone !== gone) movedAt = tick();
      gone = seen.gone;
      return tick() - movedAt;
    },
  };
}
