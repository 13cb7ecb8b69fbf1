import { randomUUID } from 'node:crypto';
import { siteVisit } from '@hlid/cloud/records/visits/site-visit';
import { visitTable } from '@hlid/cloud/records/visits/visit-table';
import { CLOUD_FLAGS, ingestVisit } from '@hlid/cloud/stays/visits/intake/ingest-visit';
import { createTestApi, type TestApi } from '@hlid/cloud/test/api';
import { frame } from '@hlid/cloud/test/sample-documents';
import { visitEvent } from '@hlid/cloud/test/sample-events';
import { decideForVisit } from '@hlid/edge/decision/decide-at-lane';
import type { ReviewFlag, Visit } from '@hlid/protocol/records/visit';
import { visitStanding } from '@hlid/protocol/rules/visit-due';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { z } from 'zod';
import { type PairedSite, pairSite } from '../harness/paired-site.ts';

/** A car park with its cloud. */
export interface World {
  readonly api: TestApi;
  /** A car is read at a lane. @returns the reason why the lane opens, or does not */
  read(lane: 'in' | 'out', plate: string): Promise<string | undefined>;
  /** The site's clock was set, or the outcome of a payment is unknown. */
  flag(plate: string, flag: ReviewFlag, raised: boolean): Promise<void>;
  /** All messages between edge and cloud pass. */
  meet(): Promise<void>;
  wait(ms: number): void;
  close(): Promise<void>;
}

/** A site with an edge daemon, and its cloud. */
export interface EdgeWorld extends World, PairedSite {}

export async function createEdgeWorld(): Promise<EdgeWorld> {
  const pair = await pairSite();
  const { core } = pair.site;
  return {
    ...pair,
    async read(lane, plate) {
      await pair.site.read(lane === 'in' ? 'in-1' : 'out-1', plate);
      // A plate that stands still has no decision. A read that joins a car keeps that car's decision.
      const isStill = pair.site.reads().at(-1)?.standing === 'parked';
      return isStill ? undefined : pair.site.reasons().at(-1);
    },
    async flag(plate, flag, raised) {
      const visit = core.stays.visits.openByPlate(plate);
      if (!visit) return;
      await core.commit.run(() =>
        core.stays.book.flag(visit, flag, raised, { at: pair.site.now(), by: 'test', reason: flag }),
      );
    },
  };
}

const PhotoSchema = z.looseObject({ decision: z.looseObject({ reason: z.string() }).nullable() });

/** A site with cameras that post straight to the cloud. */
export async function createCloudWorld(): Promise<World> {
  const api = await createTestApi();
  const camera = (remoteId: string, location: string) =>
    api.made('/cameras', { name: remoteId, location, remoteId });
  const cameras = { in: await camera('cam-in', 'entrance'), out: await camera('cam-out', 'exit') };

  return {
    api,
    async read(lane, plate) {
      const path = `/photos/open-alpr?camera.id=${cameras[lane].id}`;
      const { body } = await api.call('POST', path, { body: frame(plate, api.now()) });
      return PhotoSchema.parse(body).decision?.reason;
    },
    async flag(plate, flag, raised) {
      const row = await newestRow(api, plate);
      if (!row || row.endedAt !== null) return;
      const flags = [...row.flags.filter((other) => other !== flag), ...(raised ? [flag] : [])];
      const place = { siteId: api.site.id, eventId: randomUUID(), at: api.now() };
      const visit = { ...siteVisit(row), flags };
      const event = visitEvent('visit.updated', visit, { feedAt: Number.MAX_SAFE_INTEGER });
      if (!('visit' in event)) throw new Error('not an event of a visit');
      const refused = await api.db.write((tx) => ingestVisit(tx, place, event));
      if (refused !== null) throw new Error(refused);
    },
    meet: async () => undefined,
    wait: (ms) => api.wait(ms),
    close: () => api.close(),
  };
}

async function newestRow(api: TestApi, plate: string) {
  const [row] = await api.db.read((q) =>
    q
      .select()
      .from(visitTable)
      .where(eq(visitTable.plate, plate))
      .orderBy(desc(visitTable.startedAt), isNull(visitTable.endedAt))
      .limit(1),
  );
  return row;
}

/** The id of a plate's visit, inside or the last one. */
export async function visitId(api: TestApi, plate: string): Promise<string | null> {
  const [inside] = await api.db.read((q) =>
    q
      .select({ id: visitTable.id })
      .from(visitTable)
      .where(and(eq(visitTable.plate, plate), isNull(visitTable.endedAt))),
  );
  return inside?.id ?? (await newestRow(api, plate))?.id ?? null;
}

/** The fields on which both sides must agree: ids, lanes and reads are each world's own. */
function comparable(visit: Visit) {
  const { plate, status, paymentStatus, startedAt, endedAt, unitsMet, paidMinor, paidUntil } = visit;
  return {
    plate,
    status,
    paymentStatus,
    startedAt,
    endedAt,
    unitsMet,
    paidMinor,
    paidUntil,
    // A site does not have the flags that only the cloud raises.
    flags: visit.flags.filter((flag) => !CLOUD_FLAGS.includes(flag)).sort(),
    due: visit.price?.amountMinor,
    lines: visit.price?.lines,
    quotaUnits: visit.quota?.units,
  };
}

const inOrder = (visits: Visit[]) =>
  visits.map(comparable).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

export async function visitsInCloud(api: TestApi) {
  return inOrder((await api.db.read((q) => q.select().from(visitTable))).map(siteVisit));
}

export function visitsAtEdge({ site }: EdgeWorld) {
  const ids = site.visits().map(({ id }) => id);
  return inOrder(ids.flatMap((id) => site.core.stays.visits.get(id) ?? []));
}

const TraceSchema = z.looseObject({
  decision: z.looseObject({ open: z.boolean(), reason: z.string() }).nullable(),
});
const FoundSchema = z.looseObject({
  visits: z.array(z.looseObject({ id: z.string(), price: z.looseObject({ amount: z.int() }).nullable() })),
});

/** The answer to a driver with that plate at the exit and at the kiosk. */
export interface Answer {
  open: boolean | undefined;
  reason: string | undefined;
  asked: number | null | undefined;
}

export async function cloudAnswer(api: TestApi, kiosk: string, plate: string): Promise<Answer | null> {
  const id = await visitId(api, plate);
  const { body } = await api.call('GET', `/visit/${id}/price`);
  if (id === null || body['ended'] === true) return null;
  const { decision } = TraceSchema.parse(body);
  const search = await api.call('GET', `/kiosk/search-visits?plate=${plate}`, { token: kiosk });
  const found = FoundSchema.parse(search.body).visits.find((visit) => visit.id === id);
  return { open: decision?.open, reason: decision?.reason, asked: found?.price?.amount };
}

export function edgeAnswer({ site }: EdgeWorld, plate: string): Answer | null {
  const { visits, facts } = site.core.stays;
  const visit = visits.openByPlate(plate);
  if (!visit) return null;
  const decided = decideForVisit(plate, facts, site.now());
  const { demand, standing } = visitStanding(visit, () => decided);
  const { open, reason } = decided.decision;
  return { open, reason, asked: standing === 'no-price' ? null : (demand?.price.amountMinor ?? 0) };
}
