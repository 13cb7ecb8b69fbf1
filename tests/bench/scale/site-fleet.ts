// All sites of a country in one process, each with the edge's own link and a separate connection. Their
// messages stand in files. The bench that started it gives the signal to send.

import { existsSync, readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { CloudLink } from '@hlid/edge/cloud-link/cloud-link';
import type { EventSource } from '@hlid/edge/outbox/event-source';
import type { FeedBook, FeedPosition } from '@hlid/edge/site-lists/feed-book';
import { systemClock } from '@hlid/node/clock';
import { pino } from 'pino';
import { z } from 'zod';

const FleetSchema = z.object({
  httpUrl: z.string(),
  mqttUrl: z.string(),
  sites: z.array(
    z.object({
      id: z.string(),
      secret: z.string(),
      epoch: z.string(),
      committed: z.number(),
      feed: z.object({ n: z.number(), hash: z.string() }),
      mark: z.string().nullable(),
      group: z.string(),
      /** One event a line. */
      waiting: z.string(),
    }),
  ),
});
export type FleetPlan = z.infer<typeof FleetSchema>;
type SitePlan = FleetPlan['sites'][number];

const OrderSchema = z.discriminatedUnion('order', [
  z.object({ order: z.literal('connect') }),
  /** These sites have made their events. */
  z.object({ order: z.literal('release'), group: z.string() }),
  z.object({ order: z.literal('report'), group: z.string() }),
]);
export type FleetOrder = z.infer<typeof OrderSchema>;

/** How many are connected and answered, and how much of a group's events the cloud has not acknowledged. */
export interface FleetReport {
  connected: number;
  waiting: number;
}

/** A site's log of events, from the last one that the cloud has. */
class WaitingEvents implements EventSource {
  readonly epoch: string;
  readonly group: string;
  readonly #from: number;
  readonly #events: readonly string[];
  readonly #listeners = new Set<() => void>();
  #released = false;
  #acknowledged: number;
  /** Answered since the connection began. */
  confirmed = false;

  constructor({ epoch, group, committed, waiting }: SitePlan) {
    this.epoch = epoch;
    this.group = group;
    this.#from = committed;
    this.#acknowledged = committed;
    this.#events = existsSync(waiting) ? readFileSync(waiting, 'latin1').split('\n').slice(0, -1) : [];
  }

  release(): void {
    this.#released = true;
    for (const listener of this.#listeners) listener();
  }

  waiting(): number {
    return this.lastSeq() - this.#acknowledged;
  }

  lastSeq(): number {
    return this.#from + (this.#released ? this.#events.length : 0);
  }

  acknowledged(): number {
    return this.#acknowledged;
  }

  after(seq: number, maxEvents: number, maxBytes: number): { seq: number; json: string }[] {
    const events: { seq: number; json: string }[] = [];
    let bytes = 0;
    for (let next = seq + 1; next <= this.lastSeq() && events.length < maxEvents; next++) {
      const json = this.#events[next - this.#from - 1];
      if (json === undefined) throw new RangeError(`event ${next} was sent before`);
      bytes += json.length;
      if (events.length > 0 && bytes > maxBytes) break;
      events.push({ seq: next, json });
    }
    return events;
  }

  acknowledge(committed: number): void {
    this.#acknowledged = committed;
  }

  digestOf(): null {
    return null;
  }

  confirm(): void {
    this.confirmed = true;
  }

  startNewEpoch(): Promise<void> {
    throw new Error('the cloud does not know its log');
  }

  onAppended(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** A site that has the lists, and takes edits of visits as they come. */
class HeldLists implements FeedBook {
  #position: FeedPosition;
  #mark: string | null;

  constructor({ feed, mark }: SitePlan) {
    this.#position = feed;
    this.#mark = mark;
  }

  position(): FeedPosition {
    return this.#position;
  }

  mark(): string | null {
    return this.#mark;
  }

  wantsVisits(): boolean {
    return false;
  }

  apply(changes: Parameters<FeedBook['apply']>[0]): FeedPosition {
    const last = changes.at(-1);
    this.#position = { ...this.#position, n: last?.n ?? this.#position.n };
    this.#mark = last?.mark ?? this.#mark;
    return this.#position;
  }

  replace(): Promise<FeedPosition> {
    throw new Error('it has the lists already');
  }
}

const [, , planPath = ''] = argv;
const plan = FleetSchema.parse(JSON.parse(readFileSync(planPath, 'utf8')));
const log = pino({ level: 'fatal' });
const sites = plan.sites.map((site) => {
  const events = new WaitingEvents(site);
  const link = new CloudLink(
    { clock: systemClock, log },
    {
      cloud: { httpUrl: plan.httpUrl, mqttUrl: plan.mqttUrl, siteId: site.id, secret: site.secret },
      events,
      feed: new HeldLists(site),
      software: 'hlid-edge/bench',
    },
  );
  link.subscribe(() => {
    if (!link.view().connected) events.confirmed = false;
  });
  return { events, link };
});

function reportOf(group: string): FleetReport {
  return {
    connected: sites.filter(({ link, events }) => link.view().connected && events.confirmed).length,
    waiting: sites
      .filter(({ events }) => events.group === group)
      .reduce((sum, { events }) => sum + events.waiting(), 0),
  };
}

// It waits for orders, also while no site is connected.
process.channel?.ref();
process.on('message', (message) => {
  const order = OrderSchema.parse(message);
  if (order.order === 'connect')
    for (const { link } of sites) link.start({ commands: { handle: async () => null } });
  if (order.order === 'release') {
    for (const { events } of sites) if (events.group === order.group) events.release();
  }
  if (order.order === 'report') process.send?.(reportOf(order.group));
});
process.send?.({ connected: 0, waiting: 0 } satisfies FleetReport);
