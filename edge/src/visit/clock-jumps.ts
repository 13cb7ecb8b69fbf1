import type { Clock } from '@hlid/node/clock';
import { utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { ReadDesk } from '../camera/read-desk.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import type { PassageStore } from '../passage/passage-store.ts';
import type { VisitBook } from './visit-book.ts';
import type { VisitStore } from './visit-store.ts';

/** Clocks that are kept right are moved by less; so much costs nobody anything. */
const JUMP_MS = 60_000;

export interface ClockJumps {
  /** The desk, before which the clock is looked at: whoever comes next is decided on knowing it. */
  before(desk: ReadDesk): ReadDesk;
  /** Looks whether it was set. */
  look(): void;
}

/**
 * The site's clock was set, forward or back, while cars are inside: nobody knows any more how long they have stayed.
 * Their visits are flagged, and what they owe waits for a person.
 */
export function createClockJumps(parts: {
  clock: Clock;
  /** A clock that nobody sets, in milliseconds. */
  tick: () => number;
  commit: GroupCommit;
  visits: Pick<VisitStore, 'open'>;
  passages: Pick<PassageStore, 'shift'>;
  book: Pick<VisitBook, 'flag'>;
  /** Whoever compares clocks with this one. */
  onSet: (byMs: number) => void;
  log: Logger;
}): ClockJumps {
  const { clock, tick, commit, visits, passages, book, log } = parts;
  const offset = () => clock.now().getTime() - tick();
  let known = offset();
  /** Of what the clock was set by, what is not on the disk yet. */
  let unwritten = 0;

  function write(byMs: number): void {
    const at = utcTime(clock.now());
    passages.shift(byMs);
    for (const visit of visits.open()) {
      if (visit.flags.includes('clock-set')) continue;
      const why = `clock set by ${Math.round(byMs / 1000)} s`;
      book.flag(visit, 'clock-set', true, { at, by: 'clock', why });
    }
  }

  function look(): void {
    const now = offset();
    const byMs = now - known;
    // Slow corrections are followed: only what comes at once is a jump.
    known = now;
    if (Math.abs(byMs) >= JUMP_MS) {
      parts.onSet(byMs);
      unwritten += byMs;
    }
    if (unwritten === 0) return;
    const writing = unwritten;
    unwritten = 0;
    commit
      .run(() => write(writing))
      .catch((err: unknown) => {
        // Tried again with the next read.
        unwritten += writing;
        log.error({ event: LOG_EVENTS.laneFailed, err });
      });
  }

  return {
    look,
    before: (desk) => ({
      take(cameraId, document, receivedAt) {
        look();
        return desk.take(cameraId, document, receivedAt);
      },
    }),
  };
}
