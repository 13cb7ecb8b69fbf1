import type { callRoutes } from '@hlid/cloud/sites/calls/call-routes';
import type { gateRoutes } from '@hlid/cloud/sites/gates/gate-routes';
import type { CarAtGate } from '@hlid/protocol/site-link/commands';
import { answered, apiOf, COMMAND_TIMEOUT_MS } from '../../calls/api.ts';
import { Refusal } from '../../calls/refusal.ts';
import { LANE } from './lane-words.ts';
import { WORDS } from './now-words.ts';

const gateApi = apiOf<typeof gateRoutes>(COMMAND_TIMEOUT_MS);
export const callApi = apiOf<typeof callRoutes>(COMMAND_TIMEOUT_MS);

export type LaneVerb = 'open' | 'hold' | 'close' | 'release';
export type OpenBody = Parameters<
  (typeof gateApi.sites)[':id']['lanes'][':lane']['open']['$post']
>[0]['json'];
export type HoldBody = Parameters<
  (typeof gateApi.sites)[':id']['lanes'][':lane']['hold']['$post']
>[0]['json'];
export type Settlement = NonNullable<OpenBody['settlement']>;

/** Another car than the one that was meant stands at the lane; null: none does. Nothing was done. */
export class OtherCar extends Error {
  readonly car: CarAtGate | null;

  constructor(car: CarAtGate | null) {
    super(LANE.texts.otherCar({ plate: car && (car.plate ?? LANE.texts.unread) }));
    this.car = car;
  }
}

export interface LanePlace {
  siteId: string;
  laneId: string;
}

/** Sends a command for a gate. @throws OtherCar, Refusal */
export async function commandLane(
  { siteId, laneId }: LanePlace,
  order: { verb: 'open'; json: OpenBody } | { verb: 'hold' | 'close' | 'release'; json: HoldBody },
  headers: Record<string, string>,
): Promise<void> {
  const lane = gateApi.sites[':id'].lanes[':lane'];
  const param = { id: siteId, lane: laneId };
  const send = () => {
    switch (order.verb) {
      case 'open':
        return lane.open.$post({ param, json: order.json }, { headers });
      case 'release':
        return lane.release.$post({ param, json: releaseBody(order.json) }, { headers });
      default:
        return lane[order.verb].$post({ param, json: order.json }, { headers });
    }
  };
  let other: CarAtGate | null | undefined;
  const sending = send().then(async (response) => {
    // Other conflicts name no car.
    if (response.status === 409)
      ({ car: other } = (await response.clone().json()) as { car?: CarAtGate | null });
    return response;
  });
  try {
    await answered(sending);
  } catch (error) {
    if (other !== undefined) throw new OtherCar(other);
    throw inWords(error);
  }
}

function releaseBody({ reasonCode, note }: HoldBody) {
  return { reasonCode, ...(note !== undefined && { note }) };
}

/** The answer of a gate or its site, in the language of the page. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  if (error.status === 502) return new Error(WORDS.gateFailed);
  if (error.status === 503) return new Error(WORDS.notConnected);
  if (error.status === 504) return new Error(WORDS.notAnswered);
  return error;
}

export async function acceptCall(id: string): Promise<void> {
  await answered(callApi.call[':id'].accept.$post({ param: { id } }));
}
