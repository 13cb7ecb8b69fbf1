import { RetryPause } from '@hlid/node/retry-pause';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { z } from 'zod';
import { setRelayState } from '../onvif/device-service.ts';
import type { OnvifDevice } from '../onvif/onvif-device.ts';
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
  pulseMs: z.int().min(100).max(MINUTE_MS).default(1000),
  /** A contact with the gate's position: the token of a digital input, and its state when the gate is closed. */
  contact: z
    .strictObject({ input: z.string().min(1), closedWhen: z.enum(['active', 'inactive']) })
    .optional(),
});
export type OnvifGateConfig = z.infer<typeof OnvifGateSchema>;

const PREPARE_PAUSE = { firstMs: 1000, maxMs: MINUTE_MS };
/** A relay that stays on holds a gate open, or wears out its motor: it is let go for as long as it takes. */
const RELEASE_PAUSE = { firstMs: 500, maxMs: 15_000 };
/** Answers, since the program must end some time. */
const MAX_LOST_WHILE_STOPPING = 2;
/** The tolerance on top of the configured time; many devices round up. */
const FALLS_BACK_WITHIN_MS = 2000;
/** A lost answer's event is on its way, if there is one. */
const EVENT_TIMEOUT_MS = 500;

/** An answer of the device that moves its relay, as the gate's controller understands it. */
const OUTCOMES = {
  fault: 'refused',
  'not-onvif': 'refused',
  'no-relay': 'refused',
  'login-refused': 'refused',
  'held-back': 'refused',
  unreachable: 'unreachable',
  unknown: 'unknown',
} as const satisfies Record<(SoapFailure | NoRelay)['reason'], GateOutcome>;

/** A relay of an ONVIF device, which is got ready in its own time. */
export class OnvifGate implements Gate {
  readonly problem = (): string | null => this.#problem;
  readonly #config: OnvifGateConfig;
  readonly #device: OnvifDevice;
  readonly #relay: ReturnType<typeof watchRelay>;
  readonly #stopping = new AbortController();
  /** The relay's token, once it is known: a car does not wait until the rest is. */
  #token: string | null;
  #prepared: PreparedRelay | null = null;
  #problem: string | null = null;
  /** One setting of the relay after the other. */
  #settings: Promise<unknown> = Promise.resolve();
  /** The gate is held open: the relay stays on. */
  #held = false;
  #releasing: Promise<void> | null = null;
  #releaseRequests = 0;
  /**
   * When, by `performance.now()`, an opening was last left without an answer; a new program has no record of
   * earlier ones.
   */
  #lostAt: number | null = performance.now();

  constructor(config: OnvifGateConfig, { onvif }: { onvif: OnvifDevices }) {
    const { url, user, password, login, selfSigned, timeoutMs } = config;
    this.#config = config;
    this.#token = config.relay ?? null;
    this.#device = onvif.at({ url, user, password, login, selfSigned, timeoutMs });
    this.#relay = watchRelay(this.#device, () => this.#token, config.contact?.input ?? null);
  }

  /** Resolves when the relay is ready, which may be never. */
  async start(): Promise<void> {
    // Waits for a restore of the held-open state that is under way.
    await new Promise((resolve) => setImmediate(resolve));
    await this.#prepareForEver();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    // Orders that wait to release the relay begin now.
    await new Promise((resolve) => setImmediate(resolve));
    await this.#releasing;
  }

  async pulse(): Promise<GateOutcome> {
    const { pulseMs } = this.#config;
    const sentAt = performance.now();
    const answer = await this.#send('active');
    // A relay of unknown kind may stay on; releasing one that falls back by itself does no harm.
    const mayBeOn = answer.ok || answer.reason === 'unknown';
    const fallsBack = this.#prepared?.mode === 'Monostable';
    if (mayBeOn && !fallsBack) void rest(pulseMs, this.#stopping.signal).then(() => this.#releaseRelay());
    if (mayBeOn && fallsBack) void this.#ensureFallsBack();
    if (answer.ok) {
      this.#lostAt = null;
      return 'done';
    }
    const outcome = OUTCOMES[answer.reason];
    if (outcome !== 'unknown') return outcome;
    // The answer was lost, but the relay reports for itself that it moved.
    const listens = this.#device.completeSince() !== null;
    if (listens && (await this.#relay.movedSince(sentAt, EVENT_TIMEOUT_MS))) return 'done';
    this.#lostAt = sentAt;
    return 'unknown';
  }

  async hold(): Promise<GateOutcome> {
    const before = this.#held;
    this.#held = true;
    // A relay that falls back by itself holds nothing.
    const ready = this.#prepared?.mode === 'Bistable' ? this.#prepared : await this.#prepare();
    const answer = ready.ok && ready.mode === 'Bistable' ? await this.#send('active') : ready;
    if (answer.ok && ready.ok && ready.mode === 'Bistable') return 'done';
    const outcome = answer.ok ? 'refused' : OUTCOMES[answer.reason];
    if (outcome === 'unknown') return outcome;
    this.#held = before;
    if (!this.#held) void this.#prepareForEver();
    return outcome;
  }

  async release(): Promise<GateOutcome> {
    this.#held = false;
    const answer = await this.#send('inactive');
    if (!answer.ok) void this.#releaseRelay();
    const isBistable = this.#prepared?.mode === 'Bistable';
    if (isBistable && this.#config.mode !== 'bistable') void this.#prepareForEver();
    return answer.ok ? 'done' : OUTCOMES[answer.reason];
  }

  async report(): Promise<GateReport> {
    const { contact, timeoutMs } = this.#config;
    if (contact) {
      const state = await this.#relay.stateNow('input', timeoutMs);
      if (state === null) return 'unknown';
      return (state ? 'active' : 'inactive') === contact.closedWhen ? 'closed' : 'open';
    }
    const state = await this.#relay.stateNow('relay', timeoutMs);
    if (state === null) return 'unknown';
    if (state) return 'open';
    // A relay that fell back by itself stands like one that never moved: only a reader that has seen every
    // event can tell them apart.
    const since = this.#device.completeSince();
    if (this.#lostAt === null) return 'closed';
    if (since === null || since > this.#lostAt) return 'unknown';
    return this.#relay.lastActiveAt() > this.#lostAt ? 'open' : 'closed';
  }

  /** A relay that is not ready yet is prepared; one that is ready may be moving, and is left alone. */
  async check(): Promise<GateOutcome> {
    if (this.#prepared === null) {
      this.#device.session.tryAgain();
      const answer = await this.#prepare();
      return answer.ok ? 'done' : OUTCOMES[answer.reason];
    }
    await this.#device.check();
    const { state } = this.#device.state();
    if (state === 'ok') return 'done';
    return state === 'login-refused' ? 'refused' : 'unreachable';
  }

  /** Once, after any setting that is under way. */
  #prepare(): Promise<PreparedRelay | NoRelay | SoapFailure> {
    const done = this.#settings.then(async () => {
      const config = this.#held ? ({ ...this.#config, mode: 'bistable' } as const) : this.#config;
      const result = await prepareRelay(this.#device.session, config, (found) => {
        this.#token = found;
      });
      this.#noteAnswer(result);
      if (result.ok) this.#prepared = result;
      return result;
    });
    this.#settings = done;
    return done;
  }

  /** A device without the relay, or one that refuses something, still works as a camera. */
  #noteAnswer(answer: { ok: true } | NoRelay | SoapFailure): void {
    const ofRelay = !answer.ok && (answer.reason === 'no-relay' || answer.reason === 'fault');
    this.#problem = ofRelay ? answer.message : null;
    const works = answer.ok || answer.reason === 'no-relay' || answer.reason === 'fault';
    this.#device.noteAnswer(works ? null : answer);
  }

  /** Prepares the relay from the start on, for as long as it takes, so that a car finds it ready. */
  async #prepareForEver(): Promise<void> {
    const { signal } = this.#stopping;
    const pause = new RetryPause(PREPARE_PAUSE);
    while (!signal.aborted) {
      const done = await this.#prepare();
      if (!done.ok) await rest(pause.nextMs(), signal);
      // A relay that was on when the program ended, or when the power went, is on still.
      else return done.mode === 'Bistable' ? this.#releaseRelay() : undefined;
    }
  }

  async #send(state: 'active' | 'inactive'): Promise<SoapAnswer> {
    const { timeoutMs } = this.#config;
    if (this.#token === null) {
      return { ok: false, reason: 'unreachable', message: 'the relay has not been found yet' };
    }
    // The timeout covers all attempts: a clock that was set or a nonce that is used up may take a second try.
    const signal = AbortSignal.timeout(timeoutMs);
    const home = this.#prepared?.home ?? { service: 'device', deviceIo: null };
    const { session } = this.#device;
    const answer = await setRelayState(session, home, this.#token, state, { timeoutMs, signal });
    this.#noteAnswer(answer);
    return answer;
  }

  /** Tries until the device confirms that the relay is off, and begins to even when the program is ending. */
  #releaseRelay(): Promise<void> {
    this.#releaseRequests++;
    this.#releasing ??= this.#releaseUntilDone().finally(() => {
      this.#releasing = null;
    });
    return this.#releasing;
  }

  async #releaseUntilDone(): Promise<void> {
    const { signal } = this.#stopping;
    const pause = new RetryPause(RELEASE_PAUSE);
    let lostWhileStopping = 0;
    while (!this.#held) {
      const serves = this.#releaseRequests;
      const answer = await this.#send('inactive');
      // An answer to what was sent before the last pulse does not count.
      if (answer.ok && serves === this.#releaseRequests) return;
      // A relay that is still on is released at the next start.
      if (signal.aborted && !answer.ok) {
        if (answer.reason !== 'unknown' || ++lostWhileStopping >= MAX_LOST_WHILE_STOPPING) return;
      }
      if (!answer.ok) await rest(pause.nextMs(), signal);
    }
  }

  /** Sets up a relay again that should fall back and does not: the device's settings were changed. */
  async #ensureFallsBack(): Promise<void> {
    const { signal } = this.#stopping;
    await rest(this.#config.pulseMs + FALLS_BACK_WITHIN_MS, signal);
    if (!this.#relay.isActive() || this.#held || signal.aborted) return;
    await this.#releaseRelay();
    this.#prepared = null;
    await this.#prepareForEver();
  }
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
