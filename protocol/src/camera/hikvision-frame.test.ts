import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PlateReadSchema } from '../plate/plate-read.ts';
import { UNSTATED_SCORE } from './confidence.ts';
import { HIKVISION } from './hikvision-frame.ts';

const sample = (name: string) =>
  readFileSync(new URL(`../../../tests/fixtures/cameras/hikvision/${name}`, import.meta.url), 'utf8');
const ZAGREB = sample('anpr_HR_ZG6140G.xml');
const JIANGSU = sample('anpr_isapi_ns_entrance_A8HK52.xml');
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0x0d, 0x0a, 0x2d, 0x2d, 0x62, 0xff, 0xd9);

function parse(body: string | Uint8Array, contentType?: string, timeZone?: string) {
  return HIKVISION.parse(typeof body === 'string' ? new TextEncoder().encode(body) : body, {
    headers: { 'content-type': contentType },
    ...(timeZone !== undefined && { timeZone }),
  });
}

function accepted(body: string | Uint8Array, contentType?: string, timeZone?: string) {
  const result = parse(body, contentType, timeZone);
  if (!result.ok) throw new Error(result.refusal.message);
  for (const read of result.document.reads) PlateReadSchema.parse(read);
  return result.document;
}

function refusal(body: string | Uint8Array, contentType?: string): string {
  const result = parse(body, contentType);
  if (result.ok) throw new Error('was accepted');
  return `${result.refusal.reason}: ${result.refusal.message}`;
}

const onlyRead = (xml: string, timeZone?: string) => accepted(xml, undefined, timeZone).reads[0];

/** The sample with an element's text replaced, or the whole element. */
const withElement = (name: string, instead: string) => {
  const changed = ZAGREB.replace(new RegExp(`<${name}>[^<]*</${name}>`), instead);
  if (changed === ZAGREB) throw new Error(`the sample has no ${name}`);
  return changed;
};
const withText = (name: string, text: string) => withElement(name, `<${name}>${text}</${name}>`);

interface Part {
  head: string;
  content: string | Uint8Array;
}

function multipart(parts: readonly Part[], options: { eol?: string; boundary?: string; end?: string } = {}) {
  const { eol = '\r\n', boundary = 'boundary', end = `--${boundary}--${eol}` } = options;
  return Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${boundary}${eol}${head}${eol}${eol}`),
      Buffer.from(content),
      Buffer.from(eol),
    ]),
    Buffer.from(end),
  ]);
}

const XML_PART = {
  head: 'Content-Disposition: form-data; name="anpr.xml"; filename="anpr.xml"\r\nContent-Type: text/xml; charset="UTF-8"\r\nContent-Length: 0',
  content: ZAGREB,
};
const picturePart = (name: string, type = 'image/pjpeg', content: Uint8Array = JPEG) => ({
  head: `Content-Disposition: form-data; name="${name}"; filename="${name}"\r\nContent-Type: ${type}`,
  content,
});
const FORM = 'multipart/form-data; boundary=boundary';

describe('alerts', () => {
  it('reads a captured alert', () => {
    expect(accepted(ZAGREB)).toEqual({
      kind: 'ANPR',
      heartbeat: false,
      pictures: [],
      reads: [
        {
          plate: 'ZG6140G',
          plateRaw: 'ZG6140G',
          score: 1,
          country: 'HR',
          direction: 'approaching',
          cameraZone: '1',
          capturedAt: '2023-11-02T20:10:32.000Z',
          eventKey: '2023110221103259100tVVeTdMnhzKm8',
          relatedKeys: [],
          candidates: [{ plate: 'ZG6140G', score: 1 }],
          late: false,
          parked: false,
          box: { x: 448, y: 406, width: 117, height: 40 },
        },
      ],
    });
  });

  it('reads a Chinese plate without the colour before it', () => {
    expect(onlyRead(JIANGSU)).toMatchObject({
      plate: '苏A8HK52',
      plateRaw: '蓝苏A8HK52',
      score: 0.78,
      country: 'CN',
      direction: 'leaving',
      capturedAt: '2034-01-04T07:57:03.000Z',
    });
    expect(onlyRead(withText('licensePlate', '黄绿京A12345'))?.plate).toBe('京A12345');
    expect(onlyRead(withText('licensePlate', '黑A12345'))?.plate).toBe('黑A12345');
  });

  it.each([
    ['http://www.hikvision.com/ver20/XMLSchema', ''],
    ['http://www.hikvision.com/ver10/XMLSchema', ''],
    ['http://www.isapi.org/ver20/XMLSchema', 'ns0:'],
    ['http://www.std-cgi.com/ver10/XMLSchema', 'std:'],
  ])('takes elements under %s, prefix %j', (uri, prefix) => {
    const xml = ZAGREB.replace(
      /xmlns="[^"]*"/,
      prefix === '' ? `xmlns="${uri}"` : `xmlns:${prefix.slice(0, -1)}="${uri}"`,
    ).replace(/<(\/?)(?=[A-Za-z])/g, `<$1${prefix}`);
    expect(onlyRead(xml)).toEqual(onlyRead(ZAGREB));
    expect(onlyRead(ZAGREB.replace(/ xmlns="[^"]*"/, ''))).toEqual(onlyRead(ZAGREB));
  });

  it.each([
    ['licensePlate', 'licencePlate'],
    ['licensePlate', 'lisencePlate'],
    ['licensePlate', 'licensePalte'],
    ['licensePlate', 'LicensePlate'],
    ['licensePlate', 'plateNumber'],
    ['confidenceLevel', 'confidenceLevle'],
    ['direction', 'drection'],
    ['dateTime', 'datetime'],
  ])('understands %s misspelt as %s', (name, instead) => {
    const xml = ZAGREB.replaceAll(`${name}>`, `${instead}>`);
    expect(onlyRead(xml)).toEqual(onlyRead(ZAGREB));
  });

  it('does without what is optional, and takes padded text, CDATA and a byte order mark', () => {
    const bare = `\uFEFF<EventNotificationAlert><eventType> ANPR </eventType><dateTime>2026-11-21T08:30:00Z</dateTime>
      <ANPR><licensePlate><![CDATA[ AB-X 12 ]]></licensePlate></ANPR></EventNotificationAlert>`;
    expect(onlyRead(bare)).toMatchObject({
      plate: 'ABX12',
      score: UNSTATED_SCORE,
      country: null,
      direction: 'unknown',
      eventKey: '-/-/2026-11-21T08:30:00Z/AB-X 12',
    });
  });

  // Sources: receivers' tests on GitHub of alerts that gateways and simulators send.
  it.each([
    ['beside the alert’s own members', ZAGREB.replace(/<\/?ANPR>/g, '')],
    [
      'with the time among them',
      ZAGREB.replace(/(<dateTime>.*<\/dateTime>)([\s\S]*?<ANPR>)/, (_, time, rest) => `${rest}${time}`),
    ],
  ])('finds the members of ANPR %s', (_, xml) => {
    expect(xml).not.toBe(ZAGREB);
    expect(onlyRead(xml)).toEqual(onlyRead(ZAGREB));
  });

  it('bears a name that is not escaped, empty lines before, zeros behind, and follows no entity', () => {
    const named = ZAGREB.replace('>Entrance<', '>In & Out &boom;<');
    expect(onlyRead(`\r\n\r\n${named}\n\0\0`)).toEqual(onlyRead(ZAGREB));
    expect(onlyRead(withText('licensePlate', 'AB&amp;12&boom;3'))?.plateRaw).toBe('AB&12&boom;3');
  });

  it.each([
    ['97.5', 0.975],
    ['0', 0],
    ['0.97', 0.97],
    ['', UNSTATED_SCORE],
    ['high', 0],
    ['400', 0],
  ])('takes confidence %j for %d', (text, score) => {
    expect(onlyRead(withText('confidenceLevel', text))?.score).toBe(score);
  });

  it.each(['unknown', 'Unknow', 'No Plate', 'NOPLATE', 'Unrecognised', '-', '', '无车牌'])(
    'takes the plate %j for an unreadable one',
    (plate) => {
      expect(onlyRead(withText('licensePlate', plate))).toMatchObject({ plate: null, score: 0 });
    },
  );

  it.each([
    ['40', 'IS'],
    ['64', 'TH'],
    ['80', 'JP'],
    ['56', null],
    ['ISL', 'IS'],
    ['Poland', 'PL'],
    ['Czech Republic', 'CZ'],
    ['0', null],
    ['255', null],
    ['unknown', null],
  ])('takes country %j for %j', (text, country) => {
    expect(onlyRead(withText('country', text))?.country).toBe(country);
  });

  it.each([
    ['isDataRetransmission', 'true'],
    ['isDataRetransmission', '1'],
    ['alarmDataType', '1'],
  ])('knows old news by %s %s', (name, text) => {
    expect(onlyRead(withText(name, text))).toEqual({ ...onlyRead(ZAGREB), late: true });
  });

  it('reports the original of a corrected plate as a candidate', () => {
    expect(onlyRead(withText('originalLicensePlate', 'ZG614OG'))?.candidates).toEqual([
      { plate: 'ZG6140G', score: 1 },
      { plate: 'ZG614OG', score: 1 },
    ]);
  });

  it('takes times without an offset by the wall clock of the site', () => {
    const xml = withText('dateTime', '2023-07-02T21:10:32');
    expect(onlyRead(xml)?.capturedAt).toBe('2023-07-02T21:10:32.000Z');
    expect(onlyRead(xml, 'Europe/Zagreb')?.capturedAt).toBe('2023-07-02T19:10:32.000Z');
    expect(onlyRead(withText('dateTime', 'yesterday'))?.capturedAt).toBe(null);
  });

  it.each([
    ['20231102T211032+0100', '2023-11-02T20:10:32.000Z'],
    ['20231102T211032-300', '2023-11-03T00:10:32.000Z'],
    ['2023-11-2 9:05:07+01:00', '2023-11-02T08:05:07.000Z'],
    ['2023-11-02T21:10:32+25:00', null],
    ['2023-11-31T21:10:32Z', null],
  ])('takes the time %s for %s', (text, moment) => {
    expect(onlyRead(withText('dateTime', text))?.capturedAt).toBe(moment);
  });

  it('makes a read of each vehicle of an alert, with keys of their own', () => {
    const second = ZAGREB.match(/<ANPR>[\s\S]*<\/ANPR>/)?.[0].replaceAll('ZG6140G', 'ZG7000A') ?? '';
    const { reads } = accepted(ZAGREB.replace('</ANPR>', `</ANPR>${second}`));
    expect(reads.map(({ plate, eventKey }) => [plate, eventKey])).toEqual([
      ['ZG6140G', '2023110221103259100tVVeTdMnhzKm8'],
      ['ZG7000A', '2023110221103259100tVVeTdMnhzKm8#1'],
    ]);
  });
});

describe('multipart bodies', () => {
  const body = [
    XML_PART,
    picturePart('licensePlatePicture.jpg'),
    picturePart('detectionPicture.jpg', 'application/octet-stream'),
  ];
  const pictures = [
    { kind: 'plate', contentType: 'image/jpeg', base64: Buffer.from(JPEG).toString('base64') },
    { kind: 'overview', contentType: 'image/jpeg', base64: Buffer.from(JPEG).toString('base64') },
  ];

  it('reads the alert, and recognises the pictures by their names and first bytes', () => {
    const document = accepted(multipart(body), FORM);
    expect(document.reads).toEqual(accepted(ZAGREB).reads);
    expect(document.pictures).toEqual(pictures);
  });

  it.each([
    ['a quoted boundary', multipart(body), 'multipart/form-data; charset=utf-8; boundary="boundary"'],
    [
      'a boundary with its dashes',
      multipart(body, { boundary: '---xyz' }),
      'multipart/form-data; boundary=-----xyz',
    ],
    ['another boundary than was said', multipart(body, { boundary: '-------7e1' }), FORM],
    ['no boundary said', multipart(body), 'multipart/form-data'],
    ['no content type at all', multipart(body), undefined],
    ['a vague content type', multipart(body), 'application/octet-stream'],
    ['line feeds alone', multipart(body, { eol: '\n' }), FORM],
    ['no last boundary', multipart(body, { end: '' }), FORM],
    [
      'a last boundary with junk behind',
      multipart(body, { end: '--boundary--\r\n\0\0--boundary\r\n' }),
      FORM,
    ],
    ['empty lines before', Buffer.concat([Buffer.from('\r\n\r\n'), multipart(body)]), FORM],
    ['the mixed kind', multipart(body), 'multipart/mixed; boundary=boundary'],
    [
      'the head of its request in front',
      Buffer.concat([
        Buffer.from('POST /x HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=boundary\r\n\r\n'),
        multipart(body),
      ]),
      undefined,
    ],
  ])('takes %s', (_, bytes, contentType) => {
    const document = accepted(bytes, contentType);
    expect(document.reads).toEqual(accepted(ZAGREB).reads);
    expect(document.pictures).toEqual(pictures);
  });

  it.each([
    ['no headers', '\r\n'],
    ['not even the empty line behind them', ''],
  ])('reads a part that has %s', (_, head) => {
    const part = Buffer.from(`--b\r\n${head}${ZAGREB}\r\n--b--\r\n`);
    for (const contentType of [undefined, 'multipart/form-data; boundary=b']) {
      expect(accepted(part, contentType).reads).toEqual(accepted(ZAGREB).reads);
    }
    const picture = Buffer.concat([Buffer.from(`--b\r\n${head}`), JPEG, Buffer.from('\r\n'), part]);
    expect(accepted(picture).reads).toEqual(accepted(ZAGREB).reads);
    expect(accepted(picture).pictures).toHaveLength(1);
  });

  it('takes names without quotes, a name alone, a file name alone', () => {
    const parts = [
      { head: 'content-disposition:form-data;name=anpr.xml', content: ZAGREB },
      { head: 'CONTENT-DISPOSITION: attachment; filename=licensePlatePicture.jpg', content: JPEG },
      { head: 'Content-Disposition: form-data; name=detectionPicture', content: JPEG },
    ];
    const document = accepted(multipart(parts), FORM);
    expect(document.reads).toHaveLength(1);
    expect(document.pictures).toEqual(pictures);
  });

  it('drops empty pictures, what is no picture, and people', () => {
    const parts = [
      XML_PART,
      picturePart('licensePlatePicture.jpg', 'image/pjpeg', new Uint8Array()),
      picturePart('vehiclePicture.jpg', 'image/jpeg', new TextEncoder().encode('no picture')),
      picturePart('pilotPicture.jpg'),
    ];
    expect(accepted(multipart(parts), FORM).pictures).toEqual([]);
  });

  it('drops a picture that breaks off with the body', () => {
    const whole = multipart(body, { end: '' });
    expect(accepted(whole.subarray(0, -4), FORM).pictures).toHaveLength(1);
  });

  it('takes several alerts in one body', () => {
    const second = ZAGREB.replaceAll('ZG6140G', 'ZG7000A').replace('MnhzKm8</UUID>', 'other</UUID>');
    const beat = {
      head: 'Content-Type: application/xml',
      content: sample('alertstream_keepalive_videoloss.xml'),
    };
    const parts = [beat, XML_PART, { head: 'Content-Type: application/xml', content: second }];
    const document = accepted(multipart(parts), 'multipart/mixed; boundary=boundary');
    expect(document.reads.map(({ plate }) => plate)).toEqual(['ZG6140G', 'ZG7000A']);
  });
});

describe('bytes that are not the UTF-8 that is declared', () => {
  it('cost nothing in a name', () => {
    const xml = ZAGREB.replace('<ANPR>', '<channelName>Süd</channelName><ANPR>');
    expect(accepted(Buffer.from(xml, 'latin1')).reads[0]?.plate).toBe('ZG6140G');
  });

  it('make a plate one that could not be read', () => {
    const xml = Buffer.from(withText('licensePlate', 'ZÐ123'), 'latin1');
    expect(accepted(xml).reads[0]).toMatchObject({ plate: null, score: 0 });
  });

  it('are found out where UTF-16 is declared', () => {
    expect(onlyRead(ZAGREB.replace(/encoding="[^"]*"/, 'encoding="utf-16"'))?.plate).toBe('ZG6140G');
  });
});

describe('other alerts', () => {
  it('takes an idle videoloss, and a heart beat, for a sign of life', () => {
    const beat = sample('alertstream_keepalive_videoloss.xml');
    expect(accepted(beat)).toEqual({
      kind: 'videoloss',
      heartbeat: true,
      sentAt: '2023-11-02T20:10:40.000Z',
      reads: [],
      pictures: [],
    });
    expect(accepted(beat.replace('videoloss<', 'heartBeat<')).heartbeat).toBe(true);
    expect(accepted(beat.replace('inactive', 'active'))).toMatchObject({ heartbeat: false, reads: [] });
  });

  it('finds no read in motion', () => {
    const motion = ZAGREB.replace(/<ANPR>[\s\S]*<\/ANPR>/, '').replace('<eventType>ANPR', '<eventType>VMD');
    expect(accepted(motion)).toMatchObject({ kind: 'VMD', heartbeat: false, reads: [] });
  });

  it.each([
    ['<ResponseStatus/>', 'unknown-kind: the XML is "ResponseStatus", not an EventNotificationAlert'],
    ['', 'malformed: the body is empty'],
    ['{"a":1}', 'unknown-kind: the JSON has neither an eventType nor an ANPR'],
    ['[]', 'unknown-kind: the JSON has neither'],
    ['{"eventType":', 'malformed: the JSON is cut off'],
    [ZAGREB.slice(0, 900), 'malformed: the body is not XML: '],
    [ZAGREB.replace('<ANPR>', '<ANPR>\u0001'), 'malformed: the body is not XML: '],
    [
      `<!DOCTYPE a [<!ENTITY b "c">]>${ZAGREB.replace(/^<\?.*\?>/, '')}`,
      'malformed: the body is not XML: a document type',
    ],
    [ZAGREB.replace(/<ANPR>[\s\S]*<\/ANPR>/, ''), 'wrong-shape: ANPR: the alert has none'],
    ['<EventNotificationAlert/>', 'wrong-shape: neither an eventType nor an ANPR'],
    [withText('licensePlate', 'A'.repeat(100)), 'wrong-shape: ANPR.licensePlate: '],
    [
      '<EventNotificationAlert><ANPR><licensePlate>unknown</licensePlate></ANPR></EventNotificationAlert>',
      'wrong-shape: UUID or dateTime: one is required',
    ],
    ['<a>'.repeat(100_000), 'malformed: the XML is longer than'],
    ['<a>'.repeat(1000), 'malformed: the body is not XML: nested deeper than 50'],
    [`<a>${'<b/>'.repeat(4000)}</a>`, 'malformed: the body is not XML: more than 3000 elements'],
  ])('refuses %.60j', (xml, reason) => {
    expect(refusal(xml).slice(0, reason.length)).toBe(reason);
  });

  it.each([
    ['bare', (alert: object) => alert],
    ['under its name', (alert: object) => ({ EventNotificationAlert: alert })],
    ['in a list', (alert: object) => [alert]],
  ])('reads an alert in JSON, %s', (_, wrap) => {
    const alert = {
      ipAddress: '10.0.0.4',
      channelID: 1,
      dateTime: '2026-11-21T08:30:00+01:00',
      eventType: 'ANPR',
      uuid: 'capture-1',
      ANPR: { licensePlate: 'AB-X 12', confidenceLevel: 97, direction: 'reverse', country: 39 },
    };
    const usual = {
      plate: 'ABX12',
      score: 0.97,
      direction: 'leaving',
      country: 'IE',
      eventKey: 'capture-1',
      late: false,
      capturedAt: '2026-11-21T07:30:00.000Z',
    };
    const json = JSON.stringify(wrap(alert));
    expect(onlyRead(json)).toMatchObject(usual);
    const part = ['Content-Type: application/json', json].join('\r\n\r\n');
    expect(accepted(`--xYzZy\r\n${part}\r\n--xYzZy--\r\n`, FORM).reads).toMatchObject([usual]);
  });

  it('takes an alert whose sender only says that it is in parts', () => {
    expect(accepted(ZAGREB, FORM)).toEqual(accepted(ZAGREB));
  });

  it('refuses multipart without an alert', () => {
    expect(refusal(multipart([picturePart('detectionPicture.jpg')]), FORM)).toBe(
      'unknown-kind: none of the parts is XML or JSON',
    );
    expect(refusal('nothing of the kind', FORM)).toBe('malformed: the body has no part between boundaries');
    expect(refusal(multipart(Array.from({ length: 70 }, () => XML_PART)), FORM)).toBe(
      'malformed: more than 64 parts',
    );
  });
});
