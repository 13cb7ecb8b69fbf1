import { buffer } from 'node:stream/consumers';
import { anySignal } from '@hlid/node/deadline';
import { fetchErrorCause } from '@hlid/node/errors';
import { messageOf } from '@hlid/protocol/base/fault';
import { EDGE_CAMERA_PICTURES_PATH, EDGE_PICTURES_PATH } from '@hlid/protocol/site-link/edge-api';
import {
  type Answer,
  type CloudAccess,
  requestAsSite,
  transferDeadline,
} from '../cloud-access/cloud-request.ts';
import type { Picture } from './picture-store.ts';

/** The cloud's answer to a picture. */
export type Brought =
  /** It has it, now or since before. */
  | { outcome: 'stored' }
  /** Its read is not there any more. */
  | { outcome: 'gone' }
  /** It will never take it. */
  | { outcome: 'refused'; reason: string }
  /** This picture is not possible now. */
  | { outcome: 'later'; reason: string; waitMs: number }
  /** The cloud does not answer, or refuses the site. */
  | { outcome: 'unreachable'; reason: string };

/** Uploads a picture that a command asks for. @returns why the cloud does not have it; null: it has. Never throws */
export type BringSnapshot = (
  commandId: string,
  snapshot: { contentType: string; picture: Uint8Array },
  signal: AbortSignal,
) => Promise<string | null>;

export type BringPicture = (picture: Picture, bytes: Uint8Array, signal: AbortSignal) => Promise<Brought>;

/** Brings one picture to the cloud. Never throws. */
export function createPictureHttp(cloud: CloudAccess, answerMs?: number): BringPicture {
  return async ({ readId, kind, contentType }, bytes, signal) => {
    const deadline = transferDeadline(bytes.length, answerMs);
    try {
      const path = `${EDGE_PICTURES_PATH}/${readId}/${kind}`;
      return meaningOf(await putPicture(cloud, path, { contentType, bytes }, anySignal([signal, deadline])));
    } catch (error) {
      return { outcome: 'unreachable', reason: messageOf(fetchErrorCause(error)) };
    }
  };
}

export function createSnapshotHttp(cloud: CloudAccess): BringSnapshot {
  return async (commandId, { contentType, picture: bytes }, signal) => {
    try {
      const path = `${EDGE_CAMERA_PICTURES_PATH}/${commandId}`;
      const { status } = await putPicture(cloud, path, { contentType, bytes }, signal);
      return status >= 200 && status < 300 ? null : `the cloud answered ${status}`;
    } catch (error) {
      return messageOf(fetchErrorCause(error));
    }
  };
}

async function putPicture(
  cloud: CloudAccess,
  path: string,
  { contentType, bytes }: { contentType: string; bytes: Uint8Array },
  signal: AbortSignal,
): Promise<Answer> {
  const answer = await requestAsSite(cloud, path, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: bytes,
    signal,
  });
  // The connection is used again only when the answer was read.
  await buffer(answer.body);
  return answer;
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
