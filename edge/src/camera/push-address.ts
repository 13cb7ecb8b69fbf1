import { CAMERA_FORMATS, type CameraFormat } from '@hlid/protocol/camera/camera-formats';

/** The address to which a camera posts: `/cameras/{cameraId}/{format}?token=…`. */
export interface PushAddress {
  cameraId: string;
  /** The format as written in the address; it may be unknown. */
  format: string;
  token: string | null;
}

/**
 * The parts of a push URL's path and query; null for any other path. The devices of some makers append their
 * own path to the configured address; it contains nothing that the document does not.
 */
export function readPushAddress(target: string): PushAddress | null {
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const [before, cameras, cameraId, format, ...rest] = path.split('/');
  if (before !== '' || cameras !== 'cameras' || !cameraId || !format) return null;
  const suffix = isCameraFormat(format) ? CAMERA_FORMATS[format].pathSuffix : undefined;
  if (rest.length > 0 && !suffix?.test(rest.join('/'))) return null;
  const token = queryAt === -1 ? null : new URLSearchParams(target.slice(queryAt + 1)).get('token');
  return { cameraId, format, token };
}

export function isCameraFormat(name: string): name is CameraFormat {
  return Object.hasOwn(CAMERA_FORMATS, name);
}
