import type { Visit } from '@hlid/protocol/records/visit';
import {
  type SiteEventBody,
  SiteEventBodySchema,
  type StoredRead,
} from '@hlid/protocol/site-link/site-event';
import { expect, it } from 'vitest';
import { testRead } from '../../test/site.ts';
import { withoutPlate } from './without-plate.ts';

const PLATE = 'QXZ77';
const AT = '2026-11-21T08:00:00.000Z';
const ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2420';

const VISIT: Visit = {
  id: ID,
  plate: PLATE,
  status: 'completed',
  paymentStatus: null,
  startedAt: AT,
  endedAt: AT,
  createdAt: AT,
  price: null,
  unitsMet: 0,
  paidMinor: 0,
  paidUntil: null,
  flags: [],
  entryLaneId: 'in-1',
  exitLaneId: null,
  entryReadId: ID,
  exitReadId: null,
  exitFoundBy: null,
  permitId: null,
  quota: null,
};
const READ: StoredRead = {
  ...testRead(PLATE, { plateRaw: 'QX-Z77', eventKey: 'dev/1/QX-Z77', relatedKeys: ['g1'] }),
  id: ID,
  cameraId: 'c1',
  laneId: 'in-1',
  receivedAt: AT,
  standing: 'counts',
  passageId: null,
};
const visitEvent = (visit: Visit, reason: string): SiteEventBody => ({
  type: 'visit.ended',
  visit,
  step: { from: 'new', to: 'completed', reason, by: 'account:1', at: AT },
  feedAt: 3,
});

it.each<[string, SiteEventBody]>([
  ['a visit', visitEvent(VISIT, 'permit')],
  ['what a person wrote', visitEvent({ ...VISIT, plate: 'OTHER1' }, 'was QXZ77 before')],
  ['what a person wrote otherwise', visitEvent({ ...VISIT, plate: 'OTHER1' }, 'was qxz-77 before')],
  [
    'why a person opened a gate',
    {
      type: 'gate.moved',
      movementId: ID,
      laneId: 'in-1',
      action: 'pulse',
      outcome: 'done',
      by: 'account:1',
      reason: 'QX Z77 has lost his ticket',
      passageId: null,
      tookMs: 3,
    },
  ],
  ['a read', { type: 'read.stored', read: READ }],
  [
    'a guess',
    {
      type: 'read.stored',
      read: { ...READ, plate: 'OXZ77', plateRaw: 'OXZ77', eventKey: 'k', relatedKeys: [] },
    },
  ],
  [
    'a decision',
    {
      type: 'passage.decided',
      passageId: ID,
      laneId: 'in-1',
      direction: 'entry',
      plate: PLATE,
      visitId: ID,
      feedAt: 3,
      read: READ,
      alerts: [],
      decision: {
        open: true,
        reason: 'welcome',
        visit: { kind: 'start', status: 'new', lostExitOf: null },
        settlement: null,
        flags: [],
      },
    },
  ],
  ['an alert', { type: 'lane.alert', laneId: 'in-1', alert: 'tailgating', plate: PLATE, passageId: ID }],
])('takes the plate out of %s, and leaves an event that the cloud can read', (_, body) => {
  const without = withoutPlate(body, PLATE);
  expect(JSON.stringify(without)).not.toMatch(/QX[- ]?Z77/i);
  expect(SiteEventBodySchema.parse(without)).toEqual(without);
  expect(Object.keys(without ?? {})).toEqual(Object.keys(body));
});

it('keeps of a guess what else it may be', () => {
  const candidates = [
    { plate: 'OXZ77', score: 0.9 },
    { plate: PLATE, score: 0.5 },
  ];
  const read = { ...READ, plate: 'OXZ77', candidates };
  expect(withoutPlate({ type: 'read.stored', read }, PLATE)).toEqual({
    type: 'read.stored',
    read: { ...read, candidates: [{ plate: 'OXZ77', score: 0.9 }] },
  });
});

it('has nothing to do with other plates, and with events that have none', () => {
  expect(withoutPlate(visitEvent({ ...VISIT, plate: 'QXZ777' }, 'AQXZ77'), PLATE)).toBeNull();
  expect(withoutPlate({ type: 'read.stored', read: { ...READ, candidates: [] } }, 'QXZ7')).toBeNull();
  const moved = { type: 'gate.moved', movementId: ID, laneId: 'in-1', action: 'pulse' } as const;
  const how = { outcome: 'done', by: 'lane:in-1', reason: 'permit', passageId: null, tookMs: 3 } as const;
  expect(withoutPlate({ ...moved, ...how }, PLATE)).toBeNull();
});
