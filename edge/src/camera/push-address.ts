/** What a camera was told to post to: `/cameras/{cameraId}/{format}?token=…`. */
export interface PushAddress {
  cameraId: string;
  format: string;
  token: string | null;
}

/** The parts of a push URL's path and query; null for any other path. */
export function readPushAddress(target: string): PushAddress | null {
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const [before, cameras, cameraId, format, ...rest] = path.split('/');
  if (before !== '' || cameras !== 'cameras' || !cameraId || !format || rest.length > 0) return null;
  const token = queryAt === -1 ? null : new URLSearchParams(target.slice(queryAt + 1)).get('token');
  return { cameraId, format, token };
}

/** Types under which cameras and simple clients post JSON; none given is fine too. */
const TYPES_OF_JSON = new Set([
  'application/json',
  'text/json',
  'text/plain',
  'application/octet-stream',
  // What simple clients say when they are told nothing.
  'application/x-www-form-urlencoded',
]);

/** Whether a body of this content type can be JSON. */
export function canBeJson(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';');
  const name = type.trim().toLowerCase();
  return name === '' || TYPES_OF_JSON.has(name) || /^application\/[\w.-]+\+json$/.test(name);
}
