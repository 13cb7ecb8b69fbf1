import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { listen, stopListening } from '@hlid/node/listen';
import { waitFor } from '../harness/wait.ts';

/** Whether Stripe's own mock is in the path (`go install github.com/stripe/stripe-mock@latest`). */
export const STRIPE_MOCK_INSTALLED = spawnSync('sh', ['-c', 'command -v stripe-mock']).status === 0;

/** A call as Stripe's mock judged it. */
interface JudgedCall {
  line: string;
  status: number;
  /** The mock's words, where it refuses. */
  problem: string | null;
}

/**
 * Stripe's own mock: it checks requests against the OpenAPI description of the API, remembers nothing, and
 * answers with samples. A proxy listens in between, since only the mock knows its reading of a request. The
 * proxy also makes every payment intent wait for a challenge, since a sample may have any state.
 */
export async function startStripeMock(): Promise<{
  url: string;
  calls: JudgedCall[];
  stop(): Promise<void>;
}> {
  const any = '127.0.0.1:0';
  const child = spawn('stripe-mock', ['-http-addr', any, '-https-addr', any], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (piece) => (said += String(piece)));
  const addressOf = () => /HTTP at address: (\S+)/.exec(said)?.[1];
  await waitFor(() => addressOf() !== undefined, { what: 'stripe-mock', detail: () => said });
  const calls: JudgedCall[] = [];
  const between = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { authorization = '', 'content-type': type } = request.headers;
    const answer = await fetch(`http://${addressOf()}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, ...(type !== undefined && { 'content-type': type }) },
      ...(request.method === 'POST' && { body: Buffer.concat(parts) }),
    });
    const body = (await answer.json()) as { object?: string };
    const isIntent = body.object === 'payment_intent';
    const text = JSON.stringify({ ...body, ...(isIntent && { status: 'requires_action' }) });
    const [path = ''] = (request.url ?? '').split('?');
    const problem = answer.ok ? null : text;
    calls.push({ line: `${request.method} ${path}`, status: answer.status, problem });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  const url = `http://${await listen(between, { host: '127.0.0.1', port: 0 }, 'nothing')}`;
  return {
    url,
    calls,
    async stop() {
      await stopListening(between, 200);
      child.kill();
    },
  };
}
