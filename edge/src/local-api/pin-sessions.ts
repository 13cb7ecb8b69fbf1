import { randomBytes } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { isPin } from '../base/pin-hash.ts';

/** A session shows the lanes for one shift. */
const VIEW_MS = 12 * HOUR_MS;
/** It moves gates for this long after the PIN or after the last movement. */
const ACT_MS = 10 * MINUTE_MS;
const MAX_SESSIONS = 200;

/** Wrong PINs within the span: of one address, and of all. */
const SPAN_MS = 10 * MINUTE_MS;
const MAX_OF_ADDRESS = 5;
const MAX_OF_ALL = 30;

type PinAnswer = { ok: true; token: string } | { ok: false; reason: 'wrong' | 'too-many'; waitMs: number };

/** People who have typed the PIN, by the token in their cookie. In memory: a restart ends all sessions. */
export class PinSessions {
  readonly #hash: string;
  readonly #tick: () => number;
  readonly #sessions = new Map<string, { since: number; actedAt: number }>();
  #wrong: { address: string; at: number }[] = [];

  /** @param tick a monotonic clock */
  constructor(hash: string, tick: () => number = () => performance.now()) {
    this.#hash = hash;
    this.#tick = tick;
  }

  async enter(pin: string, address: string): Promise<PinAnswer> {
    const at = this.#tick();
    this.#wrong = this.#wrong.filter((one) => at - one.at < SPAN_MS);
    const own = this.#wrong.filter((one) => one.address === address);
    const oldest = own.length >= MAX_OF_ADDRESS ? own[0] : this.#wrong[0];
    if (own.length >= MAX_OF_ADDRESS || this.#wrong.length >= MAX_OF_ALL) {
      return { ok: false, reason: 'too-many', waitMs: (oldest?.at ?? at) + SPAN_MS - at };
    }
    // Counted before it is known to be wrong: many at once are many.
    const attempt = { address, at };
    this.#wrong.push(attempt);
    if (!(await isPin(pin, this.#hash))) return { ok: false, reason: 'wrong', waitMs: 0 };
    this.#wrong = this.#wrong.filter((one) => one !== attempt);
    return { ok: true, token: this.#begin() };
  }

  /** The time for which the session may see the lanes; 0: it may not. */
  viewLeftMs(token: string | undefined): number {
    const session = this.#sessions.get(token ?? '');
    return session ? Math.max(0, session.since + VIEW_MS - this.#tick()) : 0;
  }

  mayAct(token: string | undefined): boolean {
    const session = this.#sessions.get(token ?? '');
    return session !== undefined && this.viewLeftMs(token) > 0 && this.#tick() - session.actedAt < ACT_MS;
  }

  /** The session has moved a gate. */
  acted(token: string | undefined): void {
    const session = this.#sessions.get(token ?? '');
    if (session) session.actedAt = this.#tick();
  }

  end(token: string | undefined): void {
    this.#sessions.delete(token ?? '');
  }

  #begin(): string {
    const at = this.#tick();
    for (const [token] of this.#sessions) {
      if (this.viewLeftMs(token) === 0 || this.#sessions.size >= MAX_SESSIONS) this.#sessions.delete(token);
    }
    const token = randomBytes(24).toString('base64url');
    this.#sessions.set(token, { since: at, actedAt: at });
    return token;
  }
}
