import type { Clock } from '@hlid/node/clock';
import { withTimeout } from '@hlid/node/with-timeout';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { getInformation } from './device-service.ts';
import { type OnvifEvent, type Trigger, triggerOf } from './event-message.ts';
import { EventReader, type ReadingTimes } from './event-reader.ts';
import type { OnvifOptions } from './onvif-options.ts';
import { OnvifSession } from './onvif-session.ts';
import type { SoapFailure } from './soap-answer.ts';

/** The state of a device, for people. */
export interface OnvifState {
  state: 'starting' | 'ok' | 'unreachable' | 'login-refused' | 'failing';
  since: UtcTime;
  lastError: string | null;
}

/** A receiver of a device's events. */
export interface OnvifListener {
  /** The topics to subscribe to, as the ConcreteSet dialect writes them; null: all. */
  topics: readonly string[] | null;
  onEvents?(events: readonly OnvifEvent[], deviceTime: Date | null): void;
  /** A relay or input has changed, or reports its state. */
  onTrigger?(trigger: Trigger): void;
  onAlive?(): void;
}

/** A device that has held a pull for this long holds it until there is an event. */
const PULL_HELD_MS = 3000;

/** A device with one session and one subscription, however many cameras, gates and loops it is. */
export class OnvifDevice {
  readonly session: OnvifSession;
  readonly #clock: Clock;
  readonly #times: Partial<ReadingTimes>;
  readonly #onState: ((state: OnvifState) => void) | undefined;
  readonly #listeners: OnvifListener[] = [];
  #reader: EventReader | null = null;
  #state: OnvifState;

  constructor(
    options: OnvifOptions,
    parts: {
      clock: Clock;
      times?: Partial<ReadingTimes>;
      onState?: (state: OnvifState) => void;
      /** Called for the first of each fault of its answers that is understood all the same. */
      onMended?: (fault: string) => void;
    },
  ) {
    this.#clock = parts.clock;
    this.#times = parts.times ?? {};
    this.#onState = parts.onState;
    this.session = new OnvifSession(options, parts.clock, parts.onMended);
    this.#state = { state: 'starting', since: utcTime(parts.clock.now()), lastError: null };
  }

  /** Adds a listener; without one no events are read. To be called before `start`. */
  listen(listener: OnvifListener): void {
    this.#listeners.push(listener);
  }

  start(): void {
    if (this.#reader || this.#listeners.length === 0) return;
    this.#reader = new EventReader({
      session: this.session,
      topics: topicsOf(this.#listeners),
      times: this.#times,
      now: () => this.#clock.now(),
      onEvents: (events, deviceTime) => this.#deliver(events, deviceTime),
      onAlive: () => {
        this.#show('ok', null);
        for (const listener of this.#listeners) listener.onAlive?.();
      },
      onFailure: (failure) => this.noteAnswer(failure),
    });
    this.#reader.start();
  }

  async stop(): Promise<void> {
    await this.#reader?.stop();
    this.#reader = null;
  }

  state(): OnvifState {
    return this.#state;
  }

  /** The faults in the device's answers, though they are understood. */
  mended(): string[] {
    return this.session.mended();
  }

  /** Retries a refused login now, because an operator has ordered it. */
  tryAgain(): void {
    this.session.tryAgain();
    void this.#reader?.tryNow();
  }

  /** Connects now, without the pause after a failure. Resolves when the state is known. */
  async check(): Promise<void> {
    this.session.tryAgain();
    const failure = await this.#tryNow();
    // A device that was restarted does not know its old subscription: a new one is made.
    const result = failure !== 'pulling' && failure?.reason === 'fault' ? await this.#tryNow() : failure;
    if (result === null) this.#show('ok', null);
    if (result !== 'pulling') return;
    const information = await getInformation(this.session);
    const isThere = information.ok || information.reason === 'fault';
    this.noteAnswer(isThere ? null : information);
  }

  /** The failure of the reader's next attempt, or null. `pulling`: the device holds the request, or nothing is read. */
  async #tryNow(): Promise<SoapFailure | null | 'pulling'> {
    const attempt = this.#reader?.tryNow();
    return attempt ? await withTimeout(attempt, PULL_HELD_MS, () => 'pulling' as const) : 'pulling';
  }

  /** The time since which no event can have been missed, by `performance.now()`; null: no events arrive. */
  completeSince(): number | null {
    return this.#reader?.completeSince() ?? null;
  }

  /** Requests the states of relays and inputs. @returns false where the device did not accept the request */
  async refresh(): Promise<boolean> {
    return (await this.#reader?.refresh()) ?? false;
  }

  /** Notes the result of a call outside the reading of events; null: it succeeded. */
  noteAnswer(failure: SoapFailure | null): void {
    if (failure) this.#show(STATE_AFTER[failure.reason], failure.message);
    else this.#show('ok', null);
  }

  #deliver(events: readonly OnvifEvent[], deviceTime: Date | null): void {
    const triggers = events.flatMap((event) => triggerOf(event) ?? []);
    for (const listener of this.#listeners) {
      for (const trigger of triggers) listener.onTrigger?.(trigger);
      listener.onEvents?.(events, deviceTime);
    }
  }

  #show(state: OnvifState['state'], lastError: string | null): void {
    const before = this.#state;
    if (before.state === state && before.lastError === lastError) return;
    const since = before.state === state ? before.since : utcTime(this.#clock.now());
    this.#state = { state, since, lastError };
    this.#onState?.(this.#state);
  }
}

const STATE_AFTER = {
  fault: 'failing',
  'not-onvif': 'failing',
  unknown: 'unreachable',
  unreachable: 'unreachable',
  'login-refused': 'login-refused',
  'held-back': 'login-refused',
} as const satisfies Record<SoapFailure['reason'], OnvifState['state']>;

/** Prefixes that our envelopes declare; a filter may use no other. */
const DECLARED = /^(tns1|tnsaxis):[\w./]+$/;

function topicsOf(listeners: readonly OnvifListener[]): string | null {
  const wanted = listeners.flatMap((listener) => listener.topics ?? ['']);
  return wanted.every((topic) => DECLARED.test(topic)) ? [...new Set(wanted)].join('|') : null;
}
