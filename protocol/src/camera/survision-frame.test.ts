import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PlateRead, PlateReadSchema } from '../plate/plate-read.ts';
import { UNSTATED_SCORE } from './confidence.ts';
import { SURVISION } from './survision-frame.ts';

const JPEG = '/9j/4QDeRXhpZgAATU0AKg==';
const PNG = 'iVBORw0KGgoAAAANSUhEUg==';

function sample(name: string) {
  return JSON.parse(
    readFileSync(new URL(`../../../tests/fixtures/cameras/survision/${name}`, import.meta.url), 'utf8'),
  );
}

const pushed = () => sample('httppush_anpr_decision_MW818WM.trimmed.json').anpr;
const withDecision = (changes: object) => ({
  anpr: { ...pushed(), decision: { ...pushed().decision, ...changes } },
});

function parse(value: unknown) {
  const headers = { 'survision-serial-number': 'MP3-0042' };
  return SURVISION.parse(new TextEncoder().encode(JSON.stringify(value)), { headers });
}

function accepted(value: unknown) {
  const result = parse(value);
  if (!result.ok) throw new Error(result.refusal.message);
  for (const read of result.document.reads) PlateReadSchema.parse(read);
  return result.document;
}

function onlyRead(value: unknown): PlateRead {
  const { reads } = accepted(value);
  const [read] = reads;
  if (read === undefined || reads.length > 1) throw new Error(`${reads.length} reads`);
  return read;
}

function refusal(value: unknown): string {
  const result = parse(value);
  if (result.ok) throw new Error('was accepted');
  return `${result.refusal.reason}: ${result.refusal.message}`;
}

describe('decisions', () => {
  it('reads a captured push', () => {
    expect(accepted({ anpr: pushed() })).toEqual({
      kind: 'anpr',
      heartbeat: false,
      pictures: [],
      reads: [
        {
          plate: 'MW818WM',
          plateRaw: 'MW818WM',
          score: 0.98,
          country: 'FR',
          direction: 'unknown',
          capturedAt: '2024-10-17T23:04:50.098Z',
          eventKey: 'MP3-0042/1/1/2024-10-17T23:04:50.098Z',
          relatedKeys: [],
          candidates: [{ plate: 'MW818WM', score: 0.98 }],
          late: false,
          parked: false,
          box: { x: 728, y: 695, width: 222, height: 50 },
        },
      ],
    });
  });

  it('does without the serial number', () => {
    const body = new TextEncoder().encode(JSON.stringify({ anpr: pushed() }));
    const result = SURVISION.parse(body, { headers: {} });
    expect(result).toMatchObject({
      ok: true,
      document: { reads: [{ eventKey: '-/1/1/2024-10-17T23:04:50.098Z' }] },
    });
  });

  it('reads the result of a trigger', () => {
    const { async } = sample('sim_messages_openBarrier_triggers_streams.json');
    expect(accepted(async[0])).toMatchObject({
      kind: 'triggerResult',
      reads: [
        {
          plate: 'ABC123',
          score: 0.95,
          country: null,
          capturedAt: '2020-02-09T03:05:55.554Z',
          eventKey: 'MP3-0042/trigger/12345/2020-02-09T03:05:55.554Z',
        },
      ],
    });
  });

  it('reads every field of the schema, and does not believe its dummy reliability of 1234', () => {
    const { anpr } = sample('sim_anpr_decision_full_fields.json');
    expect(onlyRead({ anpr })).toMatchObject({
      plate: 'STRING',
      score: 0,
      direction: 'approaching',
      country: null,
    });
    const decision = { ...anpr.decision, '@reliability': '87.5', '@context_isoAlpha2': 'is' };
    expect(accepted({ anpr: { ...anpr, decision } })).toMatchObject({
      pictures: [],
      reads: [
        {
          plate: 'STRING',
          score: 0.875,
          country: 'IS',
          direction: 'approaching',
          capturedAt: '1970-01-02T10:17:36.789Z',
          eventKey: 'MP3-0042/1234/1234/1970-01-02T10:17:36.789Z',
        },
      ],
    });
  });

  it.each([
    ['front', 'approaching'],
    ['rear', 'leaving'],
    ['Back', 'leaving'],
    ['approaching', 'approaching'],
    ['unknown', 'unknown'],
    ['constructor', 'unknown'],
  ])('takes the end seen, %s, as %s', (end, direction) => {
    expect(onlyRead(withDecision({ '@direction': end })).direction).toBe(direction);
  });

  it.each(['', 'unknown', 'No Plate', null])('takes the plate %j for an unreadable one', (plate) => {
    expect(onlyRead(withDecision({ '@plate': plate }))).toMatchObject({
      plate: null,
      score: 0,
      candidates: [],
    });
  });

  it.each([
    [undefined, UNSTATED_SCORE],
    [98, 0.98],
    ['98%', 0.98],
    ['1234', 0],
  ])('takes the reliability %j for %d', (reliability, score) => {
    expect(onlyRead(withDecision({ '@reliability': reliability }))).toMatchObject({
      plate: 'MW818WM',
      score,
    });
  });

  it('takes the country by its three letters where there are no two', () => {
    const context = { '@context_isoAlpha2': undefined, '@context_isoAlpha3': 'ISL' };
    expect(onlyRead(withDecision(context)).country).toBe('IS');
  });

  it.each([
    ['F', 'FR'],
    ['D', 'DE'],
    ['SLO', 'SI'],
    ['IS', 'IS'],
    ['OTHERS', null],
  ])('takes the country by its sign %s where there is nothing else', (sign, country) => {
    const bare = { '@context_isoAlpha2': '', '@context_isoAlpha3': undefined, '@context': sign };
    expect(onlyRead(withDecision(bare)).country).toBe(country);
  });

  it('reads the XML of which the JSON is made, in an element of another name too', () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>
<s:anpr xmlns:s="urn:x" date="1729206290098" session="1" id="1"><s:decision plate="MW818WM" reliability="98"
x="728" y="695" width="222" height="50" direction="unknown" context_isoAlpha2="FR"><jpeg>${JPEG}</jpeg></s:decision></s:anpr>`;
    const headers = { 'survision-serial-number': 'MP3-0042' };
    for (const text of [xml, `<message>${xml.slice(xml.indexOf('<s:'))}</message>`]) {
      const result = SURVISION.parse(new TextEncoder().encode(text), { headers });
      expect(result).toMatchObject({
        ok: true,
        document: {
          reads: [onlyRead({ anpr: pushed() })],
          pictures: [{ kind: 'overview', contentType: 'image/jpeg', base64: JPEG }],
        },
      });
    }
    const infos = new TextEncoder().encode('<infos><sensor type="Micropak3"/></infos>');
    expect(SURVISION.parse(infos, { headers })).toMatchObject({ ok: true, document: { heartbeat: true } });
    const tattile = '<MESSAGE><PLATE_STRING>AB123</PLATE_STRING><DATE>2024-04-30</DATE></MESSAGE>';
    expect(SURVISION.parse(new TextEncoder().encode(tattile), { headers })).toMatchObject({ ok: false });
  });

  it('reads several messages, and several events in one', () => {
    const second = { ...pushed(), '@id': 2 };
    for (const document of [[{ anpr: pushed() }, { anpr: second }], { anpr: [pushed(), second] }]) {
      expect(accepted(document).reads.map(({ eventKey }) => eventKey)).toEqual([
        'MP3-0042/1/1/2024-10-17T23:04:50.098Z',
        'MP3-0042/1/2/2024-10-17T23:04:50.098Z',
      ]);
    }
  });

  it('takes a repeated decision as one read each', () => {
    const { decision } = pushed();
    const second = { ...decision, '@plate': 'AB 123' };
    const { reads } = accepted({ anpr: { ...pushed(), decision: [decision, second] } });
    expect(reads.map((read) => [read.plate, read.eventKey])).toEqual([
      ['MW818WM', 'MP3-0042/1/1/2024-10-17T23:04:50.098Z'],
      ['AB123', 'MP3-0042/1/1/2024-10-17T23:04:50.098Z#1'],
    ]);
  });
});

describe('pictures', () => {
  const overview = { kind: 'overview', contentType: 'image/jpeg', base64: JPEG };

  it.each([[JPEG], [{ '#text': JPEG }], [[JPEG]], [[{ '#text': JPEG }]]])(
    'takes a jpeg written %j',
    (jpeg) => {
      expect(accepted(withDecision({ jpeg })).pictures).toEqual([overview]);
    },
  );

  it('takes the context camera’s for the overview', () => {
    expect(accepted(withDecision({ jpeg: PNG, contextJpeg: { '#text': JPEG } })).pictures).toEqual([
      overview,
      { kind: 'vehicle', contentType: 'image/png', base64: PNG },
    ]);
  });
});

describe('other messages', () => {
  it.each(['new', 'end', 'speed', 'noPlate'])('takes %s alone for no read', (member) => {
    const { decision, ...event } = pushed();
    expect(accepted({ anpr: { ...event, [member]: { '@x': '1' } } })).toEqual({
      kind: 'anpr',
      heartbeat: false,
      reads: [],
      pictures: [],
    });
  });

  it.each([{ anpr: null }, { anpr: { decision: null } }, { triggerResult: { '@triggerId': '7' } }])(
    'finds no read in %j',
    (message) => {
      expect(accepted(message).reads).toEqual([]);
    },
  );

  it('takes each message of the simulator’s documentation as what it is, and a collection of them as none', () => {
    const collection = sample('sim_messages_openBarrier_triggers_streams.json');
    expect(refusal(collection)).toMatch(/^unknown-kind: /);
    const { answers, async, sync_requests: requests } = collection;
    for (const answer of answers) expect(accepted(answer)).toMatchObject({ heartbeat: true, reads: [] });
    expect(accepted(async[0]).reads).toHaveLength(1);
    // A request of ours is never sent by a camera.
    expect(refusal(requests[0])).toMatch(/^unknown-kind: /);
  });

  it.each(['1e300', '999999999999999'])('takes a decision whose date is %s as one of now', (date) => {
    const read = accepted({ anpr: { ...pushed(), '@date': date } }).reads[0];
    expect(read).toMatchObject({ plate: 'MW818WM', capturedAt: null });
  });

  it('takes infos for a sign of life', () => {
    expect(accepted(sample('sim_infos.json'))).toEqual({
      kind: 'infos',
      heartbeat: true,
      reads: [],
      pictures: [],
    });
  });

  it.each([
    [{ hello: 1 }, 'unknown-kind: neither anpr nor triggerResult nor anything else'],
    [7, 'unknown-kind: neither anpr'],
    [[], 'unknown-kind: there is no message'],
    [[[]], 'unknown-kind: neither anpr'],
    [withDecision({ '@plate': {} }), 'wrong-shape: anpr.0.decision.0.plate: '],
    [{ anpr: { decision: {} } }, 'wrong-shape: anpr.0.date: required to identify a decision'],
    [{ anpr: { ...pushed(), decision: 'x' } }, 'wrong-shape: anpr.0.decision.0: '],
  ])('refuses %j', (message, reason) => {
    expect(refusal(message).slice(0, reason.length)).toBe(reason);
  });
});
