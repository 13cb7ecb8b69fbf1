import { randomUUID } from 'node:crypto';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Visit, VisitStep } from '@hlid/protocol/records/visit';
import { EMPTY_HASH } from '@hlid/protocol/site-link/content-hash';
import { type EventBatch, PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import type { SiteEvent, SiteEventBody } from '@hlid/protocol/site-link/site-event';

/** Events as a site sends them, for tests. */

const START = Date.parse('2026-11-21T08:00:00.000Z');

export function eventAt(seq: number, body: SiteEventBody): SiteEvent {
  return { seq, at: utcTime(START + seq * 1000), body };
}

export function batchText(epoch: string, events: readonly unknown[]): string {
  return JSON.stringify({ v: PROTOCOL_VERSION, epoch, events } satisfies {
    [Key in keyof EventBatch]: unknown;
  });
}

export function sampleVisit(fields: Partial<Visit> = {}): Visit {
  return {
    id: randomUUID(),
    plate: 'ABX12',
    status: 'new',
    paymentStatus: null,
    startedAt: utcTime(START),
    endedAt: null,
    createdAt: utcTime(START),
    price: null,
    unitsMet: 0,
    paidMinor: 0,
    paidUntil: null,
    flags: [],
    entryLaneId: 'in-1',
    exitLaneId: null,
    entryReadId: null,
    exitReadId: null,
    exitFoundBy: null,
    permitId: null,
    quota: null,
    ...fields,
  };
}

export function visitEvent(
  type: 'visit.opened' | 'visit.updated' | 'visit.ended',
  visit: Visit,
  { step = null, feedAt = 0 }: { step?: VisitStep | null; feedAt?: number } = {},
): SiteEventBody {
  return { type, visit, step, feedAt };
}

export function sampleStep(fields: Partial<VisitStep> = {}): VisitStep {
  return { from: null, to: 'new', reason: 'welcome', by: 'lane:in-1', at: utcTime(START), ...fields };
}

export function readEvent(
  fields: Partial<Extract<SiteEventBody, { type: 'read.stored' }>['read']> = {},
): Extract<SiteEventBody, { type: 'read.stored' }> {
  return {
    type: 'read.stored',
    read: {
      id: randomUUID(),
      cameraId: 'cam-in-1',
      laneId: 'in-1',
      plate: 'ABX12',
      plateRaw: 'ABX12',
      score: 0.93,
      country: 'IS',
      direction: 'approaching',
      capturedAt: utcTime(START),
      receivedAt: utcTime(START + 200),
      eventKey: EMPTY_HASH,
      relatedKeys: [],
      candidates: [{ plate: 'ABX12', score: 0.93 }],
      late: false,
      parked: false,
      standing: 'counts',
      passageId: randomUUID(),
      ...fields,
    },
  };
}

/** The event of a lane's decision about a passage. */
export function passageEvent(
  fields: Partial<Extract<SiteEventBody, { type: 'passage.decided' }>> = {},
): Extract<SiteEventBody, { type: 'passage.decided' }> {
  return {
    type: 'passage.decided',
    passageId: randomUUID(),
    laneId: 'in-1',
    direction: 'entry',
    plate: 'ABX12',
    decision: { open: true, reason: 'welcome', visit: { kind: 'none' }, settlement: null, flags: [] },
    visitId: null,
    feedAt: 0,
    read: null,
    alerts: [],
    ...fields,
  };
}

/** A visitor's whole stay: drives in, pays, drives out. Nine events. */
export function sampleStay(plate: string): SiteEventBody[] {
  const { read: entry } = readEvent({ plate, plateRaw: plate });
  const { read: exit } = readEvent({ plate, plateRaw: plate, laneId: 'out-1', cameraId: 'cam-out-1' });
  const opened = sampleVisit({ plate, entryReadId: entry.id });
  const asked: Visit = {
    ...opened,
    status: 'need-payment',
    exitLaneId: 'out-1',
    exitReadId: exit.id,
    exitFoundBy: 'equal',
    price: {
      amountMinor: 500,
      currency: 'ISK',
      lines: [{ rule: 'unit', units: 1, amountMinor: 500 }],
      product: { id: 'light', version: 1 },
      pricedAt: utcTime(START + 5000),
    },
  };
  const left: Visit = {
    ...asked,
    status: 'completed',
    paymentStatus: 'kiosk',
    endedAt: utcTime(START + 9000),
  };
  const passage = (
    { read, again = false }: { read: typeof entry; again?: boolean },
    direction: 'entry' | 'exit',
    open: boolean,
  ): SiteEventBody[] => {
    const passageId = read.passageId ?? randomUUID();
    const reason = open ? (direction === 'entry' ? 'welcome' : 'paid') : 'need-payment';
    const decided = passageEvent({
      passageId,
      laneId: read.laneId,
      direction,
      plate,
      decision: { open, reason, visit: { kind: 'none' }, settlement: null, flags: [] },
      visitId: opened.id,
      read: again ? null : read,
    });
    const moved: SiteEventBody = {
      type: 'gate.moved',
      movementId: randomUUID(),
      laneId: read.laneId,
      action: 'pulse',
      outcome: 'done',
      by: `lane:${read.laneId}`,
      reason: 'welcome',
      passageId,
      tookMs: 12.5,
    };
    return open ? [decided, moved] : [decided];
  };
  return [
    visitEvent('visit.opened', opened, { step: sampleStep() }),
    ...passage({ read: entry }, 'entry', true),
    visitEvent('visit.updated', asked, { step: sampleStep({ from: 'new', to: 'need-payment' }) }),
    ...passage({ read: exit }, 'exit', false),
    visitEvent('visit.ended', left, { step: sampleStep({ from: 'need-payment', to: 'completed' }) }),
    ...passage({ read: exit, again: true }, 'exit', true),
    {
      type: 'device.changed',
      deviceId: 'cam-in-1',
      kind: 'camera',
      state: 'ok',
      detail: plate,
      since: utcTime(START),
    },
  ];
}
