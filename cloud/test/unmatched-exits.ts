import { randomUUID } from 'node:crypto';
import type { PlateCandidate } from '@hlid/protocol/plate/plate';
import { applyEvent } from '../src/integration/ingest/apply-event.ts';
import type { TestApi } from './api.ts';
import { passageEvent, readEvent } from './sample-events.ts';

interface SeenAt {
  plate: string;
  at: string;
  siteId?: string;
  laneId?: string;
  candidates?: PlateCandidate[];
}

/** A read at an exit that found no visit, as a site with an edge daemon reports it. @returns its id */
export async function unmatchedExit(api: TestApi, seen: SeenAt): Promise<string> {
  const { plate, at, siteId = api.site.id, laneId = 'out-1' } = seen;
  const { read } = readEvent({
    plate,
    plateRaw: plate,
    laneId,
    cameraId: `cam-${laneId}`,
    receivedAt: at,
    capturedAt: at,
    candidates: seen.candidates ?? [{ plate, score: 0.95 }],
  });
  const decided = passageEvent({
    passageId: read.passageId ?? randomUUID(),
    laneId,
    direction: 'exit',
    plate,
    decision: { open: true, reason: 'no-visit', visit: { kind: 'none' }, settlement: null, flags: [] },
    read,
  });
  const place = { siteId, eventId: randomUUID(), at, arrivedAt: at };
  await api.db.write((tx) => applyEvent(tx, place, decided));
  return read.id;
}

/** A car that came in by a camera, and is inside. @returns the visit's id */
export async function inside(api: TestApi, seen: SeenAt): Promise<string> {
  const { plate, at, siteId = api.site.id, laneId = 'in-1' } = seen;
  const { read } = readEvent({
    plate,
    plateRaw: plate,
    laneId,
    cameraId: `cam-${laneId}`,
    receivedAt: at,
    capturedAt: at,
    candidates: seen.candidates ?? [{ plate, score: 0.95 }],
  });
  const visit = await api.visit({ plate, startedAt: at, createdAt: at, entryReadId: read.id }, { siteId });
  const place = { siteId, eventId: randomUUID(), at, arrivedAt: at };
  const decided = passageEvent({
    passageId: read.passageId ?? randomUUID(),
    laneId,
    plate,
    visitId: visit.id,
    read,
  });
  await api.db.write((tx) => applyEvent(tx, place, decided));
  return visit.id;
}
