import { readFileSync } from 'node:fs';
import { UNSTATED_SCORE } from '@hlid/protocol/camera/confidence';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvent } from './event-message.ts';
import { PlateMapSchema, plateDocuments, plateTopics } from './onvif-plate.ts';
import { descendants, readXml } from './xml-element.ts';

const CAMERAS = new URL('../../../tests/fixtures/cameras/', import.meta.url);
const NOW = new Date('2026-11-21T10:00:00Z');

function documentsIn(text: string, vendor: unknown = [], times: { deviceTime?: Date } = {}) {
  const root = readXml(text);
  const events = root ? descendants(root, 'NotificationMessage').flatMap((one) => readEvent(one) ?? []) : [];
  return plateDocuments(events, {
    vendor: PlateMapSchema.parse(vendor),
    deviceTime: times.deviceTime ?? NOW,
    receivedAt: NOW,
  });
}

const notification = (topic: string, data: string, attributes = '', utc = '2026-11-21T10:00:00Z') =>
  `<a><wsnt:NotificationMessage><wsnt:Topic>${topic}</wsnt:Topic><wsnt:Message>
<tt:Message UtcTime="${utc}" ${attributes}><tt:Source><tt:SimpleItem Name="Rule" Value="R"/></tt:Source>
<tt:Data>${data}</tt:Data></tt:Message></wsnt:Message></wsnt:NotificationMessage></a>`;
const STANDARD = 'tns1:RuleEngine/Recognition/LicensePlate';

/** The standard's own LicensePlateInfo, in an event. */
const [info = ''] =
  /<tt:LicensePlateInfo>[\s\S]*<\/tt:LicensePlateInfo>/.exec(
    readFileSync(new URL('onvif/spec_metadata_LicensePlateInfo.xml', CAMERAS), 'utf8'),
  ) ?? [];
const item = (name: string, content: string) => `<tt:ElementItem Name="${name}">${content}</tt:ElementItem>`;
const simple = (name: string, value: string) => `<tt:SimpleItem Name="${name}" Value="${value}"/>`;

test('a plate as the standard prints it', () => {
  const [document] = documentsIn(
    notification(
      STANDARD,
      simple('Likelihood', '0.95') + item('LicensePlateInfo', info) + simple('Direction', 'Away'),
    ),
  );
  expect(document?.reads[0]).toMatchObject({
    plate: '6DZG261',
    // The lower of the two.
    score: 0.9,
    country: 'US',
    direction: 'leaving',
    capturedAt: '2026-11-21T10:00:00.000Z',
    late: false,
  });
});

test('the camera’s own zone is the rule, or the item that its maker has for it', () => {
  const [standard] = documentsIn(notification(STANDARD, item('LicensePlateInfo', info)));
  expect(standard?.reads[0]?.cameraZone).toBe('R');
  const topic = 'tnsaxis:CameraApplicationPlatform/ALPV.AllPlates';
  const [axis] = documentsIn(notification(topic, simple('text', 'KZD82') + simple('roiID', '2')), ['axis']);
  expect(axis?.reads[0]?.cameraZone).toBe('2');
});

test('the likelihood of the whole counts where the number has none', () => {
  const reported =
    '<tt:LicensePlateInfo Likelihood="0.8"><tt:PlateNumber>KZD82</tt:PlateNumber></tt:LicensePlateInfo>';
  const data = simple('Likelihood', '0.9') + item('LicensePlateInfo', reported);
  expect(documentsIn(notification(STANDARD, data))[0]?.reads[0]?.score).toBe(0.8);
});

test('a likelihood that is not there is what it is for every camera', () => {
  const plain = '<tt:LicensePlateInfo><tt:PlateNumber>KZ D82</tt:PlateNumber></tt:LicensePlateInfo>';
  const [document] = documentsIn(notification(STANDARD, item('licenseplateinfo', plain)));
  expect(document?.reads[0]).toMatchObject({ plate: 'KZD82', plateRaw: 'KZ D82', score: UNSTATED_SCORE });
});

test.each([
  ['0.9', 0.9],
  ['90', 0.9],
  ['7000', 0],
  ['high', 0],
])('the likelihood %s is %d', (text, score) => {
  const plain = '<tt:LicensePlateInfo><tt:PlateNumber>KZD82</tt:PlateNumber></tt:LicensePlateInfo>';
  const data = simple('Likelihood', text) + item('LicensePlateInfo', plain);
  expect(documentsIn(notification(STANDARD, data))[0]?.reads[0]?.score).toBe(score);
});

test('a plate among the items of the standard’s event is read', () => {
  const [document] = documentsIn(notification(STANDARD, simple('PlateNumber', 'KZ D82')));
  expect(document?.reads[0]).toMatchObject({ plate: 'KZD82', score: UNSTATED_SCORE });
});

test.each(['', 'unknown', 'No Plate', '-'])('the plate "%s" is unreadable', (text) => {
  const reported = `<tt:LicensePlateInfo><tt:PlateNumber Likelihood="0.9">${text}</tt:PlateNumber></tt:LicensePlateInfo>`;
  const [document] = documentsIn(notification(STANDARD, item('LicensePlateInfo', reported)));
  expect(document?.reads[0]).toMatchObject({ plate: null, score: 0, candidates: [] });
});

test('pictures by their first bytes, whatever they are wrapped in', () => {
  const data =
    item('LicensePlateInfo', info) +
    item('Image', '<x>/9j/AAAA</x>') +
    item('VehicleImage', '/9j/BBBB') +
    item('Other', '/9j/CCCC');
  expect(documentsIn(notification(STANDARD, data))[0]?.pictures).toEqual([
    { kind: 'vehicle', contentType: 'image/jpeg', base64: '/9j/BBBB' },
    { kind: 'plate', contentType: 'image/jpeg', base64: '/9j/AAAA' },
  ]);
});

test('an event that reports the present state is late, and a withdrawn event is ignored', () => {
  const data = item('LicensePlateInfo', info);
  const initialized = notification(STANDARD, data, 'PropertyOperation="Initialized"');
  expect(documentsIn(initialized)[0]?.reads[0]?.late).toBe(true);
  expect(documentsIn(notification(STANDARD, data, 'PropertyOperation="Deleted"'))).toEqual([]);
});

test("a device's clock is compared with itself, and its times are converted to ours", () => {
  const deviceTime = new Date('2034-01-01T00:00:20Z');
  const at = (utc: string) =>
    documentsIn(notification(STANDARD, item('LicensePlateInfo', info), '', utc), [], { deviceTime })[0]
      ?.reads[0];
  expect(at('2034-01-01T00:00:19Z')).toMatchObject({ late: false, capturedAt: '2026-11-21T09:59:59.000Z' });
  expect(at('2034-01-01T00:00:00Z')).toMatchObject({ late: true, capturedAt: '2026-11-21T09:59:40.000Z' });
});

test('the same event has the same key, another has another', () => {
  const text = notification(STANDARD, item('LicensePlateInfo', info));
  const [first, again] = [documentsIn(text), documentsIn(text)].map(([one]) => one?.reads[0]?.eventKey);
  expect(first).toBe(again);
  const later = documentsIn(text.replace('10:00:00Z', '10:00:01Z'))[0]?.reads[0]?.eventKey;
  expect(later).not.toBe(first);
});

test('the event of Axis that its maker prints', () => {
  const text = readFileSync(new URL('axis/onvif_event_ALPV.AllPlates_II04458.xml', CAMERAS), 'utf8');
  const deviceTime = new Date('2021-05-20T11:54:22Z');
  const [document] = documentsIn(text, ['axis'], { deviceTime });
  expect(document?.reads[0]).toMatchObject({
    plate: 'II04458',
    country: 'PT',
    direction: 'unknown',
    late: false,
    relatedKeys: [expect.stringContaining('1139066')],
  });
  expect(documentsIn(text)).toEqual([]);
  // Source: the events of CAMMRA AI, and ALPV.New in the License plate verifier API.
  const other = text
    .replace('ALPV.AllPlates', 'LPR')
    .replace('<tt:Data>', `<tt:Data>${simple('lpConfidence', '0.8568')}${simple('lpImage', '/9j/4AAQ')}`);
  const [sure] = documentsIn(other.replaceAll('v:SimpleItem', 'tt:SimpleItem'), ['axis'], { deviceTime });
  expect(sure?.reads[0]).toMatchObject({ plate: 'II04458', score: 0.8568 });
  expect(sure?.pictures).toMatchObject([{ kind: 'plate', base64: '/9j/4AAQ' }]);
  const followed = text.replace('Name="text"', 'Name="lpText"').replace('AllPlates', 'RealTime');
  expect(documentsIn(followed, ['axis'], { deviceTime })).toEqual([]);
});

// Source: what a DS-2CD4A26FWD sent, in home-assistant/core issue 156560 and in a Go client's test.
test('the event of a Hikvision camera', () => {
  const data =
    simple('PlateNumber', 'PP 7069') +
    simple('Likelihood', '71') +
    simple('Country', 'Netherlands') +
    simple('VehicleDirection', 'forward');
  for (const topic of ['tnshik:Vehicle', 'Vehicle']) {
    const text = notification(`tns1:RuleEngine/VehicleDetector/${topic}`, data);
    expect(documentsIn(text, ['hikvision'])[0]?.reads[0]).toMatchObject({
      plate: 'PP7069',
      score: 0.71,
      country: 'NL',
      direction: 'approaching',
    });
  }
  expect(plateTopics(PlateMapSchema.parse(['hikvision']))).toEqual([
    STANDARD,
    'tns1:RuleEngine/VehicleDetector//.',
  ]);
});

test('a map for another maker', () => {
  const map = {
    topic: 'tnsx:LPR/*',
    plate: 'PlateNumber',
    score: { item: 'Confidence', full: 100 },
    country: 'Country',
    direction: 'Dir',
  };
  const data = simple('platenumber', 'AB 123') + simple('Confidence', '87') + simple('Country', 'DEU');
  const [document] = documentsIn(notification('tnsx:LPR/Plate', data + simple('Dir', 'in')), [map]);
  expect(document?.reads[0]).toMatchObject({
    plate: 'AB123',
    score: 0.87,
    country: 'DE',
    direction: 'approaching',
  });
  expect(plateTopics(PlateMapSchema.parse([map, 'axis']))).toEqual([
    STANDARD,
    'tnsx:LPR//.',
    'tnsaxis:CameraApplicationPlatform//.',
  ]);
});

test('no event, however strange, crashes it, and none makes more than one read', () => {
  const anything = fc.array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom('Likelihood', 'Direction', 'text', 'carID', 'x'), fc.string())
        .map(([name, value]) => simple(name, value.replace(/[&<>"]/g, ''))),
      fc
        .tuple(fc.constantFrom('LicensePlateInfo', 'ObjectId', 'Image', 'VehicleInfo'), fc.string())
        .map(([name, text]) => item(name, `<y>${text.replace(/[&<>]/g, '')}</y>`)),
    ),
  );
  const topics = fc.constantFrom(STANDARD, 'tnsaxis:CameraApplicationPlatform/ALPV.AllPlates', 'x');
  fc.assert(
    fc.property(topics, anything, fc.string(), (topic, data, utc) => {
      const time = utc.replace(/[&<>"]/g, '');
      const documents = documentsIn(notification(topic, data.join(''), '', time), ['axis']);
      expect(documents.flatMap(({ reads }) => reads).length).toBeLessThanOrEqual(1);
    }),
  );
});
