import type { Clock } from '@hlid/node/clock';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { type OnvifEvent, type Trigger, triggerOf } from './event-message.ts';
import { createEventReader, type EventReader, type ReadingTimes } from './event-reader.ts';
import type { OnvifOptions } from './onvif-options.ts';
import { createOnvifSession, type OnvifSession } from './onvif-session.ts';
import type { SoapFailure } from './soap-answer.ts';

/** How it is with a device, for people. */
export interface OnvifState {
  state: 'starting' | 'ok' | 'unreachable' | 'login-refused' | 'failing';
  since: UtcTime;
  lastError: string | null;
}

/** Who wants to hear of a device's events. */
export interface OnvifListener {
  /** Topics it wants, as the ConcreteSet dialect writes them; null: whatever comes. */
  topics: readonly string[] | null;
  onEvents?(events: readonly OnvifEvent[], deviceTime: Date | null): void;
  /** A relay or input moved, or was asked how it stands. */
  onTrigger?(trigger: Trigger): void;
  onAlive?(): void;
}

/** A device with one session and one subscription, however many cameras, gates and loops it is. */
export interface OnvifDevice {
  readonly session: OnvifSession;
  /** Events are read while anybody listens. */
  listen(listener: OnvifListener): void;
  /** Begins to read events, once everybody has said what they want. */
  start(): void;
  stop(): Promise<void>;
  state(): OnvifState;
  /** An operator says that a refused login is worth another try. */
  tryAgain(): void;
  /** Since when, by `performance.now()`, no event can have been missed; null: events are not coming. */
  completeSince(): number | null;
  /** Asks how relays and inputs stand; false: it could not be asked. */
  refresh(): Promise<boolean>;
  /** What a call outside the reading of events came to, for the state; null: it went well. */
  noteAnswer(failure: SoapFailure | null): void;
}

export function createOnvifDevice(
  options: OnvifOptions,
  parts: {
    clock: Clock;
    times?: Partial<ReadingTimes>;
    onState?: (state: OnvifState) => void;
  },
): OnvifDevice {
  const { clock } = parts;
  const session = createOnvifSession(options, clock);
  const listeners: OnvifListener[] = [];
  let reader: EventReader | null = null;
  let view: OnvifState = { state: 'starting', since: utcTime(clock.now()), lastError: null };

  function show(state: OnvifState['state'], lastError: string | null): void {
    if (view.state === state && view.lastError === lastError) return;
    const since = view.state === state ? view.since : utcTime(clock.now());
    view = { state, since, lastError };
    parts.onState?.(view);
  }

  function noteAnswer(failure: SoapFailure | null): void {
    if (failure) show(STATE_AFTER[failure.reason], failure.message);
    else show('ok', null);
  }

  return {
    session,
    listen: (listener) => void listeners.push(listener),
    start() {
      if (reader || listeners.length === 0) return;
      reader = createEventReader({
        session,
        topics: topicsOf(listeners),
        ...(parts.times && { times: parts.times }),
        now: () => clock.now(),
        onEvents(events, deviceTime) {
          const triggers = events.flatMap((event) => triggerOf(event) ?? []);
          for (const listener of listeners) {
            for (const trigger of triggers) listener.onTrigger?.(trigger);
            listener.onEvents?.(events, deviceTime);
          }
        },
        onAlive() {
          show('ok', null);
          for (const listener of listeners) listener.onAlive?.();
        },
        onFailure: noteAnswer,
      });
    },
    async stop() {
      await reader?.stop();
      reader = null;
    },
    state: () => view,
    tryAgain() {
      session.tryAgain();
      reader?.tryNow();
    },
    completeSince: () => reader?.completeSince() ?? null,
    refresh: async () => (await reader?.refresh()) ?? false,
    noteAnswer,
  };
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
