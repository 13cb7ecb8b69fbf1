import { isIPv6 } from 'node:net';
import { exchangeHttp } from '@hlid/node/http-exchange';
import { openTrustedSocket, type TrustedPlace } from './trusted-socket.ts';

/** A result has two receipts and little else. */
const MAX_ANSWER_BYTES = 256 * 1024;
const ROOT = '/locallink/1.0.0/';

export interface TerminalCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: 'pair' | 'status' | 'transaction' | 'result' | 'report';
  query: Readonly<Record<string, string>>;
  body?: object;
  /** Null: none yet. */
  token: string | null;
  timeoutMs: number;
  signal: AbortSignal;
}

/** `body` is undefined where it is no JSON: it may hold a card number, so it is not kept otherwise. */
export type TerminalAnswer =
  | { kind: 'answered'; status: number; body: unknown }
  /** The call certainly did not arrive. */
  | { kind: 'unreachable'; problem: string }
  /** It may have arrived. */
  | { kind: 'lost'; problem: string };

/**
 * Makes one call on a separate connection. A kept connection may have closed, and then it is unknown what
 * arrived. Never throws.
 */
export async function askTerminal(place: TrustedPlace, call: TerminalCall): Promise<TerminalAnswer> {
  const { method, path, query, body, token, timeoutMs, signal } = call;
  const outcome = await exchangeHttp({
    method,
    url: new URL(`https://${hostOf(place)}${ROOT}${path}?${new URLSearchParams(query)}`),
    headers: {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? '' : JSON.stringify(body),
    maxAnswerBytes: MAX_ANSWER_BYTES,
    timeoutMs,
    signal,
    connect: (connecting) => openTrustedSocket(place, connecting),
  });
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'answered', status: outcome.status, body: parsed(outcome.text) };
    case 'not-sent':
      return { kind: 'unreachable', problem: outcome.problem };
    case 'lost':
      return outcome;
    default:
      return outcome satisfies never;
  }
}

function hostOf({ host, port }: TrustedPlace): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
