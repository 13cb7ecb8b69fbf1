import http from 'node:http';
import https from 'node:https';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { deviceTls } from '../base/device-tls.ts';

/** One request to a device that moves a gate. */
export interface RelayRequest {
  method: string;
  /** Used whole, its query included. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface RelayAnswer {
  /** `done`: the device's status was a success. The driver reads its text. */
  outcome: GateOutcome;
  /** 0 where no answer came. */
  status: number;
  text: string;
  /** The text came to its end. */
  whole: boolean;
  /** The challenges of a device that demands a login. */
  challenges: readonly string[];
}

/** How a device is reached. */
export interface RelayLine {
  timeoutMs: number;
  /** Keep the connection open between requests; not every relay board supports that. */
  keepAlive: boolean;
  /** https: accepts a self-signed certificate. */
  selfSigned: boolean;
}

/** Sends a request to a device once, and never again by itself. Never throws. */
export type AskRelay = (request: RelayRequest) => Promise<RelayAnswer>;

/** The limit is larger than any answer of a relay. */
const MAX_ANSWER_BYTES = 64 * 1024;

export function openRelayLine({ timeoutMs, keepAlive, selfSigned }: RelayLine): AskRelay {
  const agents = {
    http: new http.Agent({ keepAlive }),
    https: new https.Agent({ keepAlive, ...deviceTls(selfSigned) }),
  };
  return (request) =>
    new Promise((resolve) => {
      const url = new URL(request.url);
      const secure = url.protocol === 'https:';
      const { method, headers = {}, body = '' } = request;
      let connected = false;
      const settle = (answer: RelayAnswer) => {
        clearTimeout(deadline);
        resolve(answer);
      };
      const noAnswer = () => {
        const outcome = connected ? 'unknown' : 'unreachable';
        settle({ outcome, status: 0, text: '', whole: false, challenges: [] });
      };
      const outgoing = (secure ? https : http).request(url, {
        method,
        agent: secure ? agents.https : agents.http,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // Small boards write HTTP as they like, and have moved the gate all the same.
        insecureHTTPParser: true,
      });
      const deadline = setTimeout(() => {
        noAnswer();
        outgoing.destroy();
      }, timeoutMs);
      outgoing.on('socket', (socket) => {
        if (!socket.connecting) connected = true;
        else socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true));
      });
      outgoing.on('error', noAnswer);
      outgoing.on('response', (response) => {
        const status = response.statusCode ?? 500;
        let text = '';
        // The status line is the answer; a body that breaks off, or never ends, takes nothing back.
        const answered = () => {
          const outcome = status < 300 ? 'done' : 'refused';
          const challenges = response.headersDistinct['www-authenticate'] ?? [];
          settle({ outcome, status, text, whole: response.complete, challenges });
        };
        clearTimeout(deadline);
        const patience = setTimeout(() => {
          answered();
          outgoing.destroy();
        }, timeoutMs);
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          if (text.length < MAX_ANSWER_BYTES) text += piece;
        });
        response.on('error', answered);
        response.on('close', () => {
          clearTimeout(patience);
          answered();
        });
      });
      outgoing.end(body);
    });
}
