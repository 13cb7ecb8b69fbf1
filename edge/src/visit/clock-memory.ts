import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { z } from 'zod';

/**
 * A monotonic clock of the machine, which goes on from one program to the next until the machine restarts.
 */
export interface BootClock {
  /** The id of this start of the machine. */
  id: string;
  sinceBootMs: number;
}

/** The state of the site's clock that a program leaves to the next one. */
export interface ClockMemory {
  boot: BootClock | null;
  /** The time that the clock showed then. */
  wallMs: number;
  /** The cloud has confirmed it since the program started, or since it was last set. */
  isCertain: boolean;
  /** The latest time that was confirmed; 0: none ever was. */
  latestCertainMs: number;
}

const ClockMemorySchema: z.ZodType<ClockMemory> = z.object({
  boot: z.object({ id: z.string(), sinceBootMs: z.number() }).nullable(),
  wallMs: z.number(),
  isCertain: z.boolean(),
  latestCertainMs: z.number(),
});

/** Clocks that are kept right are moved by less; a minute costs no driver anything. */
export const JUMP_MS = MINUTE_MS;
/** A machine was off for less, and its clock is believed to be right, where nothing ever confirms it. */
const PLAUSIBLE_MS = 12 * HOUR_MS;
/**
 * The limit for a clock that was confirmed before, but not since the program started or the clock was last
 * set.
 */
const UNCONFIRMED_MS = 10 * MINUTE_MS;

/** Null: there is nothing that can be read. */
export function readClockMemory(text: string | undefined): ClockMemory | null {
  if (text === undefined) return null;
  try {
    return ClockMemorySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * The time by which the clock was set, or may have been, while no program ran; null: no such change is known.
 * Within one start of the machine this is measured. A machine that was off shows only that its clock went
 * back, or that a time which was never confirmed is followed by one that is much later.
 */
export function setWhileAway(
  before: ClockMemory,
  wallMs: number,
  boot: BootClock | null,
): { byMs: number; isMeasured: boolean } | null {
  const passedMs = wallMs - before.wallMs;
  const sameBoot =
    boot !== null && boot.id === before.boot?.id && boot.sinceBootMs >= before.boot.sinceBootMs;
  if (sameBoot) {
    const byMs = passedMs - (boot.sinceBootMs - (before.boot?.sinceBootMs ?? 0));
    return Math.abs(byMs) >= JUMP_MS ? { byMs, isMeasured: true } : null;
  }
  if (passedMs <= -JUMP_MS) return { byMs: passedMs, isMeasured: false };
  if (before.isCertain) return null;
  const plausibleMs = before.latestCertainMs > 0 ? UNCONFIRMED_MS : PLAUSIBLE_MS;
  return passedMs > plausibleMs ? { byMs: passedMs, isMeasured: false } : null;
}

/** Null where the system does not report it. */
export function readBootClock(): BootClock | null {
  try {
    const id = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { id, sinceBootMs: uptime() * 1000 };
  } catch {
    return null;
  }
}
