import { json } from 'node:stream/consumers';
import type { Clock } from '@hlid/node/clock';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import {
  type KioskFault,
  type KioskHelp,
  type KioskHelpOrder,
  KioskHelpOrderSchema,
} from '@hlid/protocol/pages/kiosk-api';
import { EDGE_CALLS_PATH, type EdgeCall, EdgeCallSchema } from '@hlid/protocol/site-link/edge-api';
import { Hono } from 'hono';
import { type CloudAccess, requestAsSite } from '../cloud-access/cloud-request.ts';
import type { KioskParts } from './kiosk-parts.ts';
import type { LocalEnv } from './local-env.ts';
import { refuseKiosk, withBody } from './refusals.ts';

/** A driver waits for the answer, and the kiosk sends the request again. */
const TIMEOUT_MS = 1500;
/** The time without an answer of the cloud after which the call counts as not received. */
const NO_ANSWER_MS = 20_000;
/** A button is not an alarm. */
const MAX_AN_HOUR = 6;

type HelpParts = Pick<KioskParts, 'stays' | 'payments' | 'events' | 'commit'> & {
  clock: Clock;
  /** How the cloud has the call; null: it does not answer, or does not have it yet. Null itself: there is no cloud. */
  askCall: ((callId: string) => Promise<EdgeCall | null>) | null;
};

interface OpenCall {
  id: string;
  madeMs: number;
  /** The call's last state at the cloud. */
  cloud: EdgeCall | null;
  answeredMs: number;
}

/** Calls for help of drivers at the site's kiosks: one at a time, and a few an hour. */
export class HelpCalls {
  readonly #parts: HelpParts;
  readonly #calls = new Map<string, OpenCall>();

  constructor(parts: HelpParts) {
    this.#parts = parts;
  }

  /** The call that is open, or a new one, which is on the disk then. */
  async call({ id, visitId, language }: KioskHelpOrder): Promise<KioskHelp | KioskFault> {
    const now = this.#parts.clock.now();
    const known = this.#calls.get(id) ?? [...this.#calls.values()].find((call) => this.#isOpen(call));
    if (known) return this.#view(known);
    this.#forget(now.getTime());
    if (this.#calls.size >= MAX_AN_HOUR) return 'too-many-requests';
    const { stays, payments, events, commit } = this.#parts;
    const madeMs = now.getTime();
    const call: OpenCall = { id, madeMs, cloud: null, answeredMs: madeMs };
    this.#calls.set(id, call);
    const terminalId = payments?.terminalId ?? null;
    const about = visitId !== null && stays.visits.get(visitId) ? visitId : null;
    const wanted = { type: 'help.wanted', callId: id, terminalId, visitId: about, language } as const;
    try {
      await commit.run(() => events.append(wanted, utcTime(now)));
    } catch (error) {
      this.#calls.delete(id);
      throw error;
    }
    return this.#view(call);
  }

  /** How a call stands; null: it is not known here. */
  async state(id: string): Promise<KioskHelp | null> {
    const call = this.#calls.get(id);
    if (!call) return null;
    const heard = (await this.#parts.askCall?.(id)) ?? null;
    if (heard) Object.assign(call, { cloud: heard, answeredMs: this.#parts.clock.now().getTime() });
    return this.#view(call);
  }

  #view(call: OpenCall): KioskHelp {
    return { id: call.id, state: this.#stateOf(call), name: call.cloud?.name ?? null };
  }

  #stateOf({ cloud, answeredMs }: OpenCall): KioskHelp['state'] {
    if (cloud?.state === 'accepted' || cloud?.state === 'closed') return cloud.state;
    const { askCall, clock } = this.#parts;
    const isUnanswered = clock.now().getTime() - answeredMs > NO_ANSWER_MS;
    return askCall === null || cloud?.state === 'missed' || isUnanswered ? 'unreached' : 'calling';
  }

  #isOpen(call: OpenCall): boolean {
    const state = this.#stateOf(call);
    return state === 'calling' || state === 'accepted';
  }

  #forget(nowMs: number): void {
    for (const { id, madeMs } of this.#calls.values()) {
      if (nowMs - madeMs > HOUR_MS || nowMs < madeMs) this.#calls.delete(id);
    }
  }
}

/** A driver calls for help, and sees who comes. */
export function kioskHelpRoutes(calls: HelpCalls): Hono<LocalEnv> {
  return new Hono<LocalEnv>()
    .basePath('/api/kiosk')
    .post('/help', (c) =>
      withBody(c, KioskHelpOrderSchema, async (order) => {
        const called = await calls.call(order);
        return typeof called === 'string' ? refuseKiosk(c, called) : c.json(called);
      }),
    )
    .get('/help/:callId', async (c) => {
      const call = await calls.state(c.req.param('callId'));
      return call === null ? refuseKiosk(c, 'not-found') : c.json(call);
    });
}

/** Asks the cloud how a call stands. Never throws. */
export async function askCall(cloud: CloudAccess, callId: string): Promise<EdgeCall | null> {
  try {
    const { status, body } = await requestAsSite(cloud, `${EDGE_CALLS_PATH}/${callId}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The connection is used again only when the answer was read.
    const content: unknown = await json(body);
    return status === 200 ? EdgeCallSchema.parse(content) : null;
  } catch {
    return null;
  }
}
