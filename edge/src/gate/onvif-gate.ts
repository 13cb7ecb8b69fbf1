import { RetryPause } from '@hlid/node/retry-pause';
import type { GateOutcome } from '@hlid/protocol/site-event';
import { z } from 'zod';
import { setRelayState } from '../onvif/device-service.ts';
import type { OnvifDevices } from '../onvif/onvif-devices.ts';
import { ONVIF_SHAPE } from '../onvif/onvif-options.ts';
import { type NoRelay, type PreparedRelay, prepareRelay } from '../onvif/prepare-relay.ts';
import { watchRelay } from '../onvif/relay-watch.ts';
import type { SoapAnswer, SoapFailure } from '../onvif/soap-answer.ts';
import type { Gate, GateReport } from './gate.ts';

/** A relay of an ONVIF device: a camera with an output, or an I/O module. */
export const OnvifGateSchema = z.strictObject({
  kind: z.literal('onvif'),
  ...ONVIF_SHAPE,
  /** Its token; needed where the device has several. */
  relay: z.string().min(1).optional(),
  /**
   * `monostable`: the relay falls back by itself; `bistable`: it is released by a second request; `auto`: monostable
   * where the device can, which is safer.
   */
  mode: z.enum(['auto', 'monostable', 'bistable']).default('auto'),
  /** How long the relay stays on. Many devices know whole seconds only. */
  pulseMs: z.int().min(100).max(60_000).default(1000),
  /** A contact that tells how the gate stands: the token of a digital input, and its state when the gate is closed. */
  contact: z
    .strictObject({ input: z.string().min(1), closedWhen: z.enum(['active', 'inactive']) })
    .optional(),
});
export type OnvifGateConfig = z.infer<typeof OnvifGateSchema>;

const PREPARE_PAUSE = { firstMs: 1000, maxMs: 60_000 };
/** A relay that stays on holds a gate open, or wears out its motor: it is let go for as long as it takes. */
const RELEASE_PAUSE = { firstMs: 500, maxMs: 15_000 };
/** Answers, since the program has to end some time. */
const MAX_LOST_WHILE_STOPPING = 2;
/** On top of the time for which it is set; many devices round up. */
const FALLS_BACK_WITHIN_MS = 2000;
/** A lost answer's event is on its way, if there is one. */
const EVENT_PATIENCE_MS = 500;

/** An answer of the device that told its relay to move, as the keeper understands it. */
const OUTCOMES = {
  fault: 'refused',
  'not-onvif': 'refused',
  'no-relay': 'refused',
  'login-refused': 'refused',
  'held-back': 'refused',
  unreachable: 'unreachable',
  unknown: 'unknown',
} as const satisfies Record<(SoapFailure | NoRelay)['reason'], GateOutcome>;

interface OnvifGate extends Gate {
  /** Resolves when the relay is ready, which may be never. */
  start(): Promise<void>;
}

export function createOnvifGate(config: OnvifGateConfig, devices: OnvifDevices): OnvifGate {
  const { url, user, password, login, selfSigned, timeoutMs, pulseMs, contact } = config;
  const device = devices.at({ url, user, password, login, selfSigned, timeoutMs });
  const { session } = device;
  const stopping = new AbortController();
  const relay = watchRelay(device, () => token, contact?.input ?? null);
  /** As soon as it is known: a car does not wait until the rest is. */
  let token = config.relay ?? null;
  let prepared: PreparedRelay | null = null;
  let problem: string | null = null;
  /** One setting of the relay after the other. */
  let settings: Promise<unknown> = Promise.resolve();
  /** Somebody holds the gate open: the relay stays on. */
  let held = false;
  let releasing: Promise<void> | null = null;
  let releasesWanted = 0;
  /** When, by `performance.now()`, an opening was last left without an answer; who begins knows of none before. */
  let lostAt: number | null = performance.now();

  /** Once, after any setting that is under way. */
  function prepare(): Promise<PreparedRelay | NoRelay | SoapFailure> {
    const done = settings.then(async () => {
      const wish = held ? ({ ...config, mode: 'bistable' } as const) : config;
      const result = await prepareRelay(session, wish, (found) => {
        token = found;
      });
      noteAnswer(result);
      if (result.ok) prepared = result;
      return result;
    });
    settings = done;
    return done;
  }

  /** A device whose relay is missing, or refuses something, works as a camera all the same. */
  function noteAnswer(answer: { ok: true } | NoRelay | SoapFailure): void {
    const ofRelay = !answer.ok && (answer.reason === 'no-relay' || answer.reason === 'fault');
    problem = ofRelay ? answer.message : null;
    device.noteAnswer(answer.ok || answer.reason === 'no-relay' || answer.reason === 'fault' ? null : answer);
  }

  /** For as long as it takes, from the start on: a car finds the relay ready. */
  async function prepareForEver(): Promise<void> {
    const pause = new RetryPause(PREPARE_PAUSE);
    while (!stopping.signal.aborted) {
      const done = await prepare();
      if (!done.ok) await rest(pause.nextMs(), stopping.signal);
      // A relay that was on when the program ended, or when the power went, is on still.
      else return done.mode === 'Bistable' ? letGo() : undefined;
    }
  }

  async function tell(state: 'active' | 'inactive'): Promise<SoapAnswer> {
    if (token === null) {
      return { ok: false, reason: 'unreachable', message: 'the relay has not been found yet' };
    }
    // For all of it: a clock that was set or a nonce that is used up may take a second try.
    const signal = AbortSignal.timeout(timeoutMs);
    const home = prepared?.home ?? { service: 'device', deviceIo: null };
    const answer = await setRelayState(session, home, token, state, {
      timeoutMs,
      signal,
    });
    noteAnswer(answer);
    return answer;
  }

  /** Tries until the device says that the relay is off, and begins to even when the program is ending. */
  function letGo(): Promise<void> {
    releasesWanted++;
    releasing ??= letGoUntilDone().finally(() => {
      releasing = null;
    });
    return releasing;
  }

  async function letGoUntilDone(): Promise<void> {
    const pause = new RetryPause(RELEASE_PAUSE);
    let lostWhileStopping = 0;
    while (!held) {
      const serves = releasesWanted;
      const answer = await tell('inactive');
      // An answer to what was sent before the last pulse does not count.
      if (answer.ok && serves === releasesWanted) return;
      // What is left on now is let go at the next start.
      if (stopping.signal.aborted && !answer.ok) {
        if (answer.reason !== 'unknown' || ++lostWhileStopping >= MAX_LOST_WHILE_STOPPING) return;
      }
      if (!answer.ok) await rest(pause.nextMs(), stopping.signal);
    }
  }

  /** A relay that ought to fall back and does not: somebody has set the device anew. */
  async function seeThatItFallsBack(): Promise<void> {
    await rest(pulseMs + FALLS_BACK_WITHIN_MS, stopping.signal);
    if (!relay.isActive() || held || stopping.signal.aborted) return;
    await letGo();
    prepared = null;
    await prepareForEver();
  }

  return {
    async start() {
      // After whoever takes up in this moment that the gate is held open.
      await new Promise((resolve) => setImmediate(resolve));
      await prepareForEver();
    },
    async stop() {
      stopping.abort();
      // What waits to let the relay go begins with it now.
      await new Promise((resolve) => setImmediate(resolve));
      await releasing;
    },
    async pulse() {
      const sentAt = performance.now();
      const answer = await tell('active');
      // A relay whose kind is not known yet may stay on; letting go of one that falls back by itself does no harm.
      const mayBeOn = answer.ok || answer.reason === 'unknown';
      if (mayBeOn && prepared?.mode !== 'Monostable') void rest(pulseMs, stopping.signal).then(letGo);
      if (mayBeOn && prepared?.mode === 'Monostable') void seeThatItFallsBack();
      if (answer.ok) {
        lostAt = null;
        return 'done';
      }
      const outcome = OUTCOMES[answer.reason];
      if (outcome !== 'unknown') return outcome;
      // The answer was lost, but the relay tells for itself that it moved.
      const listens = device.completeSince() !== null;
      if (listens && (await relay.movedSince(sentAt, EVENT_PATIENCE_MS))) return 'done';
      lostAt = sentAt;
      return 'unknown';
    },
    async hold() {
      const before = held;
      held = true;
      // A relay that falls back by itself holds nothing.
      const ready = prepared?.mode === 'Bistable' ? prepared : await prepare();
      const answer = ready.ok && ready.mode === 'Bistable' ? await tell('active') : ready;
      if (answer.ok && ready.ok && ready.mode === 'Bistable') return 'done';
      const outcome = answer.ok ? 'refused' : OUTCOMES[answer.reason];
      if (outcome === 'unknown') return outcome;
      held = before;
      if (!held) void prepareForEver();
      return outcome;
    },
    async release() {
      held = false;
      const answer = await tell('inactive');
      if (!answer.ok) void letGo();
      if (prepared?.mode === 'Bistable' && config.mode !== 'bistable') void prepareForEver();
      return answer.ok ? 'done' : OUTCOMES[answer.reason];
    },
    problem: () => problem,
    async report(): Promise<GateReport> {
      if (contact) {
        const state = await relay.stateNow('input', timeoutMs);
        if (state === null) return 'unknown';
        return (state ? 'active' : 'inactive') === contact.closedWhen ? 'closed' : 'open';
      }
      const state = await relay.stateNow('relay', timeoutMs);
      if (state === null) return 'unknown';
      if (state) return 'open';
      // A relay that fell back by itself stands like one that never moved: only who has seen every event knows.
      const since = device.completeSince();
      if (lostAt === null) return 'closed';
      if (since === null || since > lostAt) return 'unknown';
      return relay.lastActiveAt() > lostAt ? 'open' : 'closed';
    },
  };
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
