import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { z } from 'zod';
import { openRelayLine } from './ask-relay.ts';
import type { Gate, GateReport } from './gate.ts';
import { reachHost } from './reach-host.ts';
import { withSeenLogin } from './seen-login.ts';

const RequestSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST'),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(''),
});
type HttpRequest = z.infer<typeof RequestSchema>;

/** A relay that is moved by an HTTP request: most relay boards, door controllers and home-made ones. */
export const HttpGateSchema = z
  .strictObject({
    kind: z.literal('http'),
    /** `pulse`: the relay falls back by itself. `bistable`: it is released by a second request. */
    mode: z.enum(['pulse', 'bistable']).default('pulse'),
    open: RequestSchema,
    /** Keeps the gate open until `release`; a bistable relay is held by `open`. */
    hold: RequestSchema.optional(),
    release: RequestSchema.optional(),
    /** Closes the gate and keeps it so until `release`, where the device can do that by itself. */
    close: RequestSchema.optional(),
    /** How long a bistable relay stays on. */
    releaseAfterMs: z.int().min(100).max(MINUTE_MS).default(1000),
    /** The request for the gate's position: it is closed if the answer's text fits the pattern. */
    state: z.strictObject({ url: z.url({ protocol: /^https?$/ }), closedPattern: z.string() }).optional(),
    timeoutMs: z.int().min(100).max(30_000).default(2000),
    /** Keep the connection open between pulses; not every relay board supports that. */
    keepAlive: z.boolean().default(false),
  })
  .refine((gate) => gate.mode === 'pulse' || gate.release !== undefined, {
    message: 'a bistable relay needs a release request',
    path: ['release'],
  })
  .refine(({ hold, close, release }) => (!hold && !close) || release !== undefined, {
    message: 'a gate that can be held open or closed needs a release request',
    path: ['release'],
  });
export type HttpGateConfig = z.infer<typeof HttpGateSchema>;

/** How often the release of a bistable relay is tried: unlike an opening it can do no harm to repeat. */
const RELEASE_TRIES = 5;

export function createHttpGate(config: HttpGateConfig): Gate {
  const { mode, release, close, state, timeoutMs, keepAlive } = config;
  const hold = config.hold ?? (mode === 'bistable' ? config.open : undefined);
  const { ask, login } = withSeenLogin(openRelayLine({ timeoutMs, keepAlive, selfSigned: false }));
  /** Ends a pulse of a bistable relay. */
  let ending: NodeJS.Timeout | undefined;

  function endPulse(request: HttpRequest, tried: number): void {
    const pauseMs = config.releaseAfterMs * Math.max(tried, 1);
    clearTimeout(ending);
    const timer = setTimeout(async () => {
      const { outcome } = await ask(request);
      // A hold, a release or another pulse in the meantime decides now.
      if (ending === timer && outcome !== 'done' && tried + 1 < RELEASE_TRIES) endPulse(request, tried + 1);
    }, pauseMs);
    ending = timer;
  }

  async function send(request: HttpRequest) {
    clearTimeout(ending);
    ending = undefined;
    return (await ask(request)).outcome;
  }

  return {
    login,
    // The request for the state is the only one that does not move the gate.
    check: async () =>
      state
        ? (await ask({ method: 'GET', url: state.url })).outcome
        : await reachHost(config.open.url, timeoutMs),
    async pulse() {
      const outcome = await send(config.open);
      // Released even when the answer was lost: the relay may be on.
      if (mode === 'bistable' && release && (outcome === 'done' || outcome === 'unknown'))
        endPulse(release, 0);
      return outcome;
    },
    // A relay that a pulse switched on is still on after the program or the power ended.
    ...(mode === 'bistable' && release && { start: () => endPulse(release, 0) }),
    async stop() {
      if (ending && release) await send(release);
    },
    ...(hold && { hold: () => send(hold) }),
    ...(close && { close: () => send(close) }),
    ...(release && { release: () => send(release) }),
    ...(state && {
      async report(): Promise<GateReport> {
        const answer = await ask({ method: 'GET', url: state.url });
        if (answer.outcome !== 'done') return 'unknown';
        return new RegExp(state.closedPattern).test(answer.text) ? 'closed' : 'open';
      },
    }),
  };
}
