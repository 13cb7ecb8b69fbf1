import { utcTime } from '@hlid/protocol/utc-time';
import type { EdgeContext } from '../edge-context.ts';
import { LOG_EVENTS } from '../events.ts';
import type { PassageStore } from '../passage/passage-store.ts';
import type { VisitService } from './visit-service.ts';
import type { VisitStore } from './visit-store.ts';

/** Clocks that are kept right are moved by less; so much costs nobody anything. */
const JUMP_MS = 60_000;

/**
 * The site's clock was set, forward or back, while cars are inside: nobody knows any more how long they have stayed.
 * Their visits are flagged, and what they owe waits for a person.
 */
export class ClockCheck {
  readonly #context: Pick<EdgeContext, 'commit' | 'clock' | 'log'>;
  readonly #parts: {
    visits: Pick<VisitStore, 'open'>;
    passages: Pick<PassageStore, 'shift'>;
    visitService: Pick<VisitService, 'flag'>;
    tick: () => number;
    onSet: (byMs: number) => void;
  };
  #offsetMs: number;
  /** Of what the clock was set by, what is not on the disk yet. */
  #unwrittenMs = 0;

  constructor(
    context: Pick<EdgeContext, 'commit' | 'clock' | 'log'>,
    parts: {
      visits: Pick<VisitStore, 'open'>;
      passages: Pick<PassageStore, 'shift'>;
      visitService: Pick<VisitService, 'flag'>;
      /** A clock that nobody sets, in milliseconds. */
      tick: () => number;
      /** Parts that compare device clocks with this one. */
      onSet: (byMs: number) => void;
    },
  ) {
    this.#context = context;
    this.#parts = parts;
    this.#offsetMs = this.#offset();
  }

  /** Checks whether the clock was set: before a document, which is then decided on knowing it. */
  check(): void {
    const now = this.#offset();
    const byMs = now - this.#offsetMs;
    // Slow corrections are followed: only a change at once is a jump.
    this.#offsetMs = now;
    if (Math.abs(byMs) >= JUMP_MS) {
      this.#parts.onSet(byMs);
      this.#unwrittenMs += byMs;
    }
    if (this.#unwrittenMs === 0) return;
    const writing = this.#unwrittenMs;
    this.#unwrittenMs = 0;
    this.#context.commit
      .run(() => this.#write(writing))
      .catch((err: unknown) => {
        // Tried again with the next read.
        this.#unwrittenMs += writing;
        this.#context.log.error({ event: LOG_EVENTS.laneFailed, err });
      });
  }

  #offset(): number {
    return this.#context.clock.now().getTime() - this.#parts.tick();
  }

  #write(byMs: number): void {
    const { visits, passages, visitService } = this.#parts;
    const at = utcTime(this.#context.clock.now());
    passages.shift(byMs);
    for (const visit of visits.open()) {
      if (visit.flags.includes('clock-set')) continue;
      const reason = `clock set by ${Math.round(byMs / 1000)} s`;
      visitService.flag(visit, 'clock-set', true, { at, by: 'clock', reason });
    }
  }
}
