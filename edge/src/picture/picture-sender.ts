import { createHash } from 'node:crypto';
import { RetryPause } from '@hlid/node/retry-pause';
import { backoffMs } from '@hlid/protocol/base/backoff';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { LOG_EVENTS } from '../base/events.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { BringPicture, Brought } from './bring-picture.ts';
import type { PictureFiles } from './picture-files.ts';
import type { Picture, PictureStore } from './picture-store.ts';

export interface SenderTiming {
  /** The pause after the cloud could not be reached, or could not take a picture. */
  retryFirstMs: number;
  maxRetryMs: number;
  /** The first wait before a picture that the cloud could not take is sent again. */
  againFirstMs: number;
  maxRepeatMs: number;
  /**
   * The time after which a picture that the cloud calls gone is sent once more: a cloud that was just
   * restored will accept it later.
   */
  goneAgainMs: number;
  checkEveryMs: number;
}

const TIMING: SenderTiming = {
  retryFirstMs: 1000,
  maxRetryMs: 5 * MINUTE_MS,
  againFirstMs: 10_000,
  maxRepeatMs: HOUR_MS,
  goneAgainMs: 15 * MINUTE_MS,
  checkEveryMs: MINUTE_MS,
};

/** The number of pictures that are sent at once: gates and events come first. */
const AT_ONCE = 2;
/** No picture is sent while more events than this wait. */
const MAX_EVENTS_BEHIND = 200;

interface SenderParts extends Pick<EdgeContext, 'commit' | 'clock' | 'log'> {
  store: PictureStore;
  files: PictureFiles;
  bring: BringPicture;
  events: Pick<EventLog, 'acknowledged' | 'lastSeq'>;
  timing?: Partial<SenderTiming>;
}

/** Brings pictures to the cloud, each after the events of its read and visit, until the cloud has it. */
export class PictureSender {
  readonly #parts: SenderParts;
  readonly #timing: SenderTiming;
  readonly #pause: RetryPause;
  readonly #stopping = new AbortController();
  /** The least that the cloud has acknowledged since the last check. */
  #heldByCloud = 0;
  #restoredTo: number | null = 0;
  #running: Promise<void> | null = null;
  #trouble: string | null = null;
  #rouse: (() => void) | null = null;
  #roused = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#timing = { ...TIMING, ...parts.timing };
    this.#pause = new RetryPause({ firstMs: this.#timing.retryFirstMs, maxMs: this.#timing.maxRetryMs });
  }

  start(): void {
    this.#heldByCloud = this.#parts.events.acknowledged();
    this.#restoredTo = this.#heldByCloud;
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is on its way any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Something may be due: a picture was kept, or the cloud has acknowledged events. */
  wake(): void {
    this.#noticeRestore();
    this.#roused = true;
    this.#rouse?.();
  }

  /** Why nothing is sent; null while all is well. */
  trouble(): string | null {
    return this.#trouble;
  }

  #noticeRestore(): void {
    const acknowledged = this.#parts.events.acknowledged();
    if (acknowledged < this.#heldByCloud) {
      this.#restoredTo = Math.min(this.#restoredTo ?? acknowledged, acknowledged);
    }
    this.#heldByCloud = acknowledged;
  }

  /** Sends again the pictures that the cloud received after the backup from which it was restored. */
  async #bringForgotten(): Promise<void> {
    if (this.#restoredTo === null) return;
    const { store, commit, log } = this.#parts;
    const since = this.#restoredTo;
    this.#restoredTo = null;
    const pictures = await commit.run(() => store.bringAgain(since));
    if (pictures > 0) log.warn({ event: LOG_EVENTS.picturesAgain, since, pictures });
  }

  #dueNow(): Picture[] {
    const { store, events, clock } = this.#parts;
    const acknowledged = events.acknowledged();
    if (events.lastSeq() - acknowledged > MAX_EVENTS_BEHIND) return [];
    return store.due(utcTime(clock.now()), acknowledged, AT_ONCE);
  }

  /** @returns why the others should wait too; null: go on */
  async #send(picture: Picture): Promise<string | null> {
    const { files, bring, log } = this.#parts;
    const { readId } = picture;
    let bytes: Buffer | null;
    try {
      bytes = await files.read(picture);
    } catch (error) {
      // A disk that cannot be read here may well elsewhere: the others go on.
      log.warn({ event: LOG_EVENTS.pictureRetry, readId, reason: messageOf(error) });
      await this.#putOff(picture, againMs(picture.tries, this.#timing));
      return null;
    }
    if (bytes === null || !isWhole(picture, bytes)) {
      log.warn({ event: LOG_EVENTS.pictureLost, readId, reason: 'its file is not whole' });
      await this.#forget(picture);
      return null;
    }
    const { signal } = this.#stopping;
    const brought = await bring(picture, bytes, signal);
    if (signal.aborted && brought.outcome === 'unreachable') return brought.reason;
    return this.#settle(picture, brought);
  }

  async #settle(picture: Picture, brought: Brought): Promise<string | null> {
    const { store, commit, log } = this.#parts;
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
        if (tries === 0) await this.#putOff(picture, this.#timing.goneAgainMs);
        else {
          await this.#forget(picture);
          log.info({ event: LOG_EVENTS.pictureForgotten, id, readId });
        }
        return null;
      case 'later':
        await this.#putOff(picture, Math.max(againMs(tries, this.#timing), brought.waitMs));
        return brought.reason;
      case 'unreachable':
        return brought.reason;
      default:
        return brought satisfies never;
    }
  }

  async #putOff({ id, tries }: Picture, waitMs: number): Promise<void> {
    const { store, commit, clock } = this.#parts;
    const dueAt = utcTime(clock.now().getTime() + waitMs);
    await commit.runSoon(() => store.putOff(id, tries + 1, dueAt));
  }

  async #forget(picture: Picture): Promise<void> {
    const { store, files, commit } = this.#parts;
    await files.remove(picture);
    await commit.runSoon(() => store.remove([picture.id]));
  }

  /** @returns how long to wait before the next round; 0: there is more */
  async #round(): Promise<{ waitMs: number; rousable: boolean }> {
    const { store, events, log } = this.#parts;
    await this.#bringForgotten();
    const due = this.#dueNow();
    if (due.length === 0) {
      return { waitMs: this.#untilDue(store.nextDueAt(events.acknowledged())), rousable: true };
    }
    const reasons = await Promise.all(due.map((picture) => this.#send(picture)));
    const reason = reasons.find((one) => one !== null) ?? null;
    if (reason === null) this.#pause.reset();
    if (reason === null || reasons.includes(null)) this.#trouble = null;
    if (reason === null) return { waitMs: 0, rousable: true };
    this.#trouble = reason;
    const waitMs = this.#pause.nextMs();
    if (!this.#stopping.signal.aborted) log.warn({ event: LOG_EVENTS.pictureRetry, reason, waitMs });
    return { waitMs, rousable: false };
  }

  #untilDue(dueAt: UtcTime | null): number {
    const { checkEveryMs, retryFirstMs } = this.#timing;
    const untilMs = dueAt === null ? checkEveryMs : millis(dueAt) - this.#parts.clock.now().getTime();
    // Never at once: what is due and may not go waits for something to happen.
    return Math.min(Math.max(untilMs, retryFirstMs), checkEveryMs);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#roused = false;
      const { waitMs, rousable } = await this.#round().catch((error: unknown) => {
        this.#parts.log.error({ event: LOG_EVENTS.pictureRetry, err: error });
        return { waitMs: this.#pause.nextMs(), rousable: false };
      });
      if (waitMs > 0 && !(rousable && this.#roused)) await this.#rest(waitMs, rousable);
    }
  }

  #rest(waitMs: number, rousable: boolean): Promise<void> {
    const { signal } = this.#stopping;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#rouse = null;
        resolve();
      };
      const timer = setTimeout(end, waitMs);
      signal.addEventListener('abort', end);
      if (rousable) this.#rouse = end;
      if (signal.aborted) end();
    });
  }
}

function isWhole({ bytes, sha256 }: Picture, read: Buffer): boolean {
  return read.length === bytes && createHash('sha256').update(read).digest('base64') === sha256;
}

function againMs(tries: number, { againFirstMs, maxRepeatMs }: SenderTiming): number {
  return backoffMs(tries + 1, { firstMs: againFirstMs, maxMs: maxRepeatMs });
}
