import type { IncomingHttpHeaders } from 'node:http';
import { ACCEPTED_ENCODINGS, isEncodingAccepted } from '@hlid/node/unpack-document';
import { CAMERA_FORMATS, type CameraFormat, CameraFormatSchema } from '@hlid/protocol/camera/camera-formats';
import type { CameraConfig } from '../config/config.ts';
import { BODY_NAMES, canBeOneOf } from './body-kind.ts';
import { isCameraFormat, readPushAddress } from './push-address.ts';
import type { PushRefusal } from './push-answer.ts';
import { createPushTokens } from './push-token.ts';

/** A request, before its body has come. */
interface RequestHead {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

export type Admission =
  | { ok: true; camera: CameraConfig; format: CameraFormat }
  | { ok: false; refusal: PushRefusal };

/** The door of the push server: all that can be judged without a document's body. */
export function createAdmission(
  configured: readonly CameraConfig[],
  maxSentBytes: number,
): (request: RequestHead) => Admission {
  const cameras = new Map(configured.map((camera) => [camera.id, camera]));
  const tokens = createPushTokens(configured);
  const formats = CameraFormatSchema.options.join(', ');

  return ({ method, url, headers }) => {
    const address = readPushAddress(url ?? '');
    if (!address) return refuse(404, 'Post to /cameras/{cameraId}/{format}?token=….');
    const { cameraId, format } = address;
    if (!isCameraFormat(format)) return refuse(404, `There is no such format; there are: ${formats}.`);
    if (method !== 'POST') return refuse(405, 'Documents are posted: use POST.', { allow: 'POST' });
    const token = address.token ?? headers['x-hlid-token'];
    const camera = cameras.get(cameraId);
    // Both cases check the same secret in the same time and give the same answer: a caller cannot find out
    // which cameras exist.
    if (!tokens.accepts(cameraId, typeof token === 'string' ? token : null) || !camera) {
      return refuse(401, 'There is no camera with this id and token.');
    }
    const { bodies } = CAMERA_FORMATS[format];
    if (!canBeOneOf(bodies, headers['content-type'])) {
      const names = bodies.map((kind) => BODY_NAMES[kind]).join(' or ');
      return refuse(415, `The document must be ${names}.`);
    }
    if (!isEncodingAccepted(headers['content-encoding'])) {
      const message = `The document must not be compressed, or by one of: ${ACCEPTED_ENCODINGS}.`;
      return refuse(415, message, { 'accept-encoding': ACCEPTED_ENCODINGS });
    }
    if (Number(headers['content-length'] ?? 0) > maxSentBytes) {
      return { ok: false, refusal: tooLarge(Number(headers['content-length'])) };
    }
    return { ok: true, camera, format };
  };
}

/** @param bytes of it that had come until then */
export function tooLarge(bytes: number): PushRefusal {
  return { status: 413, messages: [`A document of ${bytes} bytes or more is too large.`] };
}

function refuse(status: number, message: string, headers?: Record<string, string>): Admission {
  return { ok: false, refusal: { status, messages: [message], ...(headers && { headers }) } };
}
