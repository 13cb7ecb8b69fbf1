import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readEnvelope, soapEnvelope } from './soap-envelope.ts';
import { children, find, readXml, textAt } from './xml-element.ts';
import { xml } from './xml-text.ts';

const SPEC = new URL('../../../tests/fixtures/cameras/onvif/', import.meta.url);
const spec = (name: string) => readFileSync(new URL(`spec_${name}.xml`, SPEC), 'utf8');

test("the standard's own answers, padded as they are", () => {
  const created = readEnvelope(spec('CreatePullPointSubscription_response'));
  expect(created.ok && textAt(created.body, 'SubscriptionReference', 'Address')).toBe(
    'http://160.10.64.10/Subscription?Idx=0',
  );
  const pulled = readEnvelope(spec('PullMessages_response'));
  expect(pulled.ok && children(pulled.body, 'NotificationMessage')).toHaveLength(2);
  expect(readEnvelope(spec('Unsubscribe_response')).ok).toBe(true);
});

test('reference parameters go back as they came, marked as such', () => {
  const given = readXml(
    '<p xmlns:dom0="http://www.axis.com/2009/event"><dom0:SubscriptionId a="&quot;"><dom0:x>5 &amp; 6</dom0:x></dom0:SubscriptionId></p>',
  );
  const text = soapEnvelope(xml`<wsnt:Unsubscribe/>`, {
    addressing: {
      action: 'urn:a',
      messageId: 'urn:uuid:1',
      to: 'http://camera/Subscription?a=1&b=2',
      referenceParameters: given?.children ?? [],
    },
  });
  const header = find(readXml(text), 'Header');
  expect(textAt(header, 'To')).toBe('http://camera/Subscription?a=1&b=2');
  const parameter = find(header, 'SubscriptionId');
  expect(parameter).toMatchObject({
    namespace: 'http://www.axis.com/2009/event',
    attributes: { IsReferenceParameter: 'true', a: '"' },
  });
  expect(find(parameter, 'x')).toMatchObject({
    namespace: 'http://www.axis.com/2009/event',
    text: '5 & 6',
    attributes: {},
  });
});

const envelope = (body: string, version = 'http://www.w3.org/2003/05/soap-envelope') =>
  `<e:Envelope xmlns:e="${version}"><e:Body>${body}</e:Body></e:Envelope>`;

test.each([
  [
    'SOAP 1.2',
    envelope(`<e:Fault><e:Code><e:Value>e:Sender</e:Value><e:Subcode><e:Value>ter:NotAuthorized</e:Value><e:Subcode>
<e:Value>ter:Locked</e:Value></e:Subcode></e:Subcode></e:Code><e:Reason><e:Text xml:lang="en">No.</e:Text></e:Reason></e:Fault>`),
    { codes: ['Sender', 'NotAuthorized', 'Locked'], reason: 'No.' },
  ],
  [
    'SOAP 1.1',
    envelope(
      '<e:Fault><faultcode>ter:InvalidArgVal</faultcode><faultstring>Bad</faultstring></e:Fault>',
      'http://schemas.xmlsoap.org/soap/envelope/',
    ),
    { codes: ['InvalidArgVal'], reason: 'Bad' },
  ],
  [
    'SOAP 1.1 with a detail',
    envelope(
      '<e:Fault><faultcode>e:Client</faultcode><faultstring/><detail><tev:PullMessagesFaultResponse/></detail></e:Fault>',
      'http://schemas.xmlsoap.org/soap/envelope/',
    ),
    { codes: ['Client', 'PullMessagesFaultResponse'], reason: 'PullMessagesFaultResponse' },
  ],
  [
    'WS-BaseNotification',
    envelope(`<e:Fault><e:Code><e:Value>e:Receiver</e:Value></e:Code><e:Detail>
<r:ResourceUnknownFault xmlns:r="http://docs.oasis-open.org/wsrf/r-2"/>
<wsnt:InvalidFilterFault xmlns:wsnt="http://docs.oasis-open.org/wsn/b-2"/></e:Detail></e:Fault>`),
    { codes: ['Receiver', 'InvalidFilterFault'], reason: 'InvalidFilterFault' },
  ],
])('a fault of %s', (_, text, fault) => {
  expect(readEnvelope(text)).toEqual({ ok: false, fault });
});

test.each(['', '<html><body>401</body></html>', '{"error":1}'])('%s is no SOAP', (text) => {
  expect(readEnvelope(text)).toEqual({ ok: false, fault: null });
});
