import { utcTime } from '@hlid/protocol/base/utc-time';
import type { ScreenView } from '../commands/device-commands.ts';
import { HEALTHY, type HealthSignal } from '../config/health-state.ts';

/** The kiosk's screen. It lives as long as its page asks for the site; it is also asked for pictures of what it shows. */
export class KioskScreen {
  readonly #silentMs: number | null;
  readonly #tick: () => number;
  readonly #now: () => Date;
  #onChange: () => void = () => undefined;
  readonly #since: number;
  #isExpected: boolean;
  #polled: { tick: number; at: Date } | null = null;
  #wasDead = false;
  #picture: { id: string; resolve: (view: ScreenView) => void } | null = null;

  /**
   * @param options.silentSeconds null: nothing is expected of it
   * @param options.isExpected the site has a card terminal, beside which a kiosk stands
   * @param options.tick milliseconds of a monotonic clock
   */
  constructor(options: {
    silentSeconds: number | null;
    isExpected: boolean;
    tick: () => number;
    now: () => Date;
  }) {
    this.#silentMs = options.silentSeconds === null ? null : options.silentSeconds * 1000;
    this.#isExpected = options.isExpected;
    this.#tick = options.tick;
    this.#now = options.now;
    this.#since = options.tick();
  }

  /** @param listener called when it is dead now, or no longer */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** It was there before this program started. */
  expect(): void {
    this.#isExpected = true;
  }

  isWatched(): boolean {
    return this.#silentMs !== null && (this.#isExpected || this.#polled !== null);
  }

  /** Records a request of the kiosk's page. */
  polled(): void {
    this.#polled = { tick: this.#tick(), at: this.#now() };
    this.check();
  }

  /** When its page last asked; null: not since the program started. */
  lastSeenAt(): Date | null {
    return this.#polled?.at ?? null;
  }

  /** No page serves drivers there, and one should. */
  isDead(): boolean {
    if (this.#silentMs === null || !this.isWatched()) return false;
    return this.#tick() - (this.#polled?.tick ?? this.#since) > this.#silentMs;
  }

  /** Notices that it has died or lives again; to be called at intervals. */
  check(): void {
    const isDead = this.isDead();
    if (isDead === this.#wasDead) return;
    this.#wasDead = isDead;
    this.#onChange();
  }

  /** Null: not known yet, or nothing is expected of it. */
  signal(): HealthSignal | null {
    if (!this.isWatched()) return null;
    if (!this.isDead()) return this.#polled === null ? null : HEALTHY;
    const last = this.#polled === null ? 'since the daemon started' : `since ${utcTime(this.#polled.at)}`;
    return { state: 'silent', detail: `its page has not asked for the site ${last}` };
  }

  /** The id of the picture that was requested; null: none was. */
  wantedPicture(): string | null {
    return this.#picture?.id ?? null;
  }

  /** Makes the page show its screen; an earlier caller gets nothing any more. */
  async take(id: string, timeoutMs: number): Promise<ScreenView> {
    this.#picture?.resolve({ kind: 'away' });
    if (this.#polled === null || this.isDead()) return { kind: 'away' };
    return await new Promise((resolve) => {
      const timer = setTimeout(() => this.answer(id, { kind: 'away' }), timeoutMs);
      this.#picture = {
        id,
        resolve: (view) => {
          clearTimeout(timer);
          this.#picture = null;
          resolve(view);
        },
      };
    });
  }

  /** @returns false: the picture was not requested */
  answer(id: string, view: ScreenView): boolean {
    if (this.#picture?.id !== id) return false;
    this.#picture.resolve(view);
    return true;
  }
}
