import http, { type ClientRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { CloudConfig } from '../config/config.ts';
import type { CloudTls } from './cloud-tls.ts';

/** The address of the cloud, and the login of the site there. */
export type CloudAccess = Pick<CloudConfig, 'httpUrl' | 'siteId' | 'secret'> & {
  /** Absent: the authorities of this machine, and no certificate of our own. */
  tls?: CloudTls;
};

interface CloudRequest {
  /** GET where there is none. */
  method?: 'POST' | 'PUT';
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  signal: AbortSignal;
  tls?: CloudTls | undefined;
}

/** A response; its body may still be arriving. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** The cloud's own time for an answer. */
const ANSWER_MS = 30_000;
/** A line that carries less than this is as good as none. */
const MIN_BYTES_PER_MS = 8;
/** A piece of an unpacked answer. */
const PIECE_BYTES = 32 * 1024;
/** Each new connection checks the cloud's certificate and pin: none resumes the session of an older one. */
const AGENT = new https.Agent({ keepAlive: true, maxCachedSessions: 0, timeout: 5000 });

/**
 * Sends a request; the answer may be a million permits long. A caller that does not read the body destroys
 * it. `fetch` does not serve: it copies the pieces through several streams, which takes twice the time and
 * some forty megabytes more. It cannot check a pin either. Redirections are answers like any other. All
 * requests of a site can be repeated.
 */
export async function requestCloud(url: string, request: CloudRequest): Promise<Answer> {
  try {
    return await send(url, request);
  } catch (error) {
    // The server closed an idle connection just when it was used again.
    if (!(error instanceof ReusedConnectionLost)) throw error;
    return await send(url, request);
  }
}

class ReusedConnectionLost extends Error {}

/** The same, as the site. @param path with its query */
export function requestAsSite(
  { httpUrl, siteId, secret, tls }: CloudAccess,
  path: string,
  { headers, ...request }: Omit<CloudRequest, 'tls'>,
): Promise<Answer> {
  const authorization = `Bearer ${siteId}.${secret}`;
  return requestCloud(`${httpUrl}${path}`, { ...request, headers: { ...headers, authorization }, tls });
}

/** When an answer counts as lost. */
export function answerDeadline(): AbortSignal {
  return AbortSignal.timeout(ANSWER_MS);
}

/** The time after which a transfer of this many bytes counts as lost. */
export function transferDeadline(bytes: number, answerMs = ANSWER_MS): AbortSignal {
  return AbortSignal.timeout(answerMs + Math.ceil(bytes / MIN_BYTES_PER_MS));
}

function send(url: string, { method, headers, body, signal, tls }: CloudRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      method: method ?? 'GET',
      headers: {
        ...headers,
        'accept-encoding': 'gzip',
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      signal,
    };
    const isSecure = new URL(url).protocol === 'https:';
    const request: ClientRequest = isSecure
      ? https.request(url, { ...options, agent: AGENT, ...tls?.options('http') })
      : http.request(url, options);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      const unpack =
        answered['content-encoding'] === 'gzip' ? createGunzip({ chunkSize: PIECE_BYTES }) : null;
      const content = unpack ?? response;
      // The reader learns of an error by the broken stream; before it reads, the error has no listener.
      content.on('error', () => undefined);
      if (unpack) pipeline(response, unpack, () => undefined);
      resolve({ status, headers: answered, body: content });
    });
    request.on('error', (error) => {
      const isLost = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
      reject(isLost && !signal.aborted ? new ReusedConnectionLost(error.message) : error);
    });
    request.end(body);
  });
}
