import { randomUUID } from 'node:crypto';
import type { Clock } from '@hlid/node/clock';
import { COMMAND_LIFE_MS, type SiteCommand } from '@hlid/protocol/commands';
import { millis } from '@hlid/protocol/utc-time';

type Said = Pick<SiteCommand, 'id' | 'sentAt' | 'expiresAt' | 'echo'>;

/** Whether a command was said just now. */
export interface CommandAge {
  /** `echo`: not by what is known of the clocks; who still wants it says it again with that. */
  judge(command: Said): { fresh: true } | { fresh: false; echo: string };
}

/** A clock that has just been set may be so far ahead of what is known. */
const CLOCK_PLAY_MS = 500;
/** No command lives longer, whatever it says. */
const MAX_LIFE_MS = 10 * COMMAND_LIFE_MS;
const MAX_ECHOES = 100;

/**
 * Clocks differ, and a command is good for a second. By the site's clock alone, a gateway that is a minute off would
 * take none, or take one that was a minute on its way. So a command that seems late (or early) is answered with an
 * echo, and by the time that the echo takes to come back, on a clock that nobody sets, the site knows that the command
 * is wanted now, and how far the clocks are apart.
 *
 * @param tick a clock that is never set, in milliseconds
 */
export function createCommandAge(clock: Clock, tick: () => number = () => performance.now()): CommandAge {
  const echoes = new Map<string, { commandId: string; tick: number }>();
  /** The cloud's clock before this one. */
  let aheadMs = 0;

  function forgetOld(): void {
    for (const echo of echoes.keys()) {
      if (echoes.size < MAX_ECHOES) return;
      echoes.delete(echo);
    }
  }

  return {
    judge(command) {
      const { id, echo } = command;
      const now = clock.now().getTime();
      const sentAt = millis(command.sentAt);
      const lifeMs = Math.min(millis(command.expiresAt) - sentAt, MAX_LIFE_MS);
      const asked = echo === null ? undefined : echoes.get(echo);
      if (echo !== null) echoes.delete(echo);
      const tookMs = asked && tick() - asked.tick;
      if (asked?.commandId === id && tookMs !== undefined && tookMs <= lifeMs) {
        aheadMs = sentAt - (now - tookMs / 2);
        return { fresh: true };
      }
      const ageMs = now + aheadMs - sentAt;
      if (ageMs >= -CLOCK_PLAY_MS && ageMs <= lifeMs) return { fresh: true };
      forgetOld();
      const made = randomUUID();
      echoes.set(made, { commandId: id, tick: tick() });
      return { fresh: false, echo: made };
    },
  };
}
