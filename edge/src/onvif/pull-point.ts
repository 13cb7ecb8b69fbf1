import { asSeenFrom } from './device-service.ts';
import { durationOf, readDateTime } from './device-time.ts';
import { type OnvifEvent, readEvent } from './event-message.ts';
import { NS } from './namespaces.ts';
import type { OnvifSession } from './onvif-session.ts';
import type { SoapAnswer, SoapFailure } from './soap-answer.ts';
import { descendants, find, textAt, type XmlElement } from './xml-element.ts';
import { type Xml, xml } from './xml-text.ts';

/** A subscription at a device, from which its events are pulled. */
export interface PullPoint {
  /** Whole, its query included. */
  address: string;
  referenceParameters: readonly XmlElement[];
  /** How much of its life is left, by the device's own clock. */
  leftMs: number;
}

/** How a device is told how long a subscription shall live: a duration, a moment of its own clock, or not at all. */
export type LifeTold = 'for' | 'until' | 'not';

export interface SubscriptionLife {
  ms: number;
  told: LifeTold;
}

/** What one pull asks for. */
export interface PullWish {
  waitMs: number;
  maxEvents: number;
}

const ACTION = {
  create: `${NS.tev}/EventPortType/CreatePullPointSubscriptionRequest`,
  pull: `${NS.tev}/PullPointSubscription/PullMessagesRequest`,
  synchronise: `${NS.tev}/PullPointSubscription/SetSynchronizationPointRequest`,
  renew: 'http://docs.oasis-open.org/wsn/bw-2/SubscriptionManager/RenewRequest',
  unsubscribe: 'http://docs.oasis-open.org/wsn/bw-2/SubscriptionManager/UnsubscribeRequest',
};
const CONCRETE_SET = 'http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet';
/** Longer than the device is asked to wait: that is not silence. */
const PATIENCE_MS = 10_000;

/** @param topics an expression of the ConcreteSet dialect; null for everything */
export async function createPullPoint(
  session: OnvifSession,
  eventsUrl: string,
  topics: string | null,
  life: SubscriptionLife,
  signal?: AbortSignal,
): Promise<{ ok: true; point: PullPoint } | SoapFailure> {
  const filter = topics
    ? xml`<tev:Filter><wsnt:TopicExpression Dialect="${CONCRETE_SET}">${topics}</wsnt:TopicExpression></tev:Filter>`
    : null;
  const end = life.told === 'not' ? null : await endOf(session, life, signal);
  const answer = await session.call({
    url: eventsUrl,
    action: ACTION.create,
    body: xml`<tev:CreatePullPointSubscription>${filter}
${end && xml`<tev:InitialTerminationTime>${end}</tev:InitialTerminationTime>`}
</tev:CreatePullPointSubscription>`,
    // Some devices want it here too; those that do not need it must not mind.
    referenceParameters: [],
    signal,
  });
  if (!answer.ok) return answer;
  const reference = find(answer.body, 'SubscriptionReference');
  const told = textAt(reference, 'Address') ?? eventsUrl;
  return {
    ok: true,
    point: {
      address: asSeenFrom(session.options.url, told),
      referenceParameters: [
        ...(find(reference, 'ReferenceParameters')?.children ?? []),
        ...(find(reference, 'ReferenceProperties')?.children ?? []),
      ],
      leftMs: leftOf(answer.body) ?? life.ms,
    },
  };
}

async function endOf(
  session: OnvifSession,
  { ms, told }: SubscriptionLife,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (told === 'for') return durationOf(ms);
  if (session.clockAheadMs() === null) await session.learnClock(signal);
  return `${new Date(session.deviceNow().getTime() + ms).toISOString().slice(0, 19)}Z`;
}

/** Waits at the device until there is something, at most `waitMs`; no event at all is a good answer. */
export async function pullMessages(
  session: OnvifSession,
  point: PullPoint,
  { waitMs, maxEvents }: PullWish,
  signal?: AbortSignal,
): Promise<{ ok: true; events: OnvifEvent[]; deviceTime: Date | null; leftMs: number | null } | SoapFailure> {
  const answer = await ask(
    session,
    point,
    ACTION.pull,
    xml`<tev:PullMessages><tev:Timeout>${durationOf(waitMs)}</tev:Timeout>
<tev:MessageLimit>${maxEvents}</tev:MessageLimit></tev:PullMessages>`,
    { timeoutMs: waitMs + PATIENCE_MS, signal },
  );
  if (!answer.ok) return answer;
  const events = descendants(answer.body, 'NotificationMessage').flatMap(
    (message) => readEvent(message) ?? [],
  );
  return {
    ok: true,
    events,
    deviceTime: readDateTime(textAt(answer.body, 'CurrentTime')),
    leftMs: leftOf(answer.body),
  };
}

/** @returns the life that it has now; null where the device does not say */
export async function renew(
  session: OnvifSession,
  point: PullPoint,
  { ms, told }: SubscriptionLife,
  signal?: AbortSignal,
): Promise<{ ok: true; leftMs: number | null } | SoapFailure> {
  // Here it must be told.
  const end = await endOf(session, { ms, told: told === 'for' ? 'for' : 'until' }, signal);
  const body = xml`<wsnt:Renew><wsnt:TerminationTime>${end}</wsnt:TerminationTime></wsnt:Renew>`;
  const answer = await ask(session, point, ACTION.renew, body, { signal });
  return answer.ok ? { ok: true, leftMs: leftOf(answer.body) } : answer;
}

/** Asks for the present state of everything that has one, such as relays and inputs: it comes as events. */
export function synchronise(
  session: OnvifSession,
  point: PullPoint,
  signal?: AbortSignal,
): Promise<SoapAnswer> {
  return ask(session, point, ACTION.synchronise, xml`<tev:SetSynchronizationPoint/>`, { signal });
}

/** Devices have few pull points: who goes gives his back. */
export function unsubscribe(session: OnvifSession, point: PullPoint): Promise<SoapAnswer> {
  return ask(session, point, ACTION.unsubscribe, xml`<wsnt:Unsubscribe/>`, {});
}

function ask(
  session: OnvifSession,
  { address, referenceParameters }: PullPoint,
  action: string,
  body: Xml,
  more: { timeoutMs?: number; signal?: AbortSignal | undefined },
): Promise<SoapAnswer> {
  return session.call({ url: address, action, body, referenceParameters, ...more });
}

function leftOf(answer: XmlElement): number | null {
  const now = readDateTime(textAt(answer, 'CurrentTime'));
  const end = readDateTime(textAt(answer, 'TerminationTime'));
  return now && end ? end.getTime() - now.getTime() : null;
}
