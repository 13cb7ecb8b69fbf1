import { hash, timingSafeEqual } from 'node:crypto';

/** Whether a caller knows a camera's secret, in the same time for a wrong secret and a camera that is not there. */
export interface PushTokens {
  accepts(cameraId: string, token: string | null): boolean;
}

export function createPushTokens(cameras: readonly { id: string; token: string }[]): PushTokens {
  const digests = new Map(cameras.map(({ id, token }) => [id, digest(token)]));
  const nobody = Buffer.alloc(32);
  return {
    accepts(cameraId, token) {
      const expected = digests.get(cameraId);
      // Digests are of one length, whatever was sent; nothing has the digest of all zeros.
      const same = timingSafeEqual(digest(token ?? ''), expected ?? nobody);
      return same && expected !== undefined && token !== null;
    },
  };
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
