import { splitName } from '@hlid/protocol/base/xml';
import { readDateTime } from './device-time.ts';
import { NS } from './namespaces.ts';
import { children, descendants, find, type XmlElement } from './xml-element.ts';

/** One notification of a device. */
export interface OnvifEvent {
  /** The topic with its usual prefix: `tns1:Device/Trigger/Relay`. */
  topic: string;
  /** The time by the device's clock, as it wrote it; empty if it did not. */
  utcTime: string;
  at: Date | null;
  /** `Initialized`: a present state, not a change. */
  operation: 'Initialized' | 'Changed' | 'Deleted' | null;
  source: ReadonlyMap<string, string>;
  /** Names in lower case: the standard itself spells them both ways. */
  data: ReadonlyMap<string, string>;
  elements: ReadonlyMap<string, XmlElement>;
}

const OPERATIONS = ['Initialized', 'Changed', 'Deleted'] as const;
const USUAL_PREFIXES = new Map<string, string>([
  [NS.tns1, 'tns1'],
  [NS.tnsaxis, 'tnsaxis'],
]);

/** A NotificationMessage; null where it lacks topic or message. */
export function readEvent(notification: XmlElement): OnvifEvent | null {
  const topic = find(notification, 'Topic');
  const messages = descendants(notification, 'Message');
  const message =
    messages.find(({ attributes }) => 'UtcTime' in attributes) ??
    // Some have no time.
    messages.find((element) => find(element, 'Data') !== null);
  if (!topic || !message) return null;
  const { UtcTime: utcTime = '', PropertyOperation: operation } = message.attributes;
  const data = children(message, 'Data');
  return {
    topic: topicOf(topic),
    utcTime,
    at: readDateTime(utcTime),
    operation: OPERATIONS.find((known) => known === operation) ?? null,
    source: simpleItems([...children(message, 'Source'), ...children(message, 'Key')]),
    data: simpleItems(data),
    elements: new Map(
      data
        .flatMap((one) => children(one, 'ElementItem'))
        .map((item) => [(item.attributes['Name'] ?? '').toLowerCase(), item]),
    ),
  };
}

/** The topic with the usual prefix of its namespace: a document may declare any. */
function topicOf(topic: XmlElement): string {
  const [prefix, path] = splitName(topic.text.replace(/\s/g, ''));
  const usual = USUAL_PREFIXES.get(topic.prefixes.get(prefix) ?? '') ?? prefix;
  // Each step of a path may carry the prefix again.
  const steps = path.split('/').map((step) => splitName(step)[1]);
  return `${usual}${usual === '' ? '' : ':'}${steps.join('/')}`;
}

function simpleItems(sets: readonly XmlElement[]): Map<string, string> {
  return new Map(
    sets
      .flatMap((set) => children(set, 'SimpleItem'))
      .map(({ attributes }) => [
        (attributes['Name'] ?? '').toLowerCase(),
        (attributes['Value'] ?? '').trim(),
      ]),
  );
}

/** Whether a topic matches: `*` in the pattern stands for any characters. */
export function topicFits(topic: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(topic);
}

/** A change of a relay or digital input, or its state. */
export interface Trigger {
  kind: 'relay' | 'input';
  token: string;
  active: boolean;
  /** A state that was requested, not a change. */
  initial: boolean;
}

/** The relay or input of an event; null for other events. */
export function triggerOf(event: OnvifEvent): Trigger | null {
  const kind = TRIGGER_KINDS.get(event.topic);
  if (kind === undefined || event.operation === 'Deleted') return null;
  const token =
    event.source.get(kind === 'relay' ? 'relaytoken' : 'inputtoken') ?? [...event.source.values()][0];
  const state = event.data.get('logicalstate') ?? [...event.data.values()][0];
  if (token === undefined || state === undefined) return null;
  const active = ['true', '1', 'active'].includes(state.toLowerCase());
  return { kind, token, active, initial: event.operation === 'Initialized' };
}

const TRIGGER_KINDS = new Map<string, Trigger['kind']>([
  ['tns1:Device/Trigger/Relay', 'relay'],
  ['tns1:Device/Trigger/DigitalInput', 'input'],
]);
