import { find, textAt, type XmlElement } from '@hlid/edge/onvif/xml-element';
import { AXIS_EVENT, dateTime, type Outcome } from './onvif-answers.ts';
import type { createPullPoints, SimPullPoint } from './onvif-pull-points.ts';

export interface SubscriptionWays {
  /** `query`: `…/Subscription?Idx=7`; `parameter`: one address for all, with a reference parameter each (Axis). */
  addressing: 'query' | 'parameter';
  /** Pulling prolongs a subscription; else only Renew does. */
  pullProlongs: boolean;
  /** Whether it supports Renew. */
  renews: boolean;
  topics: readonly string[];
  /** The form of a subscription's duration that it accepts; it refuses others, or reads them as 1970. */
  lifetimeFormat: 'any' | 'until' | 'not' | 'until-or-1970';
  /** The longest time for which a pull waits. */
  maxWaitMs: number;
  /** The most events in one answer. */
  maxEvents: number;
}

const GONE: Outcome = { fault: 'wsrfr:ResourceUnknownFault' };
const USUAL_LIFE_MS = 10_000;

/** The event service of a simulated device: subscriptions, and what is asked of each. */
export function createSubscriptions(parts: {
  ways: SubscriptionWays;
  points: ReturnType<typeof createPullPoints>;
  /** The time of the device's clock. */
  now: () => Date;
  /** The address of the subscription manager. */
  address: () => string;
  /** Sends one subscription the state of everything. */
  tellStates: (id: string) => void;
}) {
  const { ways, points, now } = parts;

  function times(point: SimPullPoint, prefix: 'tev' | 'wsnt'): string {
    const current = now();
    const end = new Date(current.getTime() + point.endsAt - performance.now());
    return `<${prefix}:CurrentTime>${dateTime(current)}</${prefix}:CurrentTime><${prefix}:TerminationTime>${dateTime(end)}</${prefix}:TerminationTime>`;
  }

  /** The life in ms that a duration gives, or that lasts until a moment of the device's clock. */
  function lifeOf(reported: string | null): number {
    const until = Date.parse(reported ?? '');
    return Number.isNaN(until) ? duration(reported, USUAL_LIFE_MS) : until - now().getTime();
  }

  function create(body: XmlElement): Outcome {
    const expression = textAt(body, 'Filter', 'TopicExpression');
    const filter = expression?.split('|').map((topic) => topic.trim()) ?? null;
    if (filter?.some((wanted) => !knowsTopic(ways.topics, wanted))) {
      return { fault: 'wsnt:InvalidFilterFault' };
    }
    const reported = textAt(body, 'InitialTerminationTime');
    const isDuration = reported?.startsWith('P') === true;
    if (ways.lifetimeFormat === 'not' && reported !== null) return { fault: 'ter:InvalidArgVal' };
    if (ways.lifetimeFormat === 'until' && isDuration) return { fault: 'ter:InvalidArgVal' };
    const isPast = ways.lifetimeFormat === 'until-or-1970' && isDuration;
    const point = points.create(filter, isPast ? -1e9 : lifeOf(reported));
    if (!point) return { fault: 'wsnt:SubscribeCreationFailedFault' };
    parts.tellStates(point.id);
    const reference =
      ways.addressing === 'query'
        ? `<wsa:Address>${parts.address()}?Idx=${point.id}</wsa:Address>`
        : `<wsa:Address>${parts.address()}</wsa:Address><wsa:ReferenceParameters>
<dom0:SubscriptionId xmlns:dom0="${AXIS_EVENT}">${point.id}</dom0:SubscriptionId></wsa:ReferenceParameters>`;
    return {
      body: `<tev:CreatePullPointSubscriptionResponse><tev:SubscriptionReference>${reference}</tev:SubscriptionReference>
${times(point, 'wsnt')}</tev:CreatePullPointSubscriptionResponse>`,
    };
  }

  async function pull(id: string, body: XmlElement, gone: AbortSignal): Promise<Outcome> {
    const waitMs = duration(textAt(body, 'Timeout'), 0);
    const most = Number(textAt(body, 'MessageLimit') ?? 1);
    if (waitMs > ways.maxWaitMs || most > ways.maxEvents) return { fault: 'ter:InvalidArgVal' };
    const before = points.get(id);
    if (before && ways.pullProlongs) {
      before.endsAt = Math.max(before.endsAt, performance.now() + waitMs + USUAL_LIFE_MS);
    }
    const events = await points.pull(id, waitMs, most, gone);
    if (events === 'busy') return { fault: 'ter:InvalidArgVal' };
    const point = points.get(id);
    if (events === null || !point) return GONE;
    const messages = events.map(({ xml }) => xml).join('');
    return { body: `<tev:PullMessagesResponse>${times(point, 'tev')}${messages}</tev:PullMessagesResponse>` };
  }

  function renew(id: string, body: XmlElement): Outcome {
    if (!ways.renews) return { fault: 'ter:ActionNotSupported' };
    const point = points.get(id);
    if (!point) return GONE;
    const reported = textAt(body, 'TerminationTime');
    if (ways.lifetimeFormat !== 'any' && reported?.startsWith('P')) return { fault: 'ter:InvalidArgVal' };
    point.endsAt = performance.now() + lifeOf(reported);
    return { body: `<wsnt:RenewResponse>${times(point, 'wsnt')}</wsnt:RenewResponse>` };
  }

  return {
    create,
    /** The subscription of a request: by the query, or by the reference parameter, marked as such. */
    idIn(query: URLSearchParams, header: XmlElement | null): string {
      if (ways.addressing === 'query') return query.get('Idx') ?? '';
      const parameter = find(header, 'SubscriptionId');
      const isMarked =
        parameter?.namespace === AXIS_EVENT && parameter.attributes['IsReferenceParameter'] === 'true';
      return isMarked ? parameter.text : '';
    },
    /** Null: no operation of a subscription. */
    perform(id: string, body: XmlElement, gone: AbortSignal): Outcome | Promise<Outcome> | null {
      switch (body.name) {
        case 'PullMessages':
          return pull(id, body, gone);
        case 'Renew':
          return renew(id, body);
        case 'Unsubscribe':
          return points.end(id) ? { body: '<wsnt:UnsubscribeResponse/>' } : GONE;
        case 'SetSynchronizationPoint':
          if (!points.get(id)) return GONE;
          parts.tellStates(id);
          return { body: '<tev:SetSynchronizationPointResponse/>' };
        default:
          return null;
      }
    },
  };
}

function knowsTopic(topics: readonly string[], wanted: string): boolean {
  if (!wanted.endsWith('//.')) return topics.includes(wanted);
  const tree = wanted.slice(0, -3);
  return topics.some((topic) => topic === tree || topic.startsWith(`${tree}/`));
}

/** Milliseconds of `PT1M`, `PT20S` and the like. */
export function duration(text: string | null, otherwise: number): number {
  const [, minutes, whole] = /^PT(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(text ?? '') ?? [];
  if (minutes === undefined && whole === undefined) return otherwise;
  return Number(minutes ?? 0) * 60_000 + Number(whole ?? 0) * 1000;
}
