import { buffer } from 'node:stream/consumers';
import { fetchErrorCause } from '@hlid/node/errors';
import { EDGE_PICTURES_PATH } from '@hlid/protocol/edge-api';
import { messageOf } from '@hlid/protocol/fault';
import { type Answer, type CloudAccess, requestCloud } from '../cloud-access/cloud-request.ts';
import type { Picture } from './picture-store.ts';

/** What the cloud said to a picture. */
export type Brought =
  /** It has it, now or since before. */
  | { outcome: 'stored' }
  /** Its read is not there any more. */
  | { outcome: 'gone' }
  /** It will never take it. */
  | { outcome: 'refused'; reason: string }
  /** Not this one, not now. */
  | { outcome: 'later'; reason: string; waitMs: number }
  /** Nobody answers, or the site is not let in. */
  | { outcome: 'unreachable'; reason: string };

export type BringPicture = (picture: Picture, bytes: Uint8Array, signal: AbortSignal) => Promise<Brought>;

/** A line that carries less than this is as good as none. */
const MIN_BYTES_PER_MS = 8;
const ANSWER_MS = 30_000;

/** Brings one picture to the cloud. Never throws. */
export function createPictureHttp(cloud: CloudAccess, answerMs = ANSWER_MS): BringPicture {
  const base = `${cloud.httpUrl}${EDGE_PICTURES_PATH}`;
  const authorization = `Bearer ${cloud.siteId}.${cloud.secret}`;

  return async ({ id, readId, kind, contentType }, bytes, signal) => {
    const tooLong = AbortSignal.timeout(answerMs + Math.ceil(bytes.length / MIN_BYTES_PER_MS));
    try {
      const answer = await requestCloud(`${base}/${id}?${new URLSearchParams({ readId, kind })}`, {
        method: 'PUT',
        headers: { authorization, 'content-type': contentType },
        body: bytes,
        signal: AbortSignal.any([signal, tooLong]),
        tls: cloud.tls,
      });
      // The connection is used again only when the answer was read.
      await buffer(answer.body);
      return meaningOf(answer);
    } catch (error) {
      return { outcome: 'unreachable', reason: messageOf(fetchErrorCause(error)) };
    }
  };
}

function meaningOf({ status, headers }: Answer): Brought {
  if (status >= 200 && status < 300) return { outcome: 'stored' };
  const reason = `the cloud answered ${status}`;
  if (status < 400) return { outcome: 'unreachable', reason };
  switch (status) {
    case 410:
      return { outcome: 'gone' };
    case 400:
    case 413:
    case 415:
    case 422:
      return { outcome: 'refused', reason };
    case 401:
    case 403:
    // A cloud from before pictures.
    case 404:
      return { outcome: 'unreachable', reason };
    default:
      return { outcome: 'later', reason, waitMs: 1000 * (Number(headers['retry-after']) || 0) };
  }
}
