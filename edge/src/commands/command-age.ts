import { randomUUID } from 'node:crypto';
import type { Clock } from '@hlid/node/clock';
import { millis } from '@hlid/protocol/base/utc-time';
import { DEVICE_COMMAND_LIFE_MS, type SiteCommand } from '@hlid/protocol/site-link/commands';

/**
 * Whether a command is fresh. `echo`: the clocks do not show it; a caller that still needs it repeats it with
 * the echo.
 */
export type Freshness = { fresh: true } | { fresh: false; echo: string };

/** The longest time by which a clock that has just been set may be ahead of what is known. */
const CLOCK_TOLERANCE_MS = 500;
/** The longest life of a command, whatever it contains. */
const MAX_LIFE_MS = DEVICE_COMMAND_LIFE_MS;
const MAX_ECHOES = 100;

/**
 * Clocks differ, and a command is good for a second. By the site's clock alone, a gateway that is a minute
 * off would accept none, or accept one that was on its way for a minute. So a command that seems late (or
 * early) is answered with an echo. From the time that the echo takes to come back, on a monotonic clock, the
 * site learns that the command is still wanted, and how far the clocks are apart.
 */
export class CommandAge {
  readonly #clock: Clock;
  readonly #tick: () => number;
  readonly #echoes = new Map<string, { commandId: string; tick: number }>();
  /** The cloud's clock before this one. */
  #aheadMs = 0;

  /** @param tick a clock that is never set, in milliseconds */
  constructor(clock: Clock, tick: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#tick = tick;
  }

  judge(command: Pick<SiteCommand, 'id' | 'sentAt' | 'expiresAt' | 'echo'>): Freshness {
    const { id, echo } = command;
    const now = this.#clock.now().getTime();
    const sentAt = millis(command.sentAt);
    const lifeMs = Math.min(millis(command.expiresAt) - sentAt, MAX_LIFE_MS);
    const asked = echo === null ? undefined : this.#echoes.get(echo);
    if (echo !== null) this.#echoes.delete(echo);
    const tookMs = asked && this.#tick() - asked.tick;
    if (asked?.commandId === id && tookMs !== undefined && tookMs <= lifeMs) {
      this.#aheadMs = sentAt - (now - tookMs / 2);
      return { fresh: true };
    }
    const ageMs = now + this.#aheadMs - sentAt;
    if (ageMs >= -CLOCK_TOLERANCE_MS && ageMs <= lifeMs) return { fresh: true };
    return { fresh: false, echo: this.#newEcho(id) };
  }

  #newEcho(commandId: string): string {
    for (const oldest of this.#echoes.keys()) {
      if (this.#echoes.size < MAX_ECHOES) break;
      this.#echoes.delete(oldest);
    }
    const echo = randomUUID();
    this.#echoes.set(echo, { commandId, tick: this.#tick() });
    return echo;
  }
}
