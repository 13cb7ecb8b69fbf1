import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvent } from './event-message.ts';
import { readEnvelope } from './soap-envelope.ts';
import { descendants, find, readXml, textAt } from './xml-element.ts';
import { xml } from './xml-text.ts';

test('names stand without their prefix, and know their namespace', () => {
  const root = readXml(
    '<a:x xmlns:a="urn:a" xmlns="urn:b" a:one="1" two="&lt;2&gt;"><y>\n t &#xE6; </y></a:x>',
  );
  expect(root).toMatchObject({ name: 'x', namespace: 'urn:a', attributes: { one: '1', two: '<2>' } });
  expect(find(root, 'y')).toMatchObject({ namespace: 'urn:b', text: 't æ' });
});

test('a usual prefix that nobody declared is understood all the same', () => {
  expect(readXml('<tt:Message/>')).toMatchObject({
    name: 'Message',
    namespace: 'http://www.onvif.org/ver10/schema',
  });
});

test.each([
  ['a byte order mark', '\ufeff<a><b>In</b></a>', 'In'],
  // hikvision: a line before the XML declaration.
  ['a line before the declaration', '\r\n<?xml version="1.0"?><a><b>In</b></a>', 'In'],
  ['names as somebody typed them in', '<a><b>In & Out &amp; Back</b></a>', 'In & Out & Back'],
  ['a prefix of its own that nobody declared', '<a><vnd:b>In</vnd:b></a>', 'In'],
])('%s is no hindrance', (_, text, reported) => {
  expect(textAt(readXml(text), 'b')).toBe(reported);
});

test.each([
  ['nothing', ''],
  ['text', 'Not found'],
  ['half of it', '<a><b>'],
  ['two of it', '<a/><b/>'],
  ['entities of its own', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ['nesting without end', `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`],
  ['elements without end', `<a>${'<b/>'.repeat(50_000)}</a>`],
])('%s is no XML of a device', (_, text) => {
  expect(readXml(text)).toBeNull();
});

test('zero bytes and blanks after the document are no part of it', () => {
  expect(readXml('<a>1</a>\r\n \0\0\n')).toMatchObject({ name: 'a', text: '1' });
});

test.each([' ', '\t', '\r', '\n', '\r\n', ' \t'])('a document with megabytes of %j is not read', (blank) => {
  expect(readXml(`<a>${blank.repeat(50_000)}x</a>`)).toMatchObject({ text: 'x' });
  expect(readXml(`<a>${blank.repeat(4_000_000 / blank.length)}x</a>`)).toBeNull();
});

test('what is written into XML comes out of it as it was, and is nothing but text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      // XML knows one kind of line end, and text is trimmed here.
      const plain = text.replace(/\p{Cc}/gu, '').trim();
      const written = xml`<a b="${plain}">${plain}</a>`;
      expect(readXml(written.xml)).toMatchObject({ attributes: { b: plain }, text: plain, children: [] });
    }),
  );
});

const ANSWER = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><tev:PullMessagesResponse>
<tev:CurrentTime>2026-11-21T10:00:00Z</tev:CurrentTime><wsnt:NotificationMessage>
<wsnt:Topic>tns1:Device/Trigger/Relay</wsnt:Topic><wsnt:Message><tt:Message UtcTime="2026-11-21T10:00:00Z">
<tt:Source><tt:SimpleItem Name="RelayToken" Value="r"/></tt:Source><tt:Data>
<tt:SimpleItem Name="LogicalState" Value="active"/></tt:Data></tt:Message></wsnt:Message>
</wsnt:NotificationMessage></tev:PullMessagesResponse></s:Body></s:Envelope>`;

// How long they take: onvif-bytes.test.ts.
test('no bytes, however broken, crash the reading of an answer', () => {
  const broken = fc.oneof(
    fc.string(),
    fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes).toString('utf8')),
    fc.nat(ANSWER.length).map((end) => ANSWER.slice(0, end)),
    fc
      .tuple(fc.nat(ANSWER.length - 1), fc.string({ maxLength: 20 }))
      .map(([at, text]) => ANSWER.slice(0, at) + text + ANSWER.slice(at + 3)),
  );
  fc.assert(
    fc.property(broken, (text) => {
      const reading = readEnvelope(text);
      if (reading.ok) {
        textAt(reading.body, 'CurrentTime');
        descendants(reading.body, 'NotificationMessage').map(readEvent);
      }
    }),
    { numRuns: 500 },
  );
});
