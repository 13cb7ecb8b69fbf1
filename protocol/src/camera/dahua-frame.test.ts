import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PlateRead, PlateReadSchema } from '../plate/plate-read.ts';
import { UNSTATED_SCORE } from './confidence.ts';
import { DAHUA } from './dahua-frame.ts';

const JPEG = '/9j/4QDeRXhpZgAATU0AKg==';

const sample = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/fixtures/cameras/dahua/${name}`, import.meta.url), 'utf8'));
const { Picture } = sample('itsapi_TollgateInfo_reduced.json');
const withPlate = (changes: object) => ({ Picture: { ...Picture, Plate: { ...Picture.Plate, ...changes } } });
const withSnap = (changes: object) => ({
  Picture: { ...Picture, SnapInfo: { ...Picture.SnapInfo, ...changes } },
});

function parse(value: unknown, timeZone?: string) {
  return DAHUA.parse(new TextEncoder().encode(JSON.stringify(value)), {
    headers: {},
    ...(timeZone !== undefined && { timeZone }),
  });
}

const parseText = (text: string) => DAHUA.parse(new TextEncoder().encode(text), { headers: {} });

function accepted(value: unknown, timeZone?: string) {
  const result = parse(value, timeZone);
  if (!result.ok) throw new Error(result.refusal.message);
  for (const read of result.document.reads) PlateReadSchema.parse(read);
  return result.document;
}

function onlyRead(value: unknown, timeZone?: string): PlateRead {
  const [read, ...more] = accepted(value, timeZone).reads;
  if (read === undefined || more.length > 0) throw new Error('not one read');
  return read;
}

function refusal(value: unknown): string {
  const result = parse(value);
  if (result.ok) throw new Error('was accepted');
  return `${result.refusal.reason}: ${result.refusal.message}`;
}

describe('TollgateInfo', () => {
  it('reads the example', () => {
    expect(accepted({ Picture })).toEqual({
      kind: 'TollgateInfo',
      heartbeat: false,
      pictures: [],
      reads: [
        {
          plate: 'ABC1234',
          plateRaw: 'ABC1234',
          score: 0.9,
          country: null,
          direction: 'approaching',
          capturedAt: '2026-02-10T09:30:45.000Z',
          eventKey: 'camera_01/-/2026-02-10 09:30:45/ABC1234',
          relatedKeys: [],
          candidates: [{ plate: 'ABC1234', score: 0.9 }],
          late: false,
          parked: false,
        },
      ],
    });
  });

  it.each([
    [90, 0.9],
    ['90', 0.9],
    [0.9, 0.9],
    [255, 1],
    [204, 0.8],
    [100, 1],
    [undefined, UNSTATED_SCORE],
    [300, 0],
    ['much', 0],
  ])('takes the confidence %j for %d', (Confidence, score) => {
    expect(onlyRead(withPlate({ Confidence })).score).toBe(score);
  });

  it.each([
    ['Obverse', 'approaching'],
    ['Reverse', 'leaving'],
    ['approach', 'approaching'],
    ['Unknow', 'unknown'],
    [undefined, 'unknown'],
  ])('takes the direction %j for %s', (Direction, direction) => {
    expect(onlyRead(withSnap({ Direction })).direction).toBe(direction);
  });

  it.each([
    { PlateNumber: '' },
    { PlateNumber: 'Unknown' },
    { PlateNumber: undefined },
    { PlateNumber: 'ABC1234', IsExist: false },
  ])('takes %j for an unreadable plate', (changes) => {
    expect(onlyRead(withPlate(changes))).toMatchObject({ plate: null, score: 0 });
  });

  it('takes a vehicle without a plate block for an unreadable one', () => {
    expect(onlyRead({ Picture: { ...Picture, Plate: undefined } })).toMatchObject({ plate: null });
  });

  it('takes times by the wall clock of the site, with milliseconds or without', () => {
    const precise = withSnap({ AccurateTime: '2026-02-10 09:30:45.125', TimeZone: 22, DSTTune: 0 });
    expect(onlyRead(precise, 'America/Sao_Paulo').capturedAt).toBe('2026-02-10T12:30:45.125Z');
    expect(onlyRead(withSnap({ AccurateTime: undefined, SnapTime: '2026-02-10 09:30:45' })).capturedAt).toBe(
      '2026-02-10T09:30:45.000Z',
    );
  });

  it('takes the region, members in any case, and several vehicles', () => {
    expect(onlyRead(withPlate({ Region: 'ISL' })).country).toBe('IS');
    const { reads } = accepted([
      { picture: { plate: { platenumber: 'AB 123' }, snapInfo: Picture.SnapInfo } },
      { Picture },
      { Picture },
    ]);
    expect(reads.map(({ plate }) => plate)).toEqual(['AB123', 'ABC1234', 'ABC1234']);
    expect(new Set(reads.map(({ eventKey }) => eventKey)).size).toBe(3);
  });

  it('takes its pictures', () => {
    const pictures = {
      NormalPic: { Content: JPEG, PicName: 'a.jpg' },
      CutoutPic: { Content: JPEG },
      VehiclePic: { Content: '' },
    };
    expect(accepted({ Picture: { ...Picture, ...pictures } }).pictures).toEqual([
      { kind: 'overview', contentType: 'image/jpeg', base64: JPEG },
      { kind: 'plate', contentType: 'image/jpeg', base64: JPEG },
    ]);
  });
});

describe('events of its stream', () => {
  const event = {
    GroupID: 77,
    UTC: 1_770_716_445,
    UTCMS: 125,
    Object: { ObjectType: 'Plate', Text: 'AB123', Confidence: 204, ObjectID: 9 },
    TrafficCar: { PlateNumber: 'XX999', DrivingDirection: ['Approach', 'a', 'b'], Country: 'ISL' },
  };

  it('are read', () => {
    expect(onlyRead(event)).toMatchObject({
      plate: 'AB123',
      score: 0.8,
      country: 'IS',
      direction: 'approaching',
      capturedAt: '2026-02-10T09:40:45.125Z',
      eventKey: '-/77/2026-02-10T09:40:45.125Z',
    });
    expect(onlyRead({ Code: 'TrafficJunction', data: event }).plate).toBe('AB123');
    expect(onlyRead({ ...event, Object: { ObjectType: 'Vehicle', Text: 'Toyota' } }).plate).toBe('XX999');
  });

  it('say how sure they are of a plate, not of a vehicle', () => {
    const vehicle = { ObjectType: 'Vehicle', Confidence: 12 };
    expect(onlyRead({ ...event, Object: vehicle }).score).toBe(UNSTATED_SCORE);
    expect(onlyRead({ ...event, Object: { ...event.Object, Text: '' } })).toMatchObject({
      plate: 'XX999',
      score: 0.8,
    });
  });

  it('come with the plate in a member of its own, or with their moment beside a shifted one', () => {
    const { Object: _, TrafficCar: __, ...bare } = event;
    expect(onlyRead({ ...bare, Plate: { Text: 'AB 123', Confidence: 76 } })).toMatchObject({
      plate: 'AB123',
      score: 0.76,
    });
    const shifted = { ...event, UTC: event.UTC + 7 * 3600, RealUTC: event.UTC };
    expect(onlyRead(shifted)).toEqual(onlyRead(event));
  });

  // Sources: YutthapoomSa/dahua-api text.js 2fda273 (a session's notification, as captured); public receivers.
  it.each([
    ['a list of events', { Events: [event] }],
    [
      'a notification of a session',
      {
        id: 7,
        method: 'client.notifyEventStream',
        params: { SID: 1, eventList: [{ Code: 'TrafficJunction', Data: event }] },
      },
    ],
  ])('are read in %s', (_, message) => {
    expect(onlyRead(message)).toEqual(onlyRead(event));
  });

  it('are no reads if their kind is another one, alone or in a list', () => {
    const motion = { Code: 'VideoMotion', Action: 'Start', Data: { Id: [1] } };
    expect(accepted(motion)).toMatchObject({ kind: 'VideoMotion', heartbeat: false, reads: [] });
    expect(
      accepted({ params: { eventList: [motion, { Code: 'TrafficJunction', Data: event }] } }).reads,
    ).toHaveLength(1);
  });

  it('have their plate in what was seen, where there is no car', () => {
    const { TrafficCar: _, ...seen } = event;
    expect(onlyRead(seen).plate).toBe('AB123');
    const line = `Code=TrafficJunction;action=Pulse;index=0;data=${JSON.stringify(seen)}`;
    expect(parseText(line)).toMatchObject({ document: { reads: [{ plate: 'AB123' }] } });
  });

  it('come as text, and in parts beside their pictures', () => {
    const line = `Code=TrafficJunction;action=Pulse;index=0;data=${JSON.stringify(event, null, 2)}`;
    const flat = [
      'Events[0].EventBaseInfo.Code=TrafficJunction',
      'Events[0].GroupID=77',
      'Events[0].UTC=1770716445',
      'Events[0].UTCMS=125',
      'Events[0].TrafficCar.PlateNumber=AB123',
      'Events[0].TrafficCar.DrivingDirection[0]=Approach',
      'Events[0].__proto__.polluted=1',
    ].join('\r\n');
    const read = { plate: 'AB123', direction: 'approaching', capturedAt: '2026-02-10T09:40:45.125Z' };
    expect(parseText(line)).toMatchObject({ document: { reads: [read] } });
    expect(parseText(flat)).toMatchObject({ document: { reads: [read] } });
    // Source: a receiver's tests of `Events[1]` and `ReturnEvents[0]`.
    const second = flat.replaceAll('Events[0]', 'Events[1]').replace('AB123', 'Z A12345').replace('77', '78');
    const two = { document: { reads: [read, { plate: 'ZA12345' }] } };
    expect(parseText(`${flat}\r\n${second}`)).toMatchObject(two);
    expect(parseText(`${flat}\n${second}`.replace(/^Events/gm, 'ReturnEvents'))).toMatchObject(two);
    const many = Array.from({ length: 101 }, (_, at) => `Events[${at}].Code=x`).join('\n');
    expect(parseText(many)).toMatchObject({ ok: false, refusal: { message: 'more than 100 events' } });
    expect(parseText('Heartbeat\r\n')).toMatchObject({ document: { heartbeat: true, reads: [] } });
    expect(parseText('Code=VideoMotion;action=Start;index=0')).toMatchObject({
      document: { kind: 'VideoMotion', reads: [] },
    });
    const parts = [
      '--myboundary\r\nContent-Type: text/plain\r\nContent-Length:9\r\n\r\nHeartbeat\r\n',
      `--myboundary\r\nContent-Type: text/plain\r\nContent-Length:0\r\n\r\n${line}\r\n`,
      '--myboundary\r\nContent-Type: image/jpeg\r\n\r\n',
    ];
    const body = Buffer.concat([
      Buffer.from(parts.join('')),
      Buffer.from(JPEG, 'base64'),
      Buffer.from('\r\n--myboundary'),
    ]);
    const whole = DAHUA.parse(body, {
      headers: { 'content-type': 'multipart/x-mixed-replace; boundary=myboundary' },
    });
    expect(whole).toMatchObject({
      document: { heartbeat: true, reads: [read], pictures: [{ kind: 'overview', base64: JPEG }] },
    });
  });

  // Source: the tests of rroller/dahua for Home Assistant.
  it.each([
    [
      'a car that says its direction itself',
      { TrafficCar: { PlateNumber: 'XYZ-9988', Direction: 'Approach' } },
    ],
    ['a direction beside it', { Object: { ObjectType: 'Plate', Text: 'XYZ9988' }, Direction: 'Approach' }],
    ['a plate alone', { PlateNumber: 'XYZ9988', Direction: 'Approach' }],
  ])('are read with %s', (_, data) => {
    const line = `Code=TrafficSnapshot;action=Stop;index=0;data=${JSON.stringify({ ...data, UTC: 1770716445 })}`;
    expect(parseText(line)).toMatchObject({
      document: { reads: [{ plate: 'XYZ9988', direction: 'approaching', parked: false }] },
    });
  });

  // Source: a receiver of `snapManager.cgi` for a car park.
  it('are of a parked car if they are about a space', () => {
    const flat = [
      'Events[0].ParkingSpaceStatus=1',
      'Events[0].TrafficCar.PlateNumber=SLB1234C',
      'Events[0].TrafficCar.UTC=1770716445',
      'Events[0].TrafficCar.Event=TrafficParkingSpaceParking',
    ];
    const read = { plate: 'SLB1234C', capturedAt: '2026-02-10T09:40:45.000Z', parked: true };
    expect(parseText(flat.join('\r\n'))).toMatchObject({ document: { reads: [read] } });
    const left = `Code=TrafficParkingSpaceNoParking;action=Pulse;index=0;data=${JSON.stringify(event)}`;
    expect(parseText(left)).toMatchObject({ document: { reads: [{ plate: 'AB123', parked: true }] } });
    expect(parseText('Code=VideoMotion;action=Start;index=0;data={"PlateNumber":"AB123"}')).toMatchObject({
      document: { kind: 'VideoMotion', reads: [] },
    });
  });

  it('need a time', () => {
    expect(refusal({ ...event, UTC: 'now' })).toBe('wrong-shape: UTC: expected seconds since 1970');
  });
});

describe('what stands around a message', () => {
  it.each([
    ['its own name', { TollgateInfo: { Picture } }],
    ['nothing, not even the name of the picture', Picture],
    ['a name of its time', withSnap({ AccurateTime: undefined, Timestamp: Picture.SnapInfo.AccurateTime })],
    ['a direction in a list', withSnap({ Direction: ['Obverse', 'Lane 1'] })],
  ])('is %s: read all the same', (_, message) => {
    expect(onlyRead(message)).toEqual(onlyRead({ Picture }));
  });

  it('is XML in some installations', () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>
<TollgateInfo xmlns="urn:x"><Picture><Plate><PlateNumber>ABC1234</PlateNumber><Confidence>90</Confidence></Plate>
<SnapInfo><AccurateTime>2026-02-10 09:30:45</AccurateTime><DeviceID>camera_01</DeviceID>
<Direction>Obverse</Direction></SnapInfo></Picture></TollgateInfo>`;
    expect(parseText(xml)).toMatchObject({ ok: true, document: { reads: [onlyRead({ Picture })] } });
    const alive = parseText('<KeepAlive><Active>true</Active></KeepAlive>');
    expect(alive).toMatchObject({ ok: true, document: { heartbeat: true, reads: [] } });
    expect(parseText('<TollgateInfo/>')).toMatchObject({ ok: false });
  });
});

describe('several at once', () => {
  const other = { ...Picture.Plate, PlateNumber: 'ZZ999' };
  it.each([
    ['plates in one picture', { Picture: { ...Picture, Plate: [Picture.Plate, other] } }],
    ['pictures in one message', { Picture: [Picture, { ...Picture, Plate: other }] }],
  ])('%s are a read each', (_, message) => {
    const plates = accepted(message).reads.map(({ plate }) => plate);
    expect(plates).toEqual(['ABC1234', 'ZZ999']);
  });
});

describe('other messages', () => {
  it.each([
    [sample('itsapi_KeepAlive.json'), 'KeepAlive'],
    [{ Active: 'keepAlive', DeviceID: 'x' }, 'KeepAlive'],
    [{ DeviceName: 'ITC', DeviceModel: 'x', DeviceID: 'x' }, 'DeviceInfo'],
    [{ DeviceInfo: { DeviceID: 'x' } }, 'DeviceInfo'],
    [{ Manufacturer: 'Dahua', MACAddress: 'x', DeviceID: 'x' }, 'DeviceInfo'],
  ])('takes %j for a sign of life', (message, kind) => {
    expect(accepted(message)).toEqual({ kind, heartbeat: true, reads: [], pictures: [] });
  });

  it('finds no read in parking spaces and alarms', () => {
    expect(accepted({ Picture: { ParkingInfo: {}, Plate: { PlateNumber: 'AB123' } } }).reads).toEqual([]);
    expect(accepted({ AlarmInfo: { Type: 1 } })).toMatchObject({
      kind: 'AlarmInfo',
      heartbeat: false,
      reads: [],
    });
  });

  it.each([
    [{ hello: 1 }, 'unknown-kind: neither Picture'],
    [[], 'unknown-kind: there is no message'],
    [7, 'unknown-kind: neither Picture'],
    [{ Plate: { Colour: 'White' } }, 'unknown-kind: neither Picture'],
    [{ Picture: null }, 'wrong-shape: picture: '],
    [{ Picture: { Plate: { PlateNumber: 'unknown' } } }, 'wrong-shape: Picture.SnapInfo.AccurateTime'],
    [{ TrafficCar: {} }, 'wrong-shape: UTC: required to identify the event'],
    [withPlate({ PlateNumber: { a: 1 } }), 'wrong-shape: picture.plate.platenumber: '],
  ])('refuses %.40j', (value, reason) => {
    expect(refusal(value).slice(0, reason.length)).toBe(reason);
  });
});
