import { pictureType } from '@hlid/protocol/camera/part-picture';
import nodeOnvif from 'node-onvif';
import { isPlain } from './call-node-onvif.ts';
import { getServices, getSnapshotUri } from './device-service.ts';
import type { OnvifSession } from './onvif-session.ts';

export type Snapshot =
  | { ok: true; picture: Uint8Array; contentType: string }
  /** For people. */
  | { ok: false; message: string };

const TIMEOUT_MS = 10_000;

/** A picture of what the camera sees now. */
export async function takeSnapshot(session: OnvifSession): Promise<Snapshot> {
  const found = await findSnapshot(session);
  return found.ok ? fetchSnapshot(session, found.uri) : found;
}

/** The address of the camera's snapshots. */
export async function findSnapshot(
  session: OnvifSession,
): Promise<{ ok: true; uri: string } | { ok: false; message: string }> {
  const services = await getServices(session);
  if (!services.ok) return services;
  const { media } = services.value;
  if (media === null) return { ok: false, message: 'the device has no media service' };
  const uri = await getSnapshotUri(session, media);
  if (!uri.ok) return uri;
  if (uri.value === null) return { ok: false, message: 'the device has no snapshots' };
  return { ok: true, uri: uri.value };
}

/** node-onvif fetches it where it can: by plain HTTP. */
export async function fetchSnapshot(session: OnvifSession, uri: string): Promise<Snapshot> {
  return (await byNodeOnvif(session, uri)) ?? byOwnSession(session, uri);
}

/** The login was accepted before, so that a failure here locks nobody out. */
async function byNodeOnvif(session: OnvifSession, uri: string): Promise<Snapshot | null> {
  const { url, user, password } = session.options;
  if (!uri.startsWith('http://') || !isPlain(user) || !isPlain(password)) return null;
  // It sends the password in plain text; devices that want HTTP Digest must not get that.
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

async function byOwnSession(session: OnvifSession, uri: string): Promise<Snapshot> {
  const answer = await session.fetch(uri, TIMEOUT_MS);
  if (!answer.ok) return answer;
  if (answer.status !== 200) return { ok: false, message: `HTTP ${answer.status} for the picture` };
  return pictureOf(answer.body, answer.headers['content-type']);
}

/** By its bytes: devices call a JPEG `application/octet-stream`, or nothing. */
function pictureOf(bytes: Uint8Array, announced = 'content without a type'): Snapshot {
  const contentType = pictureType(bytes);
  if (contentType === null) return { ok: false, message: `${announced} instead of a picture` };
  return { ok: true, picture: bytes, contentType };
}
