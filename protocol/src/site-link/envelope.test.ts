import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { PlateRead } from '../plate/plate-read.ts';
import { CameraSettingsSchema, SiteSettingsSchema } from '../records/lane.ts';
import type { Visit, VisitStep } from '../records/visit.ts';
import type { Permit } from '../records/whitelist.ts';
import type { Product } from '../tariff/product.ts';
import { SnapshotLineSchema } from './edge-api.ts';
import {
  ChangeBatchSchema,
  EventAckSchema,
  EventBatchSchema,
  FeedAckSchema,
  FeedHeadSchema,
  MAX_BATCH_EVENTS,
  PresenceSchema,
} from './envelope.ts';
import type {
  QuotaItem,
  SettlementItem,
  SiteChange,
  SiteChangeBody,
  SiteItem,
  VehicleItem,
} from './site-change.ts';
import type { SiteEvent, SiteEventBody } from './site-event.ts';

const AT = '2026-11-21T08:30:00.000Z';
const EPOCH = '0199a000-0000-7000-8000-000000000001';
const ID = '0199a000-0000-7000-8000-000000000002';
const MARK = '5c0ffee01dc0ffee';
const HASH = '0123456789abcdef0123456789abcdef';

const visit: Visit = {
  id: ID,
  plate: 'ÞÆ123',
  status: 'need-payment',
  paymentStatus: null,
  startedAt: AT,
  endedAt: null,
  createdAt: AT,
  price: {
    amountMinor: 500,
    currency: 'ISK',
    lines: [
      { rule: 'unit', units: 2, amountMinor: 1000 },
      { rule: 'units-met', units: -1, amountMinor: -500 },
    ],
    product: { id: 'product-1', version: 3 },
    pricedAt: AT,
  },
  unitsMet: 1,
  paidMinor: 0,
  paidUntil: AT,
  flags: ['lost-exit', 'uncertain-plate'],
  entryLaneId: 'in-1',
  exitLaneId: null,
  entryReadId: ID,
  exitReadId: null,
  exitFoundBy: 'near',
  permitId: null,
  quota: null,
};

const step: VisitStep = { from: null, to: 'new', reason: 'welcome', by: 'lane:in-1', at: AT };

const read: PlateRead = {
  plate: 'ÞÆ123',
  plateRaw: ' þæ-123 ',
  score: 0.93,
  country: 'IS',
  direction: 'approaching',
  capturedAt: AT,
  eventKey: 'group-1',
  relatedKeys: ['read-1', 'read-2'],
  candidates: [{ plate: 'ÞÆ123', score: 0.93 }],
  late: false,
  parked: false,
};

const BODIES: SiteEventBody[] = [
  { type: 'visit.opened', visit, step, feedAt: 0 },
  { type: 'visit.updated', visit, step: null, feedAt: 7 },
  { type: 'visit.ended', visit: { ...visit, endedAt: AT, status: 'completed' }, step, feedAt: 7 },
  {
    type: 'read.stored',
    read: {
      ...read,
      id: ID,
      cameraId: 'cam-1',
      laneId: 'in-1',
      receivedAt: AT,
      standing: 'late',
      passageId: null,
    },
  },
  {
    type: 'passage.decided',
    passageId: ID,
    laneId: 'out-1',
    direction: 'exit',
    plate: null,
    decision: {
      open: true,
      reason: 'paid',
      visit: { kind: 'end', visitId: ID, settled: true },
      settlement: 'kiosk',
      flags: ['uncertain-plate'],
    },
    visitId: ID,
    feedAt: 7,
    read: {
      ...read,
      id: ID,
      cameraId: 'cam-2',
      laneId: 'out-1',
      receivedAt: AT,
      standing: 'counts',
      passageId: ID,
    },
    alerts: ['tailgating', 'blocklist-lookalike'],
  },
  {
    type: 'gate.moved',
    movementId: ID,
    laneId: 'out-1',
    action: 'pulse',
    outcome: 'unknown',
    by: 'lane:out-1',
    reason: 'paid',
    passageId: ID,
    tookMs: 12.5,
  },
  { type: 'lane.alert', laneId: 'in-1', alert: 'tailgating', plate: 'ÞÆ123', passageId: null },
  {
    type: 'device.changed',
    deviceId: 'cam-1',
    kind: 'camera',
    state: 'clock-off',
    detail: '61 s behind',
    since: AT,
  },
];

const site: SiteItem = {
  name: 'Höfnin',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
  settings: SiteSettingsSchema.parse({}),
};

const permit: Permit = {
  id: 'permit-1',
  plate: 'ÞÆ123',
  effect: 'allow',
  type: 'time',
  visitId: null,
  activeFrom: AT,
  expireAt: null,
  status: 'active',
  rules: [{ weekdays: [1, 7], from: '22:00', to: '05:59' }],
};

const product: Product = {
  id: 'product-1',
  type: 'default',
  priceMinor: 500,
  currency: 'ISK',
  vatRate: 24,
  vehicleCategory: 'light',
  category: null,
  name: { is: 'Stæði', en: 'Parking' },
  productCode: 'P1',
  config: { startTime: '00:00', endTime: '23:59' },
  version: 3,
};

const zone = { id: 'zone-1', name: 'Norður', capacity: null };
const camera = {
  id: 'camera-1',
  remoteId: 'cam-1',
  settings: CameraSettingsSchema.parse({ filters: ['NO*'] }),
};

const vehicle: VehicleItem = {
  plate: 'AB123',
  category: 'heavy',
  custody: [{ customerId: 'customer-1', billing: 'monthly', from: AT, until: null }],
};
const quota: QuotaItem = {
  id: 'quota-1',
  customerId: 'customer-1',
  vehicleCategory: 'light',
  total: 10,
  used: 3,
};

const settlement: SettlementItem = {
  id: ID,
  visitId: ID,
  paymentStatus: 'kiosk',
  amountMinor: 500,
  currency: 'ISK',
  units: 1,
  settledAt: AT,
  by: 'account:1',
};

const CHANGES: SiteChangeBody[] = [
  { kind: 'site', op: 'put', id: 'site', item: site },
  { kind: 'permit', op: 'put', id: 'permit-1', item: permit },
  { kind: 'permit', op: 'remove', id: 'permit-1' },
  { kind: 'product', op: 'put', id: 'product-1', item: product },
  { kind: 'product', op: 'remove', id: 'product-1' },
  { kind: 'zone', op: 'put', id: 'zone-1', item: zone },
  { kind: 'zone', op: 'remove', id: 'zone-1' },
  { kind: 'camera', op: 'put', id: 'camera-1', item: camera },
  { kind: 'camera', op: 'remove', id: 'camera-1' },
  { kind: 'vehicle', op: 'put', id: 'AB123', item: vehicle },
  { kind: 'vehicle', op: 'remove', id: 'AB123' },
  { kind: 'quota', op: 'put', id: 'quota-1', item: quota },
  { kind: 'quota', op: 'remove', id: 'quota-1' },
  { kind: 'settlement', op: 'put', id: ID, item: settlement },
  { kind: 'visit', op: 'put', id: ID, item: { visit, reason: 'by hand', by: 'account:1', at: AT } },
  {
    kind: 'visit-edit',
    op: 'put',
    id: ID,
    item: { id: ID, visitId: ID, plate: 'ÞÆ124', endedAt: null, reason: 'misread', by: 'account:1', at: AT },
  },
];

const eventOf = (seq: number, body: SiteEventBody): SiteEvent => ({ seq, at: AT, body });
const eventBatch = (events: SiteEvent[]) => ({ v: 1, epoch: EPOCH, events });
const changes: SiteChange[] = CHANGES.map((change, index) => ({ n: index + 1, mark: MARK, change }));
const head = { v: 1, n: CHANGES.length, hash: HASH };
const online = {
  v: 1,
  online: true,
  epoch: EPOCH,
  seq: 9,
  acknowledged: 8,
  feedAt: 7,
  feedMark: MARK,
  software: 'hlid-edge/0.2.0',
  at: AT,
};

const throughJson = (schema: z.ZodType, message: unknown) =>
  schema.parse(JSON.parse(JSON.stringify(message)));
const fits = (schema: z.ZodType, message: unknown) => schema.safeParse(message).success;

describe('every message between site and cloud', () => {
  it('is the same after a journey through JSON: a full batch of events of every type', () => {
    const types = new Set(BODIES.map((body) => body.type));
    expect(types.size).toBe(BODIES.length);
    const bodies = Array.from({ length: Math.ceil(MAX_BATCH_EVENTS / BODIES.length) }, () => BODIES).flat();
    const events = bodies.slice(0, MAX_BATCH_EVENTS).map((body, index) => eventOf(index + 1, body));
    const batch = eventBatch(events);
    expect(batch.events).toHaveLength(MAX_BATCH_EVENTS);
    expect(throughJson(EventBatchSchema, batch)).toEqual(batch);
  });

  it('is the same after a journey through JSON: changes of every kind', () => {
    const batch = { v: 1, changes, head };
    expect(throughJson(ChangeBatchSchema, batch)).toEqual(batch);
    expect(throughJson(ChangeBatchSchema, { ...batch, changes: [] })).toEqual({ ...batch, changes: [] });
  });

  it.each([
    ['an acknowledgement of events', EventAckSchema, { v: 1, epoch: EPOCH, committed: 0 }],
    ['a head of the feed', FeedHeadSchema, head],
    ['an acknowledgement of changes', FeedAckSchema, head],
    ['a presence', PresenceSchema, online],
    ['a last will', PresenceSchema, { v: 1, online: false }],
  ])('is the same after a journey through JSON: %s', (_, schema, message) => {
    expect(throughJson(schema, message)).toEqual(message);
  });

  it.each([
    ['head', { kind: 'head', v: 1, n: 0, hash: HASH }],
    ['site', { kind: 'site', id: 'site', item: site }],
    ['permit', { kind: 'permit', id: 'permit-1', item: permit }],
    ['product', { kind: 'product', id: 'product-1', item: product }],
    ['zone', { kind: 'zone', id: 'zone-1', item: zone }],
    ['camera', { kind: 'camera', id: 'camera-1', item: camera }],
    ['vehicle', { kind: 'vehicle', id: 'AB123', item: vehicle }],
    ['quota', { kind: 'quota', id: 'quota-1', item: quota }],
    ['settlement', { kind: 'settlement', id: ID, item: settlement }],
    ['end', { kind: 'end', lines: 8 }],
  ])('is the same after a journey through JSON: a snapshot’s line %s', (_, line) => {
    expect(throughJson(SnapshotLineSchema, line)).toEqual(line);
  });

  it('is refused in a version that never was, and read in a later one', () => {
    const [body] = BODIES;
    const events = body ? [eventOf(1, body)] : [];
    expect(fits(EventBatchSchema, eventBatch(events))).toBe(true);
    expect(fits(EventBatchSchema, { ...eventBatch(events), v: 0 })).toBe(false);
    expect(fits(ChangeBatchSchema, { v: '1', changes: [], head })).toBe(false);
    expect(fits(PresenceSchema, { ...online, v: 0 })).toBe(false);
    expect(fits(PresenceSchema, { ...online, v: 3 })).toBe(true);
    expect(fits(SnapshotLineSchema, { kind: 'head', v: 2, n: 0, hash: HASH })).toBe(true);
  });
});

describe('a batch of events', () => {
  const [body = { type: 'lane.alert', laneId: '', alert: 'tailgating', plate: null, passageId: null }] =
    BODIES;
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => eventOf(index + 1, body));

  it('has at least one event and no more than its bound', () => {
    expect(fits(EventBatchSchema, eventBatch([]))).toBe(false);
    expect(fits(EventBatchSchema, eventBatch(numbered(MAX_BATCH_EVENTS)))).toBe(true);
    expect(fits(EventBatchSchema, eventBatch(numbered(MAX_BATCH_EVENTS + 1)))).toBe(false);
  });

  it.each([
    ['an event before the first', { seq: 0, at: AT, body }],
    ['half an event', { seq: 1.5, at: AT, body }],
    ['another form of time', { seq: 1, at: '2026-11-21T08:30:00Z', body }],
    ['an unknown type', { seq: 1, at: AT, body: { ...body, type: 'visit.forgotten' } }],
    ['a field that nobody knows', { seq: 1, at: AT, body, more: true }],
    [
      'a visit without its flags',
      { seq: 1, at: AT, body: { ...body, visit: { ...visit, flags: undefined } } },
    ],
    ['a price that is no whole number', { seq: 1, at: AT, body: { ...body, visit: withAmount(0.5) } }],
    ['a due below zero', { seq: 1, at: AT, body: { ...body, visit: withAmount(-1) } }],
  ])('is refused with %s', (_, event) => {
    expect(fits(EventBatchSchema, { v: 1, epoch: EPOCH, events: [event] })).toBe(false);
  });
});

describe('a batch of changes', () => {
  it.each([
    ['a site that is removed', { kind: 'site', op: 'remove', id: 'site' }],
    ['a permit that lacks its item', { kind: 'permit', op: 'put', id: 'permit-1' }],
    ['an item of another kind', { kind: 'permit', op: 'put', id: 'permit-1', item: zone }],
    ['an unknown kind', { kind: 'tariff', op: 'put', id: 'tariff-1', item: {} }],
    ['an empty id', { kind: 'permit', op: 'remove', id: '' }],
  ])('is refused with %s', (_, change) => {
    expect(fits(ChangeBatchSchema, { v: 1, changes: [{ n: 1, change }], head })).toBe(false);
  });

  it.each(['', HASH.slice(1), HASH.toUpperCase(), `${HASH}0`])('is refused with the hash %j', (hash) => {
    expect(fits(FeedHeadSchema, { v: 1, n: 1, hash })).toBe(false);
  });
});

function withAmount(amountMinor: number) {
  return { ...visit, price: { ...visit.price, amountMinor } };
}
