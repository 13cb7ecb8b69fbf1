import { pictureType } from '@hlid/protocol/camera/picture-type';
import { MAX_PICTURE_BYTES } from '@hlid/protocol/site-link/edge-api';
import nodeOnvif from 'node-onvif';
import { isPlain } from './call-node-onvif.ts';
import { getServices, getSnapshotUri } from './device-service.ts';
import type { OnvifSession } from './onvif-session.ts';
import type { SoapFailure } from './soap-answer.ts';

export type Snapshot =
  | { ok: true; picture: Uint8Array; contentType: 'image/jpeg' | 'image/png' }
  /** `failed`: it answered, and not with a picture; `message` is for people. */
  | { ok: false; reason: 'unreachable' | 'login-refused' | 'failed'; message: string };

type Failure = Extract<Snapshot, { ok: false }>;

const TIMEOUT_MS = 10_000;

/** A picture of what the camera sees now. */
export async function takeSnapshot(session: OnvifSession): Promise<Snapshot> {
  const found = await findSnapshot(session);
  return found.ok ? fetchSnapshot(session, found.uri) : found;
}

/** The address of the camera's snapshots. */
export async function findSnapshot(session: OnvifSession): Promise<{ ok: true; uri: string } | Failure> {
  const services = await getServices(session);
  if (!services.ok) return failureOf(services);
  const { media } = services.value;
  if (media === null) return failed('the device has no media service');
  const uri = await getSnapshotUri(session, media);
  if (!uri.ok) return failureOf(uri);
  return uri.value === null ? failed('the device has no snapshots') : { ok: true, uri: uri.value };
}

function failureOf({ reason, message }: SoapFailure): Failure {
  if (reason === 'login-refused' || reason === 'held-back') {
    return { ok: false, reason: 'login-refused', message };
  }
  const isAway = reason === 'unreachable' || reason === 'unknown';
  return { ok: false, reason: isAway ? 'unreachable' : 'failed', message };
}

function failed(message: string): Failure {
  return { ok: false, reason: 'failed', message };
}

/** node-onvif fetches it where it can: by plain HTTP. */
export async function fetchSnapshot(session: OnvifSession, uri: string): Promise<Snapshot> {
  return (await byNodeOnvif(session, uri)) ?? fetchPicture(session, uri);
}

/** The login was accepted before, so a failure here cannot lock the account. */
async function byNodeOnvif(session: OnvifSession, uri: string): Promise<Snapshot | null> {
  const { url, user, password } = session.options;
  if (!uri.startsWith('http://') || !isPlain(user) || !isPlain(password)) return null;
  // It sends the password in plain text, which devices that demand HTTP Digest must not get.
  if ((await session.login()) === 'digest') return null;
  const device = new nodeOnvif.OnvifDevice({ xaddr: url, user, pass: password });
  device.current_profile = { snapshot: uri };
  try {
    const { headers, body } = await device.fetchSnapshot();
    return pictureOf(body, headers['content-type']);
  } catch {
    return null;
  }
}

/** Fetches the picture by a plain GET, with the login that the device demands. */
export async function fetchPicture(session: OnvifSession, uri: string): Promise<Snapshot> {
  const answer = await session.fetch(uri, TIMEOUT_MS);
  if (!answer.ok) return { ok: false, reason: 'unreachable', message: answer.message };
  const { status } = answer;
  if (status === 401 || status === 403) {
    return { ok: false, reason: 'login-refused', message: 'it refuses user and password for its picture' };
  }
  if (status !== 200) return failed(`HTTP ${status} for the picture`);
  return pictureOf(answer.body, answer.headers['content-type']);
}

/** The picture by its bytes: devices call a JPEG `application/octet-stream`, or nothing. */
function pictureOf(bytes: Uint8Array, announced = 'content without a type'): Snapshot {
  const contentType = pictureType(bytes);
  if (contentType === null) return failed(`${announced} instead of a picture`);
  if (bytes.length > MAX_PICTURE_BYTES) return failed(`a picture of ${bytes.length} bytes`);
  return { ok: true, picture: bytes, contentType };
}
