import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { anySignal } from '@hlid/node/deadline';
import { messageOf } from '@hlid/protocol/base/fault';
import { signatureOf } from '../../platform/http/webhook-signature.ts';
import { outboundLookup } from './outbound-address.ts';

export const SEND_TIMEOUT_MS = 10_000;

/** The result of one attempt; `status` null: no answer. */
export interface Sent {
  ok: boolean;
  status: number | null;
  error: string | null;
  tookMs: number;
}

/**
 * Posts a message signed as Standard Webhooks asks (standardwebhooks.com): `webhook-id`, `webhook-timestamp` (seconds)
 * and `webhook-signature` (`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`). Redirects are not followed.
 */
export async function sendSigned(
  message: { url: string; secret: string; id: string; body: string; at: Date },
  options: { allowInternal: boolean; signal: AbortSignal },
): Promise<Sent> {
  const { url, secret, id, body, at } = message;
  const timestamp = Math.floor(at.getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Hlid-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secret, id, timestamp, body),
  };
  const began = performance.now();
  try {
    const status = await post(url, headers, body, options);
    const ok = status >= 200 && status < 300;
    return { ok, status, error: ok ? null : `answered ${status}`, tookMs: elapsed(began) };
  } catch (error) {
    return { ok: false, status: null, error: messageOf(error), tookMs: elapsed(began) };
  }
}

function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  { allowInternal, signal }: { allowInternal: boolean; signal: AbortSignal },
): Promise<number> {
  const request = url.startsWith('https:') ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const deadline = anySignal([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]);
    const sending = request(
      url,
      { method: 'POST', headers, agent: false, signal: deadline, lookup: outboundLookup(allowInternal) },
      (answer) => {
        // Only the status counts; a long answer is not waited for.
        answer.destroy();
        resolve(answer.statusCode ?? 0);
      },
    );
    sending.on('error', (error) =>
      reject(deadline.aborted && !signal.aborted ? new Error('no answer in time') : error),
    );
    sending.end(body);
  });
}

function elapsed(began: number): number {
  return Math.round(performance.now() - began);
}
