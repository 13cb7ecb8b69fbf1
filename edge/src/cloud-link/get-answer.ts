import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A response whose body is still arriving. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** A piece of an unpacked answer. */
const PIECE_BYTES = 32 * 1024;

/**
 * A GET whose answer may be a million permits long; a caller that does not read the body destroys it. Not `fetch`, in which each
 * piece is copied on its way through several streams: that takes twice the time and some forty megabytes more.
 * Redirections are answers like any other.
 */
export function getAnswer(url: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<Answer> {
  const client = new URL(url).protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    client
      .get(url, { headers: { ...headers, 'accept-encoding': 'gzip' }, signal }, (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        const unpack =
          answered['content-encoding'] === 'gzip' ? createGunzip({ chunkSize: PIECE_BYTES }) : null;
        const body = unpack ?? response;
        // Its reader learns of an error by the broken stream; before it reads nobody listens.
        body.on('error', () => undefined);
        if (unpack) pipeline(response, unpack, () => undefined);
        resolve({ status, headers: answered, body });
      })
      .on('error', reject);
  });
}
