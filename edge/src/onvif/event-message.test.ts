import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type OnvifEvent, readEvent, topicFits, triggerOf } from './event-message.ts';
import { descendants, readXml } from './xml-element.ts';

const CAMERAS = new URL('../../../tests/fixtures/cameras/', import.meta.url);

function eventsIn(text: string): OnvifEvent[] {
  const root = readXml(text);
  return root ? descendants(root, 'NotificationMessage').flatMap((message) => readEvent(message) ?? []) : [];
}

test("the standard's own notifications", () => {
  const events = eventsIn(readFileSync(new URL('onvif/spec_PullMessages_response.xml', CAMERAS), 'utf8'));
  expect(events.map(({ topic, at, data }) => [topic, at?.toISOString(), data.get('objectid')])).toEqual([
    ['tns1:RuleEngine/LineDetector/Crossed', '2008-10-10T12:24:57.321Z', '15'],
    ['tns1:RuleEngine/LineDetector/Crossed', '2008-10-10T12:24:57.789Z', '19'],
  ]);
  expect(events[1]?.source.get('rule')).toBe('MyImportantFence2');
});

test('an event of Axis', () => {
  const [event] = eventsIn(
    readFileSync(new URL('axis/onvif_event_ALPV.AllPlates_II04458.xml', CAMERAS), 'utf8'),
  );
  expect(event).toMatchObject({
    topic: 'tnsaxis:CameraApplicationPlatform/ALPV.AllPlates',
    utcTime: '2021-05-20T11:54:21.894000Z',
    operation: null,
  });
  expect(event?.at?.toISOString()).toBe('2021-05-20T11:54:21.894Z');
  expect(event?.data.get('text')).toBe('II04458');
});

test('an event without a time', () => {
  expect(
    eventsIn(`<a><wsnt:NotificationMessage><wsnt:Topic>tns1:Device/Trigger/Relay</wsnt:Topic><wsnt:Message>
<tt:Message><tt:Data><tt:SimpleItem Name="LogicalState" Value="true"/></tt:Data></tt:Message></wsnt:Message>
</wsnt:NotificationMessage></a>`),
  ).toMatchObject([{ topic: 'tns1:Device/Trigger/Relay', at: null }]);
});

const trigger = (topic: string, source: string, state: string, operation = '') =>
  eventsIn(`<a xmlns:x="http://www.onvif.org/ver10/topics"><wsnt:NotificationMessage><wsnt:Topic>${topic}</wsnt:Topic>
<wsnt:Message><tt:Message UtcTime="2026-11-21T10:00:00Z" ${operation}><tt:Source>${source}</tt:Source>
<tt:Data><tt:SimpleItem Name="LogicalState" Value="${state}"/></tt:Data></tt:Message></wsnt:Message>
</wsnt:NotificationMessage></a>`).map(triggerOf)[0];
const named = (name: string, value: string) => `<tt:SimpleItem Name="${name}" Value="${value}"/>`;

test.each([
  ['tns1:Device/Trigger/Relay', named('RelayToken', 'r1'), 'active', ['relay', 'r1', true]],
  ['tns1:Device/Trigger/Relay', named('RelayToken', 'r1'), 'inactive', ['relay', 'r1', false]],
  ['tns1:Device/tns1:Trigger/tns1:DigitalInput', named('InputToken', '0'), 'true', ['input', '0', true]],
  ['x:Device/Trigger/DigitalInput', named('Token', '0'), '0', ['input', '0', false]],
])('%s of %s, %s', (topic, source, state, [kind, token, active]) => {
  expect(trigger(topic, source, state)).toEqual({ kind, token, active, initial: false });
});

test('the state of a relay is not a movement', () => {
  const initial = trigger(
    'tns1:Device/Trigger/Relay',
    named('RelayToken', 'r'),
    'active',
    'PropertyOperation="Initialized"',
  );
  expect(initial).toMatchObject({ initial: true });
  expect(
    trigger('tns1:Device/Trigger/Relay', named('RelayToken', 'r'), 'active', 'PropertyOperation="Deleted"'),
  ).toBeNull();
});

test('topics by pattern', () => {
  expect(topicFits('tnsaxis:A/ALPV.AllPlates', 'tnsaxis:A/ALPV.*')).toBe(true);
  expect(topicFits('tnsaxis:A/ALPVXAllPlates', 'tnsaxis:A/ALPV.*')).toBe(false);
  expect(topicFits('tnsaxis:A/B', 'tnsaxis:A/B')).toBe(true);
});
