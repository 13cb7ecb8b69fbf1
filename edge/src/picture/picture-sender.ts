import { createHash } from 'node:crypto';
import type { Clock } from '@hlid/node/clock';
import { RetryPause } from '@hlid/node/retry-pause';
import { backoffMs } from '@hlid/protocol/backoff';
import { messageOf } from '@hlid/protocol/fault';
import { HOUR_MS, MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { BringPicture, Brought } from './bring-picture.ts';
import type { PictureFiles } from './picture-files.ts';
import type { Picture, PictureStore } from './picture-store.ts';

/** Brings pictures to the cloud, each after the events of its read and visit, until the cloud has it. */
export interface PictureSender {
  start(): void;
  /** Something may be due: a picture was kept, or the cloud has acknowledged events. */
  wake(): void;
  /** Resolves when nothing is on its way any more. */
  stop(): Promise<void>;
  /** Why nothing goes on; null while all is well. */
  trouble(): string | null;
}

export interface SenderTiming {
  /** After the cloud could not be reached, or could not take one. */
  retryFirstMs: number;
  maxRetryMs: number;
  /** Of a single picture that the cloud could not take. */
  againFirstMs: number;
  maxRepeatMs: number;
  /** Said to be gone, it is asked about once more: a cloud that was just restored will know it again. */
  goneAgainMs: number;
  lookEveryMs: number;
}

const TIMING: SenderTiming = {
  retryFirstMs: 1000,
  maxRetryMs: 5 * MINUTE_MS,
  againFirstMs: 10_000,
  maxRepeatMs: HOUR_MS,
  goneAgainMs: 15 * MINUTE_MS,
  lookEveryMs: MINUTE_MS,
};

/** Gates and events come first: few at once … */
const AT_ONCE = 2;
/** … and none while so many events are still to be told. */
const MAX_EVENTS_BEHIND = 200;

export function createPictureSender(parts: {
  store: PictureStore;
  files: PictureFiles;
  bring: BringPicture;
  commit: GroupCommit;
  events: Pick<EventLog, 'acknowledged' | 'lastSeq'>;
  clock: Clock;
  log: Logger;
  timing?: Partial<SenderTiming>;
}): PictureSender {
  const { store, files, commit, events, clock, log } = parts;
  const timing = { ...TIMING, ...parts.timing };
  const pause = new RetryPause({ firstMs: timing.retryFirstMs, maxMs: timing.maxRetryMs });
  const stopping = new AbortController();
  /** The least that the cloud has acknowledged since it was last looked at. */
  let heldByCloud = 0;
  let restoredTo: number | null = 0;
  let running: Promise<void> | null = null;
  let trouble: string | null = null;
  let rouse: (() => void) | null = null;
  let roused = false;

  function noticeRestore(): void {
    const acknowledged = events.acknowledged();
    if (acknowledged < heldByCloud) restoredTo = Math.min(restoredTo ?? acknowledged, acknowledged);
    heldByCloud = acknowledged;
  }

  /** What the cloud was told after the backup that it was restored from, it has forgotten, pictures too. */
  async function bringForgotten(): Promise<void> {
    if (restoredTo === null) return;
    const since = restoredTo;
    restoredTo = null;
    const pictures = await commit.run(() => store.bringAgain(since));
    if (pictures > 0) log.warn({ event: LOG_EVENTS.picturesAgain, since, pictures });
  }

  function dueNow(): Picture[] {
    const acknowledged = events.acknowledged();
    if (events.lastSeq() - acknowledged > MAX_EVENTS_BEHIND) return [];
    return store.due(utcTime(clock.now()), acknowledged, AT_ONCE);
  }

  /** @returns why the others should wait too; null: go on */
  async function send(picture: Picture): Promise<string | null> {
    let bytes: Buffer | null;
    try {
      bytes = await files.read(picture);
    } catch (error) {
      // A disk that cannot be read here may well elsewhere: the others go on.
      log.warn({ event: LOG_EVENTS.pictureRetry, readId: picture.readId, reason: messageOf(error) });
      await putOff(picture, againMs(picture.tries, timing));
      return null;
    }
    if (bytes === null || !isWhole(picture, bytes)) {
      log.warn({ event: LOG_EVENTS.pictureLost, readId: picture.readId, reason: 'its file is not whole' });
      await forget(picture);
      return null;
    }
    const brought = await parts.bring(picture, bytes, stopping.signal);
    if (stopping.signal.aborted && brought.outcome === 'unreachable') return brought.reason;
    return settle(picture, brought);
  }

  async function settle(picture: Picture, brought: Brought): Promise<string | null> {
    const { id, readId, tries } = picture;
    switch (brought.outcome) {
      case 'stored':
        await commit.runSoon(() => store.setState(id, 'stored'));
        log.debug({ event: LOG_EVENTS.pictureStored, id, readId });
        return null;
      case 'refused':
        await commit.runSoon(() => store.setState(id, 'refused'));
        log.warn({ event: LOG_EVENTS.pictureRefused, id, readId, reason: brought.reason });
        return null;
      case 'gone':
        if (tries === 0) await putOff(picture, timing.goneAgainMs);
        else {
          await forget(picture);
          log.info({ event: LOG_EVENTS.pictureForgotten, id, readId });
        }
        return null;
      case 'later':
        await putOff(picture, Math.max(againMs(tries, timing), brought.waitMs));
        return brought.reason;
      case 'unreachable':
        return brought.reason;
      default:
        return brought satisfies never;
    }
  }

  async function putOff({ id, tries }: Picture, waitMs: number): Promise<void> {
    const dueAt = utcTime(clock.now().getTime() + waitMs);
    await commit.runSoon(() => store.putOff(id, tries + 1, dueAt));
  }

  async function forget(picture: Picture): Promise<void> {
    await files.remove(picture);
    await commit.runSoon(() => store.remove([picture.id]));
  }

  /** @returns how long to wait before the next look; 0: there is more */
  async function round(): Promise<{ waitMs: number; rousable: boolean }> {
    await bringForgotten();
    const due = dueNow();
    if (due.length === 0) return { waitMs: untilDue(store.nextDueAt(events.acknowledged())), rousable: true };
    const reasons = await Promise.all(due.map(send));
    const reason = reasons.find((one) => one !== null) ?? null;
    if (reason === null) pause.reset();
    if (reason === null || reasons.includes(null)) trouble = null;
    if (reason === null) return { waitMs: 0, rousable: true };
    trouble = reason;
    const waitMs = pause.nextMs();
    if (!stopping.signal.aborted) log.warn({ event: LOG_EVENTS.pictureRetry, reason, waitMs });
    return { waitMs, rousable: false };
  }

  function untilDue(dueAt: UtcTime | null): number {
    const untilMs = dueAt === null ? timing.lookEveryMs : millis(dueAt) - clock.now().getTime();
    // Never at once: what is due and may not go waits for something to happen.
    return Math.min(Math.max(untilMs, timing.retryFirstMs), timing.lookEveryMs);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      roused = false;
      const { waitMs, rousable } = await round().catch((error: unknown) => {
        log.error({ event: LOG_EVENTS.pictureRetry, err: error });
        return { waitMs: pause.nextMs(), rousable: false };
      });
      if (waitMs > 0 && !(rousable && roused)) await rest(waitMs, rousable);
    }
  }

  function rest(waitMs: number, rousable: boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stopping.signal.removeEventListener('abort', end);
        rouse = null;
        resolve();
      };
      const timer = setTimeout(end, waitMs);
      stopping.signal.addEventListener('abort', end);
      if (rousable) rouse = end;
      if (stopping.signal.aborted) end();
    });
  }

  return {
    start() {
      heldByCloud = events.acknowledged();
      restoredTo = heldByCloud;
      running ??= run();
    },
    wake() {
      noticeRestore();
      roused = true;
      rouse?.();
    },
    async stop() {
      stopping.abort();
      await running;
    },
    trouble: () => trouble,
  };
}

function isWhole({ bytes, sha256 }: Picture, read: Buffer): boolean {
  return read.length === bytes && createHash('sha256').update(read).digest('hex') === sha256;
}

function againMs(tries: number, { againFirstMs, maxRepeatMs }: SenderTiming): number {
  return backoffMs(tries + 1, { firstMs: againFirstMs, maxMs: maxRepeatMs });
}
