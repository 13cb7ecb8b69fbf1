import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PlateRead, PlateReadSchema } from '../plate/plate-read.ts';
import { UNSTATED_SCORE } from './confidence.ts';
import { OPEN_ALPR } from './open-alpr-frame.ts';

const JPEG = '/9j/4AAQSkZJRgABAQ==';
const AGENT = '3QWN7ANABCV4EKZZLYKOSWKNAGGVW5IFQ5UAYYF6-237528343';
const SCOUT = '63PHH1MHEXF9U245NFI66RGPUXTQEREKAJI7K44Y-177622';

function sample(name: string): Record<string, unknown> {
  return JSON.parse(
    readFileSync(new URL(`../../../tests/fixtures/cameras/open-alpr/${name}`, import.meta.url), 'utf8'),
  );
}

const agentGroup = () => sample('milestone_alpr_group1.json');
const scoutGroup = () => sample('scout_testpost_alpr_group.trimmed.json');
const cliResults = () => sample('oss_cli_alpr_results_YZ88658.json');

function parse(value: unknown) {
  return OPEN_ALPR.parse(new TextEncoder().encode(JSON.stringify(value)), { headers: {} });
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

describe('groups', () => {
  it('reads an agent 2.5 group', () => {
    expect(accepted(agentGroup())).toEqual({
      kind: 'alpr_group',
      heartbeat: false,
      pictures: [],
      summary: true,
      reads: [
        {
          plate: '2BH375',
          plateRaw: '2BH375',
          score: 0.9497000122070313,
          country: 'US',
          direction: 'unknown',
          cameraZone: '237528343',
          capturedAt: '2018-01-04T15:40:49.867Z',
          eventKey: `${AGENT}-1515080450621#group`,
          relatedKeys: [
            `${AGENT}-1515080449867`,
            `${AGENT}-1515080449905`,
            `${AGENT}-1515080450621`,
            `${AGENT}-1515080451132`,
            `${AGENT}-1515080451205`,
          ],
          candidates: [{ plate: '2BH375', score: 0.9497000122070313 }],
          late: true,
          parked: false,
        },
      ],
    });
  });

  it('reads the vendor documentation’s group, whose best frame is none of its uuids', () => {
    const masked = 'YYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYYY-1234';
    const { reads, pictures } = accepted(sample('doc_alpr_group_v2.7.101.json'));
    expect(pictures).toEqual([]);
    expect(reads).toEqual([
      {
        plate: 'D2651BF',
        plateRaw: 'D2651BF',
        score: 93.877067565918 / 100,
        country: 'US',
        direction: 'unknown',
        cameraZone: '1234',
        capturedAt: '2019-07-09T14:05:21.504Z',
        eventKey: `${masked}-1562681122676#group`,
        relatedKeys: [
          `${masked}-1562681121543`,
          `${masked}-1562681121504`,
          `${masked}-1562681121576`,
          `${masked}-1562681122676`,
        ],
        candidates: [
          { plate: 'D2651BF', score: 93.877067565918 / 100 },
          { plate: 'D2651F', score: 74.8114395141602 / 100 },
          { plate: 'D265BF', score: 73.527099609375 / 100 },
        ],
        late: true,
        parked: false,
      },
    ]);
  });

  it('reads an agent 4.1 group', () => {
    const read = onlyRead(scoutGroup());
    expect(read).toMatchObject({
      plate: '19462SH',
      score: 93.25465393 / 100,
      country: 'US',
      capturedAt: '2021-10-17T13:05:47.845Z',
      eventKey: `${SCOUT}-1627675927855#group`,
      candidates: [{ plate: '19462SH', score: 93.25465393 / 100 }],
      late: true,
      parked: false,
    });
    expect(read.relatedKeys).toHaveLength(18);
    expect(read.relatedKeys).toContain(`${SCOUT}-1627675927855`);
  });

  it('reads a version 1 group, which knows no agent, country, indexes or candidates', () => {
    const { agent_uid, agent_version, country, plate_indexes, candidates, ...rest } = agentGroup();
    const read = onlyRead({ ...rest, version: 1, site_id: 'test-site', best_region: undefined });
    expect(read).toMatchObject({
      plate: '2BH375',
      country: null,
      eventKey: `${AGENT}-1515080450621#group`,
      candidates: [{ plate: '2BH375', score: 0.9497000122070313 }],
    });
    expect(read.relatedKeys).toHaveLength(5);
  });

  it('takes a preview as news, under a key of its own, related to the final group', () => {
    const preview = onlyRead({ ...scoutGroup(), is_preview: true });
    expect(preview).toMatchObject({ late: false, eventKey: `${SCOUT}-1627675927855#preview` });
    expect(preview.relatedKeys).toEqual(onlyRead(scoutGroup()).relatedKeys);
  });

  it('distinguishes two cars in one frame', () => {
    const second = onlyRead({ ...agentGroup(), plate_indexes: [0, 1, 1, 1, 0] });
    expect(second.eventKey).toBe(`${AGENT}-1515080450621#1#group`);
    expect(second.relatedKeys).toEqual([
      `${AGENT}-1515080449867`,
      `${AGENT}-1515080449905#1`,
      `${AGENT}-1515080450621#1`,
      `${AGENT}-1515080451132#1`,
      `${AGENT}-1515080451205`,
    ]);
  });

  it('says that a vehicle stands still', () => {
    expect(onlyRead({ ...agentGroup(), is_parked: true }).parked).toBe(true);
  });

  it('puts candidates in order and counts none twice', () => {
    const candidates = [
      { plate: '2BH-375', confidence: 90 },
      { plate: '28H375', confidence: 96 },
      { plate: 'unknown', confidence: 99 },
    ];
    expect(onlyRead({ ...agentGroup(), candidates }).candidates).toEqual([
      { plate: '28H375', score: 0.96 },
      { plate: '2BH375', score: 0.9497000122070313 },
    ]);
  });

  it('keeps the plate among any number of better candidates', () => {
    const candidates = Array.from({ length: 500 }, (_, index) => ({ plate: `X${index}`, confidence: 99 }));
    const read = onlyRead({ ...agentGroup(), candidates });
    expect(read.candidates).toHaveLength(21);
    expect(read.candidates.at(-1)?.plate).toBe('2BH375');
  });

  it('gives the plate’s own text as it came', () => {
    expect(onlyRead({ ...agentGroup(), best_plate_number: 'ab-123' })).toMatchObject({
      plate: 'AB123',
      plateRaw: 'ab-123',
    });
    expect(onlyRead({ ...agentGroup(), best_plate_number: '' })).toMatchObject({ plate: null, score: 0 });
  });

  it('takes pictures, and no words in their place', () => {
    const group = { ...scoutGroup(), overview_jpeg: JPEG, best_plate: { plate_crop_jpeg: JPEG } };
    expect(accepted(group).pictures).toEqual([
      { kind: 'overview', contentType: 'image/jpeg', base64: JPEG },
      { kind: 'plate', contentType: 'image/jpeg', base64: JPEG },
    ]);
  });

  it.each([
    ['us', 'ma', 'US'],
    ['us', 'us-ma', 'US'],
    ['eu', 'eu-is', 'IS'],
    ['eu', 'is', 'IS'],
    ['eu', '', null],
    ['eu', undefined, null],
    ['gb', '', 'GB'],
    ['br2', 'br-mercosur', 'BR'],
    ['br2', null, 'BR'],
    ['auwide', undefined, 'AU'],
    [undefined, 'ma', null],
    [undefined, 'us-ma', 'US'],
    ['world', 'x', null],
  ])('of country %s and region %s makes %s', (country, best_region, expected) => {
    const { best_plate, ...rest } = agentGroup();
    expect(onlyRead({ ...rest, country, best_region }).country).toBe(expected);
  });
});

describe('other documents', () => {
  it('reads what the open-source program prints', () => {
    expect(accepted(cliResults())).toEqual({
      kind: 'alpr_results',
      heartbeat: false,
      pictures: [],
      reads: [
        {
          plate: 'YZ88658',
          plateRaw: 'YZ88658',
          score: 85.818779 / 100,
          country: null,
          direction: 'unknown',
          capturedAt: '2021-12-03T21:26:50.336Z',
          eventKey: '2021-12-03T21:26:50.336Z/-/0/YZ88658',
          relatedKeys: [],
          candidates: [
            { plate: 'YZ88658', score: 85.818779 / 100 },
            { plate: 'Y288658', score: 85.352005 / 100 },
            { plate: 'YZ8B658', score: 83.173759 / 100 },
            { plate: 'Y28B658', score: 82.706985 / 100 },
            { plate: 'YZ8865B', score: 78.087212 / 100 },
          ],
          late: false,
          parked: false,
          box: { x: 680, y: 342, width: 125, height: 58 },
        },
      ],
    });
  });

  it('reads each vehicle of an agent’s frame, under the keys by which its group will name it', () => {
    const best = Object(agentGroup()['best_plate']);
    const uuid = `${AGENT}-1515080449905`;
    const results = [
      { ...best, plate_crop_jpeg: JPEG },
      { ...best, plate: 'AB123', plate_index: 1, region: 'eu-is' },
    ];
    const { reads, pictures } = accepted({ ...cliResults(), uuid, camera_id: 237528343, results });
    expect(reads.map((read) => [read.plate, read.eventKey, read.country, read.late])).toEqual([
      ['2BH375', uuid, null, false],
      ['AB123', `${uuid}#1`, 'IS', false],
    ]);
    expect(pictures).toEqual([{ kind: 'plate', contentType: 'image/jpeg', base64: JPEG }]);
    expect(onlyRead(agentGroup()).relatedKeys).toContain(uuid);
  });

  it('reads a frame without a plate as nothing', () => {
    expect(accepted({ ...cliResults(), results: [] }).reads).toEqual([]);
  });

  it.each(['alpr_alert', null, undefined])('reads the group inside %s as the group itself', (data_type) => {
    const alert = { data_type, version: 1, epoch_time: 1634475951000, plate_number: '19462SH' };
    const { kind, reads } = accepted({ ...alert, group: scoutGroup() });
    expect(kind).toBe(data_type ?? 'alpr_group');
    expect(reads).toEqual([onlyRead(scoutGroup())]);
  });

  it('reads a vehicle without a plate', () => {
    expect(accepted(sample('scout_testpost_vehicle.trimmed.json'))).toEqual({
      kind: 'vehicle',
      heartbeat: false,
      pictures: [],
      reads: [
        {
          plate: null,
          plateRaw: '',
          score: 0,
          country: null,
          direction: 'unknown',
          cameraZone: '1000',
          capturedAt: '2021-10-20T21:06:33.249Z',
          eventKey: `${SCOUT}-1627675927855#vehicle`,
          relatedKeys: [`${SCOUT}-1627675927855#vehicle`],
          candidates: [],
          late: false,
          parked: false,
        },
      ],
    });
  });

  it.each([
    ['milestone_heartbeat.json', 1515073916369],
    ['doc_heartbeat_v2.7.101.json', 1562681904008],
  ])('hears the heartbeat %s', (name, timestamp) => {
    const sentAt = new Date(timestamp).toISOString();
    expect(accepted(sample(name))).toEqual({
      kind: 'heartbeat',
      heartbeat: true,
      sentAt,
      reads: [],
      pictures: [],
    });
    expect(accepted({ data_type: 'heartbeat' })).toEqual({
      kind: 'heartbeat',
      heartbeat: true,
      reads: [],
      pictures: [],
    });
  });

  it('takes the test stub', () => {
    for (const openalpr_webhook of ['test', 'Test webhook']) {
      expect(accepted({ openalpr_webhook })).toMatchObject({ heartbeat: false, reads: [] });
    }
  });
});

describe('wrong documents', () => {
  it.each([
    [[], 'unknown-kind: there is no message'],
    [[[]], 'wrong-shape: the document: must be an object'],
    [null, 'wrong-shape: the document: must be an object'],
    [{}, 'unknown-kind: no data_type: not a document of OpenALPR'],
    [{ openalpr_webhook: 'live' }, 'unknown-kind: no data_type: not a document of OpenALPR'],
    [{ data_type: 'alpr_dance' }, 'unknown-kind: data_type "alpr_dance" is not known'],
    [{ data_type: 7 }, 'unknown-kind: no data_type: not a document of OpenALPR'],
    [{ data_type: 'alpr_alert' }, 'wrong-shape: group: is required'],
    [{ group: 'x' }, 'wrong-shape: group: must be an object'],
  ])('refuses %j', (value, message) => {
    expect(refusal(value)).toBe(message);
  });

  it.each([
    ['best_uuid', ''],
    ['epoch_start', 1e300],
    ['epoch_start', -1],
    ['epoch_start', 'soon'],
    ['uuids', 7],
    ['plate_indexes', [-1]],
    ['candidates', [{ plate: {} }]],
    ['is_parked', {}],
    ['overview_jpeg', 1],
  ])('takes the plate of a group whose %s is %j, and says so', (field, value) => {
    const result = parse({ ...agentGroup(), [field]: value });
    const whole = parse(agentGroup());
    const platesOf = ({ ok, ...parsed }: typeof result) =>
      'document' in parsed ? parsed.document.reads.map(({ plate, score }) => [ok, plate, score]) : [];
    expect(platesOf(result)).toEqual(platesOf(whole));
    expect(result.ok && result.document.faults).toEqual([
      expect.stringMatching(new RegExp(`^${field}\\b.*left out$`)),
    ]);
  });

  it('scores a confidence that is no number 0, so that it opens nothing', () => {
    const result = parse({ ...agentGroup(), best_confidence: {} });
    expect(result.ok && result.document.reads[0]?.score).toBe(0);
  });

  it.each([
    ['best_plate_number', 'X'.repeat(65)],
    ['best_plate', []],
  ])('refuses a group whose %s is %j, and says so', (field, value) => {
    expect(refusal({ ...agentGroup(), [field]: value })).toMatch(new RegExp(`^wrong-shape: ${field}\\b`));
  });

  it('refuses a frame full of plates', () => {
    const results = Array.from({ length: 101 }, () => ({ plate: 'AB123', confidence: 90 }));
    expect(refusal({ ...cliResults(), results })).toMatch(/^wrong-shape: results: /);
  });

  it('says where in an alert the fault is', () => {
    const group = { ...agentGroup(), best_plate: 'soon' };
    expect(refusal({ data_type: 'alpr_alert', group })).toMatch(/^wrong-shape: group\.best_plate: /);
  });

  it('distinguishes a group without a uuid from others by its agent, camera and time', () => {
    expect(refusal({ data_type: 'vehicle' })).toMatch(/^wrong-shape: best_uuid/);
    const { agent_uid: agent, camera_id: camera } = agentGroup();
    const { eventKey, capturedAt, plateRaw } = onlyRead({ ...agentGroup(), best_uuid: undefined });
    expect(eventKey).toBe(`${agent}/${camera}/${capturedAt}/${plateRaw}#group`);
  });
});

describe('documents of other hands', () => {
  const group = { ...agentGroup(), best_confidence: 93.5, epoch_start: 1515080449867 };
  it.each([
    ['texts for numbers', { best_confidence: '93.5', epoch_start: '1515080449867' }],
    ['0 and 1 for no and yes', { is_parked: 0, is_preview: 0 }],
    ['microseconds', { epoch_start: 1515080449867000 }],
    ['a fraction of 1', { best_confidence: 0.935 }],
  ])('are read with %s', (_, other) => {
    const { score, ...read } = onlyRead({ ...group, ...other });
    const { score: usual, ...usually } = onlyRead(group);
    expect(score).toBeCloseTo(usual, 10);
    expect({ ...read, candidates: [] }).toEqual({ ...usually, candidates: [] });
  });

  it('are read as an array, and as results without a name', () => {
    const two = [group, { ...group, best_uuid: 'another', uuids: [] }];
    expect(accepted(two).reads.map(({ plate }) => plate)).toEqual(
      [group, group].map((one) => onlyRead(one).plate),
    );
    const { data_type: _, ...results } = cliResults();
    expect(accepted(results)).toEqual(accepted(cliResults()));
  });

  it.each([
    [undefined, UNSTATED_SCORE],
    [-1, 0],
    [255, 0],
  ])('take the confidence %j for %d', (best_confidence, score) => {
    expect(onlyRead({ ...group, best_confidence }).score).toBe(score);
  });

  it('have the plate of their best frame if there is no vote', () => {
    const best_plate = { plate: 'AB 123', confidence: 81.5 };
    const unvoted = { ...group, best_plate_number: undefined, best_confidence: undefined, best_plate };
    expect(onlyRead(unvoted)).toMatchObject({ plate: 'AB123', score: 0.815 });
    expect(onlyRead({ ...unvoted, best_plate_number: '' })).toMatchObject({ plate: null, score: 0 });
  });

  it('are read with a single member where a list should be, and a data_type in capitals', () => {
    const [candidate] = [{ plate: 'AB123', confidence: 90 }];
    const single = { data_type: 'ALPR_GROUP', candidates: candidate, uuids: 'one', plate_indexes: 0 };
    const lists = { candidates: [candidate], uuids: ['one'], plate_indexes: [0] };
    expect(accepted({ ...group, ...single })).toEqual(accepted({ ...group, ...lists }));
    const { results, ...frame } = cliResults();
    const [plate] = Array.isArray(results) ? results : [];
    expect(accepted({ ...frame, results: plate })).toEqual(accepted({ ...frame, results: [plate] }));
  });

  it.each([
    ['eu', 'eu-is', 'IS'],
    ['eu', 'eu', null],
    ['eu', '', null],
    ['zz', '', null],
    ['us', 'ma', 'US'],
    ['gb', '', 'GB'],
  ])('of the plates of %s, found in %j, are from %s', (country, best_region, from) => {
    expect(onlyRead({ ...group, country, best_region }).country).toBe(from);
  });

  it('have candidates that open nothing where they do not say how likely they are', () => {
    const candidates = [{ plate: 'ZZ999' }];
    expect(onlyRead({ ...group, candidates }).candidates.at(-1)).toEqual({ plate: 'ZZ999', score: 0 });
  });

  it('takes a confidence a hair above 100', () => {
    expect(onlyRead({ ...agentGroup(), best_confidence: 100.00000762939453 }).score).toBe(1);
  });
});
