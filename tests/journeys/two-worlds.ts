import { randomUUID } from 'node:crypto';
import { applyBatch } from '@hlid/cloud/ingest/apply-batch';
import { readBatch } from '@hlid/cloud/ingest/read-batch';
import { createTestApi, type TestApi } from '@hlid/cloud/test/api';
import { frame } from '@hlid/cloud/test/sample-documents';
import { batchText, visitEvent } from '@hlid/cloud/test/sample-events';
import { siteVisit } from '@hlid/cloud/visits/change/add-visit';
import { takeVisit } from '@hlid/cloud/visits/intake/ingest-visit';
import { visitTable } from '@hlid/cloud/visits/record/visit-table';
import { decideForVisit } from '@hlid/edge/decision/decide-at-lane';
import { createTestSite } from '@hlid/edge/test-site';
import { ChangeBatchSchema } from '@hlid/protocol/envelope';
import { SiteEventSchema } from '@hlid/protocol/site-event';
import type { ReviewFlag, Visit } from '@hlid/protocol/visit';
import { visitStanding } from '@hlid/protocol/visit-due';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { z } from 'zod';

const START = '2026-11-21T12:00:00.000Z';

/** A car park with its cloud. */
export interface World {
  api: TestApi;
  /** A car is read at a lane. @returns why the lane opens, or does not */
  read(lane: 'in' | 'out', plate: string): Promise<string | undefined>;
  /** The site's clock was set, or what a terminal has booked is not known. */
  flag(plate: string, flag: ReviewFlag, raised: boolean): Promise<void>;
  /** What edge and cloud have to say to each other is said. */
  meet(): Promise<void>;
  wait(ms: number): void;
  close(): Promise<void>;
}

/** A site with an edge daemon on a real database. */
export interface EdgeWorld extends World {
  site: ReturnType<typeof createTestSite>;
  /** The edge hears what the cloud has to say, and says nothing yet. */
  hear(): Promise<void>;
}

/** @param site at which something else happens too; it is closed with its world */
export async function createEdgeWorld(site = createTestSite({ start: START })): Promise<EdgeWorld> {
  const api = await createTestApi();
  site.wait(Date.parse(api.now()) - Date.parse(site.now()));
  const epoch = randomUUID();
  const { core } = site;
  let heard = 0;

  async function hear(): Promise<void> {
    const token = `${api.site.id}.${api.site.secret}`;
    const { body } = await api.call('GET', `/edge/changes?after=${heard}`, { token });
    const { changes } = ChangeBatchSchema.parse(body);
    core.feed.apply(changes);
    heard = changes.at(-1)?.n ?? heard;
  }

  async function speak(): Promise<void> {
    const events = core.events
      .after(core.events.acknowledged(), 10_000, Number.POSITIVE_INFINITY)
      .map(({ json }) => SiteEventSchema.parse(JSON.parse(json)));
    if (events.length === 0) return;
    const batch = readBatch(Buffer.from(batchText(epoch, events)));
    if (!batch.ok) throw new Error(batch.reason);
    const { rejected } = await applyBatch(api.db, api.clock, { siteId: api.site.id, ...batch });
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
    core.events.acknowledge(core.events.lastSeq());
  }

  return {
    ...{ api, site, hear },
    async read(lane, plate) {
      await site.read(lane === 'in' ? 'in-1' : 'out-1', plate);
      return site.reasons().at(-1);
    },
    async flag(plate, flag, raised) {
      const visit = core.stays.visits.openByPlate(plate);
      if (!visit) return;
      await core.commit.run(() =>
        core.stays.book.flag(visit, flag, raised, { at: site.now(), by: 'test', why: flag }),
      );
    },
    async meet() {
      await hear();
      await speak();
      // What the edge has told may come back, such as what is left of a quota.
      await hear();
      await speak();
    },
    wait(ms) {
      api.wait(ms);
      site.wait(ms);
    },
    async close() {
      site.close();
      await api.close();
    },
  };
}

const PhotoSchema = z.looseObject({ decision: z.looseObject({ reason: z.string() }).nullable() });

/** A site whose cameras post straight to the cloud. */
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
      const refused = await api.db.write((tx) => takeVisit(tx, place, event));
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

/** What both sides have to agree on: ids, lanes and reads are each world's own. */
function comparable(visit: Visit) {
  const { plate, status, paymentStatus, startedAt, endedAt, unitsMet, paidMinor, paidUntil } = visit;
  return {
    ...{ plate, status, paymentStatus, startedAt, endedAt, unitsMet, paidMinor, paidUntil },
    flags: [...visit.flags].sort(),
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

/** What a driver of that plate would be told now: at the exit, and at the kiosk. */
export interface Told {
  open: boolean | undefined;
  reason: string | undefined;
  asked: number | null | undefined;
}

export async function toldByCloud(api: TestApi, kiosk: string, plate: string): Promise<Told | null> {
  const id = await visitId(api, plate);
  const { body } = await api.call('GET', `/visit/${id}/price`);
  if (id === null || body['ended'] === true) return null;
  const { decision } = TraceSchema.parse(body);
  const search = await api.call('GET', `/kiosk/search-visits?plate=${plate}`, { token: kiosk });
  const found = FoundSchema.parse(search.body).visits.find((visit) => visit.id === id);
  return { open: decision?.open, reason: decision?.reason, asked: found?.price?.amount };
}

export function toldByEdge({ site }: EdgeWorld, plate: string): Told | null {
  const { visits, facts } = site.core.stays;
  const visit = visits.openByPlate(plate);
  if (!visit) return null;
  const decided = decideForVisit(plate, facts, site.now());
  const { demand, standing } = visitStanding(visit, () => decided);
  const { open, reason } = decided.decision;
  return { open, reason, asked: standing === 'no-price' ? null : (demand?.price.amountMinor ?? 0) };
}
