import http from 'node:http';
import https from 'node:https';
import type { GateOutcome } from '@hlid/protocol/site-event';
import { z } from 'zod';
import type { Gate, GateReport } from './gate.ts';

const RequestSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST'),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(''),
});
type RelayRequest = z.infer<typeof RequestSchema>;

/** A relay that is moved by an HTTP request: most relay boards, door controllers and home-made ones. */
export const HttpGateSchema = z
  .strictObject({
    kind: z.literal('http'),
    /** `pulse`: the relay falls back by itself. `bistable`: it is released by a second request. */
    mode: z.enum(['pulse', 'bistable']).default('pulse'),
    open: RequestSchema,
    release: RequestSchema.optional(),
    /** How long a bistable relay stays on. */
    releaseAfterMs: z.int().min(100).max(60_000).default(1000),
    /** Where the device tells how the gate stands: closed where the answer's text fits the pattern. */
    state: z.strictObject({ url: z.url({ protocol: /^https?$/ }), closedPattern: z.string() }).optional(),
    timeoutMs: z.int().min(100).max(30_000).default(2000),
    /** Keep the connection open between pulses; not every relay board bears that. */
    keepAlive: z.boolean().default(false),
  })
  .refine((gate) => gate.mode === 'pulse' || gate.release !== undefined, {
    message: 'a bistable relay needs a release request',
    path: ['release'],
  });
export type HttpGateConfig = z.infer<typeof HttpGateSchema>;

/** How often the release of a bistable relay is tried: unlike an opening it can do no harm to repeat. */
const RELEASE_TRIES = 5;
/** More than a relay board has to say. */
const MAX_ANSWER_BYTES = 64 * 1024;

export function createHttpGate(config: HttpGateConfig): Gate {
  const agents = {
    'http:': new http.Agent({ keepAlive: config.keepAlive }),
    'https:': new https.Agent({ keepAlive: config.keepAlive }),
  };
  const ask = (request: RelayRequest) => askRelay(request, config.timeoutMs, agents);
  const { release, state } = config;

  async function releaseRelay(request: RelayRequest): Promise<void> {
    for (let tried = 1; tried <= RELEASE_TRIES; tried++) {
      const answer = await ask(request);
      if (answer.outcome === 'done') return;
      await new Promise((resolve) => setTimeout(resolve, config.releaseAfterMs * tried));
    }
  }

  return {
    async pulse() {
      const { outcome } = await ask(config.open);
      // Released even when the answer was lost: the relay may be on.
      if (config.mode === 'bistable' && release && (outcome === 'done' || outcome === 'unknown')) {
        setTimeout(() => void releaseRelay(release), config.releaseAfterMs);
      }
      return outcome;
    },
    ...(state && {
      async report(): Promise<GateReport> {
        const answer = await ask({ method: 'GET', url: state.url, headers: {}, body: '' });
        if (answer.outcome !== 'done') return 'unknown';
        return new RegExp(state.closedPattern).test(answer.text) ? 'closed' : 'open';
      },
    }),
  };
}

interface RelayAnswer {
  outcome: GateOutcome;
  text: string;
}

function askRelay(
  request: RelayRequest,
  timeoutMs: number,
  agents: { 'http:': http.Agent; 'https:': https.Agent },
): Promise<RelayAnswer> {
  const url = new URL(request.url);
  const secure = url.protocol === 'https:';
  return new Promise((resolve) => {
    let connected = false;
    const settle = (outcome: GateOutcome, text = '') => {
      clearTimeout(deadline);
      resolve({ outcome, text });
    };
    const outgoing = (secure ? https : http).request(url, {
      method: request.method,
      agent: secure ? agents['https:'] : agents['http:'],
      headers: { ...request.headers, 'content-length': Buffer.byteLength(request.body) },
    });
    const deadline = setTimeout(() => {
      settle(connected ? 'unknown' : 'unreachable');
      outgoing.destroy();
    }, timeoutMs);
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) connected = true;
      else socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true));
    });
    outgoing.on('error', () => settle(connected ? 'unknown' : 'unreachable'));
    outgoing.on('response', (response) => {
      const accepted = (response.statusCode ?? 500) < 300;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        if (text.length < MAX_ANSWER_BYTES) text += piece;
      });
      // The status line is the answer; a body that breaks off takes nothing back.
      response.on('close', () => settle(accepted ? 'done' : 'refused', text));
      response.on('error', () => settle(accepted ? 'done' : 'refused', text));
    });
    outgoing.end(request.body);
  });
}
