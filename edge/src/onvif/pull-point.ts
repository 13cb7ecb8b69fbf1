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

/** The form of a subscription's life in a request: a duration, a moment of the device's clock, or none. */
export type LifeForm = 'for' | 'until' | 'not';

export interface SubscriptionLife {
  ms: number;
  form: LifeForm;
}

/** The limits of one pull. */
export interface PullRequest {
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
/** The timeout beside the time that the device may wait. */
const TIMEOUT_MS = 10_000;

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
  const end = life.form === 'not' ? null : await endOf(session, life, signal);
  const answer = await session.call({
    url: eventsUrl,
    action: ACTION.create,
    body: xml`<tev:CreatePullPointSubscription>${filter}
${end && xml`<tev:InitialTerminationTime>${end}</tev:InitialTerminationTime>`}
</tev:CreatePullPointSubscription>`,
    // Some devices need it here too; the others must accept it.
    referenceParameters: [],
    signal,
  });
  if (!answer.ok) return answer;
  const reference = find(answer.body, 'SubscriptionReference');
  const address = textAt(reference, 'Address') ?? eventsUrl;
  if (/^https?:\/\/\//i.test(address.trim()))
    session.noteFault('its pull point has an address without a host');
  return {
    ok: true,
    point: {
      address: asSeenFrom(session.options.url, address),
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
  { ms, form }: SubscriptionLife,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (form === 'for') return durationOf(ms);
  if (session.clockAheadMs() === null) await session.learnClock(signal);
  return `${new Date(session.deviceNow().getTime() + ms).toISOString().slice(0, 19)}Z`;
}

/** Waits until the device has an event, at most `waitMs`; an answer without events is valid. */
export async function pullMessages(
  session: OnvifSession,
  point: PullPoint,
  { waitMs, maxEvents }: PullRequest,
  signal?: AbortSignal,
): Promise<{ ok: true; events: OnvifEvent[]; deviceTime: Date | null; leftMs: number | null } | SoapFailure> {
  const answer = await callPoint(
    session,
    point,
    ACTION.pull,
    xml`<tev:PullMessages><tev:Timeout>${durationOf(waitMs)}</tev:Timeout>
<tev:MessageLimit>${maxEvents}</tev:MessageLimit></tev:PullMessages>`,
    { timeoutMs: waitMs + TIMEOUT_MS, signal },
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

/** @returns the life that is left; null where the device does not report it */
export async function renew(
  session: OnvifSession,
  point: PullPoint,
  { ms, form }: SubscriptionLife,
  signal?: AbortSignal,
): Promise<{ ok: true; leftMs: number | null } | SoapFailure> {
  // A renewal always needs a time.
  const end = await endOf(session, { ms, form: form === 'for' ? 'for' : 'until' }, signal);
  const body = xml`<wsnt:Renew><wsnt:TerminationTime>${end}</wsnt:TerminationTime></wsnt:Renew>`;
  const answer = await callPoint(session, point, ACTION.renew, body, { signal });
  return answer.ok ? { ok: true, leftMs: leftOf(answer.body) } : answer;
}

/** Requests the present states, such as those of relays and inputs: they arrive as events. */
export function synchronise(
  session: OnvifSession,
  point: PullPoint,
  signal?: AbortSignal,
): Promise<SoapAnswer> {
  return callPoint(session, point, ACTION.synchronise, xml`<tev:SetSynchronizationPoint/>`, { signal });
}

/** Devices have few pull points. */
export function unsubscribe(session: OnvifSession, point: PullPoint): Promise<SoapAnswer> {
  return callPoint(session, point, ACTION.unsubscribe, xml`<wsnt:Unsubscribe/>`, {});
}

function callPoint(
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
