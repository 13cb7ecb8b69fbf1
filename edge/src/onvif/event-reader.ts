import { RetryPause } from '@hlid/node/retry-pause';
import { getServices } from './device-service.ts';
import type { OnvifEvent } from './event-message.ts';
import type { OnvifSession } from './onvif-session.ts';
import {
  createPullPoint,
  type LifeTold,
  type PullPoint,
  type PullWish,
  pullMessages,
  renew,
  synchronise,
  unsubscribe,
} from './pull-point.ts';
import type { SoapFailure } from './soap-answer.ts';

/** Times that a device is asked to keep; devices must accept a wait of a minute. */
export interface ReadingTimes {
  /** How long it holds a pull for which it has nothing. */
  waitMs: number;
  /** How long a subscription lives unless it is renewed. */
  lifeMs: number;
  firstPauseMs: number;
  maxPauseMs: number;
}

export const READING_TIMES: ReadingTimes = {
  waitMs: 20_000,
  lifeMs: 60_000,
  firstPauseMs: 1000,
  maxPauseMs: 60_000,
};

const MAX_EVENTS = 50;
/** What a device is asked for that finds the usual too much, one after the other. */
const LESS: readonly PullWish[] = [
  { waitMs: 5000, maxEvents: 10 },
  { waitMs: 1000, maxEvents: 1 },
];

/** Devices tell whole seconds, up or down. */
const SHORT_OF_LIFE_MS = 2000;

/** Reads a device's events for as long as it runs. */
export interface EventReader {
  stop(): Promise<void>;
  /** Does not wait out a pause: somebody says that it is worth a try. */
  tryNow(): void;
  /** Since when, by `performance.now()`, no event can have been missed; null: events are not coming. */
  completeSince(): number | null;
  /** Asks how everything stands; the answers come as events. False: the device could not be asked. */
  refresh(): Promise<boolean>;
}

/**
 * Subscribes, pulls, renews; after any failure again, for ever, with growing pauses. A subscription outlives a broken
 * connection: what happened meanwhile is still pulled from it.
 */
export function createEventReader(parts: {
  session: OnvifSession;
  /** An expression of the ConcreteSet dialect; null for everything. */
  topics: string | null;
  times?: Partial<ReadingTimes>;
  now: () => Date;
  onEvents: (events: readonly OnvifEvent[], deviceTime: Date | null) => void;
  /** A pull was answered; the device is alive. */
  onAlive: () => void;
  onFailure: (failure: SoapFailure) => void;
}): EventReader {
  const { session, now } = parts;
  const times = { ...READING_TIMES, ...parts.times };
  const pause = new RetryPause({ firstMs: times.firstPauseMs, maxMs: times.maxPauseMs });
  const stopping = new AbortController();
  const { signal } = stopping;
  let topics = parts.topics;
  let point: PullPoint | null = null;
  let renewable = true;
  let told: LifeTold = 'for';
  const usual: PullWish = { waitMs: times.waitMs, maxEvents: MAX_EVENTS };
  let wish = usual;
  /** A pull with this wish was answered. */
  let wishSuits = false;
  let completeSince: number | null = null;
  let wake: (() => void) | null = null;

  async function subscribe(): Promise<SoapFailure | null> {
    const services = await getServices(session);
    if (!services.ok) return services;
    const { events } = services.value;
    if (events === null) {
      return { ok: false, reason: 'not-onvif', message: 'the device has no event service' };
    }
    const create = () => createPullPoint(session, events, topics, { ms: times.lifeMs, told }, signal);
    let created = await create();
    if (!created.ok && topics !== null && says(created, ABOUT_FILTER)) {
      // It does not know one of the topics, or none of the dialect: then everything, and sorted out here.
      topics = null;
      created = await create();
    }
    // Some know moments only, some take a duration for a moment long past, some want to be told nothing.
    for (const other of ['until', 'not', 'for'] as const) {
      if (created.ok ? created.point.leftMs > 0 : !says(created, ABOUT_TIME)) break;
      if (created.ok) await unsubscribe(session, created.point);
      told = other;
      created = await create();
    }
    if (!created.ok) return created;
    point = created.point;
    renewable = true;
    if (!wishSuits) wish = usual;
    completeSince = performance.now();
    // Not every device knows this; relays and inputs are then told when they move.
    await synchronise(session, point, signal);
    return null;
  }

  /** One pull, and a renewal where the device does not prolong by itself. */
  async function pull(from: PullPoint): Promise<SoapFailure | null> {
    const asked = performance.now();
    const pulled = await pullMessages(session, from, wish, signal);
    if (!pulled.ok) return says(pulled, ABOUT_WISH) && wishLess() ? null : pulled;
    wishSuits = true;
    completeSince ??= asked;
    if (pulled.deviceTime) session.noteTime(pulled.deviceTime);
    parts.onAlive();
    pause.reset();
    if (pulled.events.length > 0) parts.onEvents(pulled.events, pulled.deviceTime);
    const leftMs = pulled.leftMs ?? 0;
    if (!renewable || leftMs > times.waitMs + Math.max(times.lifeMs / 3, SHORT_OF_LIFE_MS)) return null;
    const renewed = await renew(session, from, { ms: times.lifeMs, told }, signal);
    if (renewed.ok || renewed.reason !== 'fault') return null;
    // Renewing is optional where every pull prolongs.
    if (told === 'for' && says(renewed, ABOUT_TIME)) told = 'until';
    else renewable = false;
    return null;
  }

  /** False: there is no less. */
  function wishLess(): boolean {
    const less = LESS.find(({ maxEvents }) => maxEvents < wish.maxEvents);
    if (!less) return false;
    wish = { waitMs: Math.min(less.waitMs, wish.waitMs), maxEvents: less.maxEvents };
    wishSuits = false;
    return true;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const failure = point ? await pull(point) : await subscribe();
      if (!failure || signal.aborted) continue;
      parts.onFailure(failure);
      // Only a lost connection leaves the subscription standing.
      if (failure.reason !== 'unreachable' && failure.reason !== 'unknown') await forget();
      // An answer that was lost on its way had perhaps events in it.
      else if (failure.reason === 'unknown') completeSince = null;
      await rest(failure);
    }
    await forget();
  }

  async function forget(): Promise<void> {
    const old = point;
    point = null;
    completeSince = null;
    if (old) await unsubscribe(session, old);
  }

  function rest({ reason }: SoapFailure): Promise<void> {
    const until = reason === 'held-back' || reason === 'login-refused' ? session.heldBackUntil() : null;
    const ms = until ? Math.max(0, until.getTime() - now().getTime()) : pause.nextMs();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        wake = null;
        resolve();
      }
      wake = done;
      signal.addEventListener('abort', done);
    });
  }

  const running = run();

  return {
    async stop() {
      stopping.abort();
      await running;
    },
    tryNow: () => wake?.(),
    completeSince: () => completeSince,
    async refresh() {
      return point !== null && (await synchronise(session, point)).ok;
    },
  };
}

const ABOUT_FILTER = /filter|topic/i;
const ABOUT_TIME = /InvalidArg|TerminationTime|InitialTermination/i;
const ABOUT_WISH = /InvalidArg|PullMessagesFault|MaxTimeout|MessageLimit/i;

/** Whether a fault's names or words are of this kind. */
function says(failure: SoapFailure, words: RegExp): boolean {
  return failure.reason === 'fault' && words.test([...failure.fault.codes, failure.fault.reason].join(' '));
}
