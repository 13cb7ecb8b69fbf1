import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runInShell } from '../../test/shell.ts';

const CAMERAS = new URL('../../../tests/fixtures/cameras/', import.meta.url);
const sample = (path: string) => readFileSync(new URL(path, CAMERAS));
const ALERT = sample('hikvision/anpr_HR_ZG6140G.xml');
const PUSHED = sample('survision/httppush_anpr_decision_MW818WM.trimmed.json');

const parse = (format: string, input: Uint8Array, ...more: string[]) =>
  runInShell(['camera', 'parse', '--format', format, ...more, '-'], { input });
const plates = ({ printed }: { printed: string[] }) =>
  JSON.parse(printed[0] ?? '').reads.map(({ plate }: { plate: string }) => plate);

const item = (name: string, value: string) => `<v:SimpleItem Name="${name}" Value="${value}"/>`;
/** An answer to a pull, its namespaces under unusual prefixes. */
const pulled = (topic: string, data: string) =>
  Buffer.from(`<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:v="http://www.onvif.org/ver10/schema"
xmlns:n="http://docs.oasis-open.org/wsn/b-2" xmlns:t="http://www.onvif.org/ver10/topics"
xmlns:ev="http://www.onvif.org/ver10/events/wsdl"><e:Body><ev:PullMessagesResponse>
<ev:CurrentTime>2026-03-04T05:06:08Z</ev:CurrentTime><n:NotificationMessage><n:Topic>${topic}</n:Topic><n:Message>
<v:Message UtcTime="2026-03-04T05:06:07Z"><v:Source>${item('Rule', 'R1')}</v:Source><v:Data>${data}</v:Data>
</v:Message></n:Message></n:NotificationMessage></ev:PullMessagesResponse></e:Body></e:Envelope>`);
const INFO = `<v:ElementItem Name="LicensePlateInfo"><v:LicensePlateInfo><v:PlateNumber Likelihood="0.9">kz d82
</v:PlateNumber><v:CountryCode>IS</v:CountryCode></v:LicensePlateInfo></v:ElementItem>`;

test('a gzip’ed document is unpacked', async () => {
  expect(plates(await parse('hikvision', gzipSync(ALERT)))).toEqual(['ZG6140G']);
  const broken = await parse('hikvision', gzipSync(ALERT).subarray(0, 99));
  expect(broken).toMatchObject({ code: 1, printed: [], complaint: expect.stringMatching(/cannot be read/) });
});

test('a captured request is read with its head', async () => {
  const head =
    'POST /cameras/in HTTP/1.1\r\nSurvision-Serial-Number: 4711\r\nContent-Type: application/json\r\n\r\n';
  for (const body of [PUSHED, gzipSync(PUSHED)]) {
    const { printed } = await parse('survision', Buffer.concat([Buffer.from(head), body]));
    expect(printed[0]).toMatch(/"eventKey":"4711\//);
  }
  const [begin, rest] = [PUSHED.subarray(0, 100), PUSHED.subarray(100)];
  const chunk = (bytes: Uint8Array) => [
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ];
  const inChunks = Buffer.concat([...chunk(begin), ...chunk(rest), Buffer.from('0\r\n\r\n')]);
  for (const [length, sent] of [
    ['Transfer-Encoding: chunked', inChunks],
    ['Content-Length: 7', PUSHED],
  ] as const) {
    const whole = Buffer.concat([Buffer.from(head.replace('\r\n\r\n', `\r\n${length}\r\n\r\n`)), sent]);
    expect(plates(await parse('survision', whole))).toEqual(['MW818WM']);
  }
  const reported = await parse('survision', Buffer.concat([Buffer.from(head), PUSHED]), '--serial', '7');
  expect(reported.printed[0]).toMatch(/"eventKey":"7\//);
});

test.each([
  ['axis', ALERT, /this looks like --format hikvision \(Hikvision ISAPI\)$/],
  ['hikvision', PUSHED, /this looks like --format survision \(Survision\)$/],
  ['milesight', sample('axis/http_push_new_TOLSL123_blocklist.json'), /this looks like --format axis/],
  ['dahua', sample('axis/heartbeat_normalised.json'), /this looks like --format axis/],
  ['survision', Buffer.from('{"hello":1}'), /says$/],
  ['milesight', sample('genetec/exporter_9HKA742.trimmed.json').subarray(0, 99), /malformed/],
])('a document that is not of %s: whose it seems to be', async (format, input, complaint) => {
  const result = await parse(format, input);
  expect(result).toMatchObject({ code: 1, printed: [], complaint: expect.stringMatching(complaint) });
});

test.each([
  ['hikvision', ALERT],
  ['survision', PUSHED],
  ['axis', sample('axis/http_push_new_TOLSL123_blocklist.json')],
  ['axis', sample('axis/heartbeat_normalised.json')],
  ['milesight', sample('milesight/http_post_recognition_62D3680.json')],
  ['dahua', sample('dahua/itsapi_TollgateInfo_reduced.json')],
  ['dahua', sample('dahua/itsapi_KeepAlive.json')],
  ['open-alpr', sample('open-alpr/doc_alpr_group_v2.7.101.json')],
  ['open-alpr', sample('open-alpr/doc_heartbeat_v2.7.101.json')],
  ['genetec', sample('genetec/exporter_9HKA742.trimmed.json')],
  ['vaxtor', sample('vaxtor/variables_report.json')],
  ['tattile', sample('tattile/receiver_test_1234ABC.xml')],
  ['plate-recognizer', sample('plate-recognizer/stream_webhook_9jub11.json')],
  ['onvif', pulled('t:RuleEngine/Recognition/LicensePlate', INFO)],
])('without a format, a document of %s is known by what it says', async (format, input) => {
  const [reported, found] = [
    await parse(format, input),
    await runInShell(['camera', 'parse', '-'], { input }),
  ];
  expect(found).toEqual({ ...reported, complaint: expect.stringContaining(`--format ${format}`) });
});

test.each([
  ['{"plate":"AB123","time":"2026-11-21 12:00:00","score":0.9}', /is not recognised.*--format milesight/],
  ['{"date":1}', /is not recognised/],
  ['<Alarm><Plate>AB123</Plate></Alarm>', /is not recognised/],
])('without a format, nothing is guessed of a maker that is not known: %s', async (text, complaint) => {
  const input = Buffer.from(text);
  const result = await runInShell(['camera', 'parse', '-'], { input });
  expect(result).toMatchObject({ code: 1, printed: [], complaint: expect.stringMatching(complaint) });
});

test('a document that no camera sends is refused if no format is given', async () => {
  const { code, printed, complaint } = await runInShell(['camera', 'parse', '-'], {
    input: Buffer.from('{}'),
  });
  expect([code, printed]).toEqual([1, []]);
  expect(complaint).toMatch(/--format/);
});

test('what an ONVIF camera answers to a pull is read as the daemon reads it', async () => {
  const { code, printed, complaint } = await parse(
    'onvif',
    pulled('t:RuleEngine/Recognition/LicensePlate', item('Likelihood', '0.95') + INFO),
  );
  expect([code, complaint]).toEqual([0, '']);
  expect(JSON.parse(printed[0] ?? '')).toMatchObject({
    reads: [
      { plate: 'KZD82', score: 0.9, country: 'IS', capturedAt: '2026-03-04T05:06:07.000Z', late: false },
    ],
    heartbeat: false,
  });
  expect(plates(await parse('onvif', sample('axis/onvif_event_ALPV.AllPlates_II04458.xml')))).toEqual([
    'II04458',
  ]);
});

test('a plate that the daemon would not read is shown, with advice', async () => {
  const vendor = await parse('onvif', pulled('t:Acme/Plates', item('PlateNumber', 'KZD82')));
  expect([vendor.code, plates(vendor)]).toEqual([0, ['KZD82']]);
  expect(vendor.complaint).toMatch(/onvif\.plates.*tns1:Acme\/Plates/);
  const stream = await parse('onvif', sample('onvif/spec_metadata_LicensePlateInfo.xml'));
  expect([stream.code, plates(stream)]).toEqual([0, ['6DZG261']]);
  expect(stream.complaint).toMatch(/metadata stream/);
});

test.each([
  ['another event', pulled('t:Device/Trigger/Relay', item('LogicalState', 'active')), 0, /^$/],
  ['no event', sample('onvif/spec_PullMessages_response.xml'), 0, /^$/],
  ['a plain answer', sample('onvif/spec_Unsubscribe_response.xml'), 1, /the XML is "UnsubscribeResponse"/],
  ['no XML', Buffer.from('{}'), 1, /is not XML/],
  ['nothing', new Uint8Array(), 1, /the body is empty/],
])('of ONVIF, %s is no read', async (_, input, expected, complaint) => {
  const result = await parse('onvif', input);
  expect(result).toMatchObject({ code: expected, complaint: expect.stringMatching(complaint) });
  expect(result.printed).toEqual(expected === 0 ? ['{"reads":[],"heartbeat":false}'] : []);
});
