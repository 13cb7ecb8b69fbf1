import { RetryPause } from '@hlid/node/retry-pause';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { getServices } from './device-service.ts';
import type { OnvifEvent } from './event-message.ts';
import type { OnvifSession } from './onvif-session.ts';
import {
  createPullPoint,
  type LifeForm,
  type PullPoint,
  type PullRequest,
  pullMessages,
  renew,
  synchronise,
  unsubscribe,
} from './pull-point.ts';
import type { SoapFailure } from './soap-answer.ts';

/** Devices must accept a wait of a minute. */
export interface ReadingTimes {
  /** How long the device holds a pull while it has no event. */
  waitMs: number;
  /** How long a subscription lives unless it is renewed. */
  lifeMs: number;
  firstPauseMs: number;
  maxPauseMs: number;
}

export const READING_TIMES: ReadingTimes = {
  waitMs: 20_000,
  lifeMs: MINUTE_MS,
  firstPauseMs: 1000,
  maxPauseMs: MINUTE_MS,
};

const MAX_EVENTS = 50;
/** The requests for devices that refuse the usual one, in this order. */
const SMALLER_REQUESTS: readonly PullRequest[] = [
  { waitMs: 5000, maxEvents: 10 },
  { waitMs: 1000, maxEvents: 1 },
];

/** Devices report whole seconds, rounded up or down. */
const SHORT_OF_LIFE_MS = 2000;
/** A pull is no shorter, however soon a device forgets its pull points. */
const MIN_WAIT_MS = 1000;

interface EventReaderParts {
  session: OnvifSession;
  /** An expression of the ConcreteSet dialect; null for everything. */
  topics: string | null;
  times?: Partial<ReadingTimes>;
  now: () => Date;
  onEvents: (events: readonly OnvifEvent[], deviceTime: Date | null) => void;
  /** A pull was answered: the device is alive. */
  onAlive: () => void;
  onFailure: (failure: SoapFailure) => void;
}

/**
 * Reads a device's events: subscribes, pulls, renews; after any failure again, for ever, with growing pauses. A
 * subscription outlives a broken connection: the events of that time are still pulled from it.
 */
export class EventReader {
  readonly #parts: EventReaderParts;
  readonly #times: ReadingTimes;
  readonly #pause: RetryPause;
  readonly #stopping = new AbortController();
  #topics: string | null;
  #point: PullPoint | null = null;
  #isRenewable = true;
  #lifeForm: LifeForm = 'for';
  #request: PullRequest;
  /** A pull with this request was answered. */
  #isRequestFit = false;
  #completeSince: number | null = null;
  /** The time at which the subscription was made, by `performance.now()`. */
  #subscribedAt = 0;
  /** The rest of its life, as far as the device has reported it. */
  #leftMs: number | null = null;
  /** Pulls are shorter where the device has forgotten a subscription sooner than it announced. */
  #longestWaitMs = Number.POSITIVE_INFINITY;
  #isPulling = false;
  #wake: (() => void) | null = null;
  /** Callers of `tryNow`, to the end of the next attempt. */
  readonly #waiting: ((failure: SoapFailure | null) => void)[] = [];
  #running: Promise<void> | null = null;

  constructor(parts: EventReaderParts) {
    this.#parts = parts;
    this.#times = { ...READING_TIMES, ...parts.times };
    this.#pause = new RetryPause({ firstMs: this.#times.firstPauseMs, maxMs: this.#times.maxPauseMs });
    this.#topics = parts.topics;
    this.#request = this.#usualRequest();
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /**
   * Ends a pause, because an operator has ordered a retry. Resolves with its failure, or null; null at once:
   * the device holds a pull, which may take long.
   */
  tryNow(): Promise<SoapFailure | null> | null {
    if (this.#isPulling) return null;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#wake?.();
    });
  }

  /** The time since which no event can have been missed, by `performance.now()`; null: no events arrive. */
  completeSince(): number | null {
    return this.#completeSince;
  }

  /** Requests the present states, which arrive as events. @returns false where the device did not accept the request */
  async refresh(): Promise<boolean> {
    return this.#point !== null && (await synchronise(this.#parts.session, this.#point)).ok;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#isPulling = this.#point !== null;
      const failure = await (this.#point ? this.#pull(this.#point) : this.#subscribe());
      this.#isPulling = false;
      if (failure && !signal.aborted) this.#parts.onFailure(failure);
      for (const settle of this.#waiting.splice(0)) settle(failure);
      if (!failure || signal.aborted) continue;
      if (this.#hasForgotten(failure)) {
        await this.#drop();
        continue;
      }
      // The subscription survives a lost connection alone.
      if (failure.reason !== 'unreachable' && failure.reason !== 'unknown') await this.#drop();
      // The lost answer may have contained events.
      else if (failure.reason === 'unknown') this.#completeSince = null;
      await this.#rest(failure);
    }
    await this.#drop();
  }

  /**
   * Whether the device has forgotten a subscription that worked for a while. It is made again at once, and pulled from more
   * often: a car may come meanwhile.
   */
  #hasForgotten({ reason }: SoapFailure): boolean {
    if (reason !== 'fault' || this.#point === null) return false;
    const livedMs = performance.now() - this.#subscribedAt;
    if (livedMs < this.#times.firstPauseMs) return false;
    this.#longestWaitMs = Math.max(MIN_WAIT_MS, Math.min(this.#longestWaitMs, livedMs / 3));
    this.#pause.reset();
    return true;
  }

  async #subscribe(): Promise<SoapFailure | null> {
    const { session } = this.#parts;
    const { signal } = this.#stopping;
    const services = await getServices(session);
    if (!services.ok) return services;
    const { events } = services.value;
    if (events === null) {
      return { ok: false, reason: 'not-onvif', message: 'the device has no event service' };
    }
    const created = await this.#createPoint(events);
    if (!created.ok) return created;
    this.#point = created.point;
    this.#subscribedAt = performance.now();
    this.#leftMs = created.point.leftMs;
    this.#isRenewable = true;
    if (!this.#isRequestFit) this.#request = this.#usualRequest();
    this.#completeSince = performance.now();
    // Some devices do not know this call; they report relays and inputs when they change.
    await synchronise(session, this.#point, signal);
    return null;
  }

  async #createPoint(events: string): Promise<{ ok: true; point: PullPoint } | SoapFailure> {
    const { session } = this.#parts;
    const { signal } = this.#stopping;
    const create = () => {
      const life = { ms: this.#times.lifeMs, form: this.#lifeForm };
      return createPullPoint(session, events, this.#topics, life, signal);
    };
    let created = await create();
    if (!created.ok && this.#topics !== null && matches(created, ABOUT_FILTER)) {
      // It does not know one of the topics, or the dialect: all events, then, which are filtered here.
      this.#topics = null;
      created = await create();
    }
    // Some devices only know moments, some take a duration for a moment long past, some refuse both.
    for (const form of ['until', 'not', 'for'] as const) {
      if (created.ok ? created.point.leftMs > 0 : !matches(created, ABOUT_TIME)) break;
      if (created.ok) await unsubscribe(session, created.point);
      this.#lifeForm = form;
      created = await create();
    }
    return created;
  }

  /** One pull, and a renewal where the device does not prolong by itself. */
  async #pull(point: PullPoint): Promise<SoapFailure | null> {
    const { session, onAlive, onEvents } = this.#parts;
    const sentAt = performance.now();
    const pulled = await pullMessages(session, point, this.#nextRequest(), this.#stopping.signal);
    if (!pulled.ok) return matches(pulled, ABOUT_REQUEST) && this.#reduceRequest() ? null : pulled;
    this.#isRequestFit = true;
    this.#completeSince ??= sentAt;
    if (pulled.deviceTime) session.noteTime(pulled.deviceTime);
    onAlive();
    this.#pause.reset();
    if (pulled.events.length > 0) onEvents(pulled.events, pulled.deviceTime);
    this.#leftMs = pulled.leftMs;
    await this.#renew(point, pulled.leftMs ?? 0);
    return null;
  }

  /** No pull is held for longer than half of what is left of the subscription. */
  #nextRequest(): PullRequest {
    const { waitMs, maxEvents } = this.#request;
    const isKnown = this.#leftMs !== null && this.#leftMs > 0;
    const longestMs = Math.min(this.#longestWaitMs, isKnown ? (this.#leftMs ?? 0) / 2 : waitMs);
    return { waitMs: Math.min(waitMs, Math.max(MIN_WAIT_MS, longestMs)), maxEvents };
  }

  async #renew(point: PullPoint, leftMs: number): Promise<void> {
    const { waitMs, lifeMs } = this.#times;
    if (!this.#isRenewable || leftMs > waitMs + Math.max(lifeMs / 3, SHORT_OF_LIFE_MS)) return;
    const life = { ms: lifeMs, form: this.#lifeForm };
    const renewed = await renew(this.#parts.session, point, life, this.#stopping.signal);
    if (renewed.ok) this.#leftMs = renewed.leftMs ?? lifeMs;
    if (renewed.ok || renewed.reason !== 'fault') return;
    // Renewal is optional where every pull prolongs the subscription.
    if (this.#lifeForm === 'for' && matches(renewed, ABOUT_TIME)) this.#lifeForm = 'until';
    else this.#isRenewable = false;
  }

  #usualRequest(): PullRequest {
    return { waitMs: this.#times.waitMs, maxEvents: MAX_EVENTS };
  }

  /** @returns false: there is no smaller request */
  #reduceRequest(): boolean {
    const { maxEvents, waitMs } = this.#request;
    const smaller = SMALLER_REQUESTS.find((request) => request.maxEvents < maxEvents);
    if (!smaller) return false;
    this.#request = { waitMs: Math.min(smaller.waitMs, waitMs), maxEvents: smaller.maxEvents };
    this.#isRequestFit = false;
    return true;
  }

  async #drop(): Promise<void> {
    const point = this.#point;
    this.#point = null;
    this.#completeSince = null;
    if (point) await unsubscribe(this.#parts.session, point);
  }

  #rest({ reason }: SoapFailure): Promise<void> {
    if (this.#waiting.length > 0) return Promise.resolve();
    const { session, now } = this.#parts;
    const { signal } = this.#stopping;
    const until = reason === 'held-back' || reason === 'login-refused' ? session.heldBackUntil() : null;
    const ms = until ? Math.max(0, until.getTime() - now().getTime()) : this.#pause.nextMs();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#wake = end;
      signal.addEventListener('abort', end);
    });
  }
}

const ABOUT_FILTER = /filter|topic/i;
const ABOUT_TIME = /InvalidArg|TerminationTime|InitialTermination/i;
const ABOUT_REQUEST = /InvalidArg|PullMessagesFault|MaxTimeout|MessageLimit/i;

/** Whether a fault's codes or text match. */
function matches(failure: SoapFailure, words: RegExp): boolean {
  return failure.reason === 'fault' && words.test([...failure.fault.codes, failure.fault.reason].join(' '));
}
