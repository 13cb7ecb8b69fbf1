import { json } from 'node:stream/consumers';
import {
  EDGE_PAY_LINK_PATH,
  type EdgePayLink,
  type PayLink,
  PayLinkSchema,
} from '@hlid/protocol/site-link/edge-api';
import { type CloudAccess, requestAsSite } from '../cloud-access/cloud-request.ts';

/** A driver waits for it. */
const TIMEOUT_MS = 3000;

/** Requests the link at which a phone pays for a stay, or why there is none. Never throws. */
export async function requestPayLink(
  cloud: CloudAccess,
  order: EdgePayLink,
): Promise<PayLink | 'cloud-away' | 'not-offered'> {
  try {
    const { status, body } = await requestAsSite(cloud, EDGE_PAY_LINK_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The connection is used again only when the answer was read.
    const content: unknown = await json(body);
    if (status === 409) return 'not-offered';
    // 404: the event of a car that has just come in is still on its way.
    return status === 200 ? PayLinkSchema.parse(content) : 'cloud-away';
  } catch {
    return 'cloud-away';
  }
}
