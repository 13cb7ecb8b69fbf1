/** What a camera was told to post to: `/cameras/{cameraId}/{format}?token=…`. */
export interface PushAddress {
  cameraId: string;
  format: string;
  token: string | null;
}

/**
 * The parts of a push URL's path and query; null for any other path. Dahua cameras hang a path of their own
 * (`/NotificationInfo/KeepAlive`) on the address that they are given; it says nothing that the document does not.
 */
export function readPushAddress(target: string): PushAddress | null {
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const [before, cameras, cameraId, format, ...rest] = path.split('/');
  if (before !== '' || cameras !== 'cameras' || !cameraId || !format) return null;
  if (rest.length > 0 && !(format === 'dahua' && rest.length === 2 && rest[0] === 'NotificationInfo'))
    return null;
  const token = queryAt === -1 ? null : new URLSearchParams(target.slice(queryAt + 1)).get('token');
  return { cameraId, format, token };
}
