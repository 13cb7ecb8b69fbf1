import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { LOG_EVENTS } from '../base/events.ts';
import type { MetaStore } from '../db/meta-store.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { PassageStore } from '../passage/passage-store.ts';
import { type BootClock, JUMP_MS, readClockMemory, setWhileAway } from './clock-memory.ts';
import type { VisitService } from './visit-service.ts';
import type { VisitStore } from './visit-store.ts';

/**
 * The interval of checks without a car: a driver at the kiosk must not pay for the years of a clock that was
 * set.
 */
const CHECK_EVERY_MS = 1000;
const REMEMBER_EVERY_MS = 10 * MINUTE_MS;

interface ClockCheckParts {
  visits: Pick<VisitStore, 'open'>;
  passages: Pick<PassageStore, 'shift'>;
  visitService: Pick<VisitService, 'flag'>;
  meta: MetaStore;
  /** A monotonic clock, in milliseconds. */
  tick: () => number;
  /** One that goes on while the program is away; null: there is none. */
  boot: () => BootClock | null;
  /** Parts that compare device clocks with this one. */
  onSet: (byMs: number) => void;
}

/**
 * Detects that the site's clock was set, forward or back, while cars are inside: it is unknown then how long
 * they have stayed. Their visits are flagged, and what they owe waits for a person. A change while the
 * program was away is detected too.
 */
export class ClockCheck {
  readonly #context: Pick<EdgeContext, 'commit' | 'clock' | 'log'>;
  readonly #parts: ClockCheckParts;
  #offsetMs: number;
  /** The sum of the clock's jumps that is not stored yet. */
  #unwrittenMs = 0;
  #isCertain = false;
  #latestCertainMs = 0;
  #rememberedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Pick<EdgeContext, 'commit' | 'clock' | 'log'>, parts: ClockCheckParts) {
    this.#context = context;
    this.#parts = parts;
    this.#offsetMs = this.#offset();
  }

  /** Compares with what the last program left, within a transaction; before anything is decided. */
  start(): void {
    const before = readClockMemory(this.#parts.meta.get('site-clock'));
    this.#latestCertainMs = before?.latestCertainMs ?? 0;
    const set = before && setWhileAway(before, this.#now(), this.#parts.boot());
    this.#context.commit.runNow(() => {
      if (set) this.#flagOpen(set.byMs);
      if (set?.isMeasured) this.#parts.passages.shift(set.byMs);
      this.#remember();
    });
    if (set) this.#context.log.warn({ event: LOG_EVENTS.clockSet, byMs: Math.round(set.byMs) });
    this.#timer = setInterval(() => this.check(), CHECK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Checks whether the clock was set: before a document, which is then decided on knowing it. */
  check(): void {
    const now = this.#offset();
    const byMs = now - this.#offsetMs;
    // Slow corrections are followed: only a change at once is a jump.
    this.#offsetMs = now;
    if (Math.abs(byMs) >= JUMP_MS) {
      this.#isCertain = false;
      this.#parts.onSet(byMs);
      this.#unwrittenMs += byMs;
    }
    if (this.#unwrittenMs !== 0) this.#writeSet();
    else if (this.#parts.tick() - this.#rememberedAt >= REMEMBER_EVERY_MS) this.#rememberSoon();
  }

  /** A reliable source of time has confirmed the clock. */
  confirm(): void {
    const wasCertain = this.#isCertain;
    this.#isCertain = true;
    this.#latestCertainMs = Math.max(this.#latestCertainMs, this.#now());
    if (!wasCertain) this.#rememberSoon();
  }

  /**
   * The time by which the clock is certainly behind: it shows less than what was confirmed once; 0: nothing
   * shows that.
   */
  certainlyBehindMs(): number {
    return Math.max(0, this.#latestCertainMs - this.#now());
  }

  #now(): number {
    return this.#context.clock.now().getTime();
  }

  #offset(): number {
    return this.#now() - this.#parts.tick();
  }

  #writeSet(): void {
    const writing = this.#unwrittenMs;
    this.#unwrittenMs = 0;
    this.#context.commit
      .run(() => {
        this.#parts.passages.shift(writing);
        this.#flagOpen(writing);
        this.#remember();
      })
      .catch((err: unknown) => {
        // Tried again with the next read.
        this.#unwrittenMs += writing;
        this.#context.log.error({ event: LOG_EVENTS.laneFailed, err });
      });
  }

  #rememberSoon(): void {
    this.#rememberedAt = this.#parts.tick();
    this.#context.commit
      .runSoon(() => this.#remember())
      .catch((err: unknown) => this.#context.log.error({ event: LOG_EVENTS.laneFailed, err }));
  }

  #remember(): void {
    this.#rememberedAt = this.#parts.tick();
    const memory = {
      boot: this.#parts.boot(),
      wallMs: this.#now(),
      isCertain: this.#isCertain,
      latestCertainMs: this.#latestCertainMs,
    };
    this.#parts.meta.set('site-clock', JSON.stringify(memory));
  }

  #flagOpen(byMs: number): void {
    const { visits, visitService } = this.#parts;
    const at = utcTime(this.#context.clock.now());
    for (const visit of visits.open()) {
      if (visit.flags.includes('clock-set')) continue;
      const reason = `clock set by ${Math.round(byMs / 1000)} s`;
      visitService.flag(visit, 'clock-set', true, { at, by: 'clock', reason });
    }
  }
}
