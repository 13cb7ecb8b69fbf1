import { afterEach, expect, it } from 'vitest';
import { type LinkedSite, startLinkedSite } from '../harness/linked-site.ts';
import { waitFor } from '../harness/wait.ts';
import { newPlate } from '../sim/plates.ts';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';
import { type FaultyLine, startFaultyLine } from './faulty-line.ts';

/** Everything a tenth of what it is: 2 s on the line each way, and the daemon's own pauses and deadlines. */
const SCALE = 10;
const LATENCY_MS = 2000 / SCALE;
const TIMING = {
  connectTimeoutMs: 10_000 / SCALE,
  retryFirstMs: 1000 / SCALE,
  maxRetryMs: 60_000 / SCALE,
  steadyMs: 10_000 / SCALE,
  ackDeadlineMs: 5000 / SCALE,
  maxAckDeadlineMs: 60_000 / SCALE,
};
const RESET_SHARE = 0.3;
/** A reset connection ends in the middle of a message. */
const RESET_WITHIN_BYTES = 6000;
/** This seed resets the first and the third connection after the initial one. */
const LINE_SEED = 29;
/** Messages on their way when the line broke are sent again, but not over and over. */
const MAX_TIMES_SENT = 6;
const STORM_MS = 2000;

let line: FaultyLine;
let linked: LinkedSite;
afterEach(async () => {
  await linked?.stop();
  await line?.stop();
});

async function startOnLine(): Promise<void> {
  line = await startFaultyLine();
  linked = await startLinkedSite({ mqttLine: line.to, timing: TIMING });
}

it('sends each event once over a line with 2 s of latency and 30 % of its connections reset', async () => {
  await startOnLine();
  const random = seededRandom(30);
  line.slow(LATENCY_MS);
  line.unreliable(RESET_SHARE, RESET_WITHIN_BYTES, seededRandom(LINE_SEED));
  for (let burst = 0; burst < 4; burst++) {
    await cars(random, 20);
    // Torn down in the middle, as by a mobile network that changes cells; the next one has its own fate.
    const before = line.connections();
    line.drop();
    const back = () => line.connections() > before && linked.link().view().connected;
    await waitFor(back, { what: 'the link', withinMs: 30_000 });
  }
  await linked.settled();
  checkDelivered();
  expect(line.cuts()).toBeGreaterThan(0);
  const reported = linked.site().db.prepare('SELECT sum(length(body)) FROM event').pluck().get();
  expect(line.sentUp()).toBeLessThan(MAX_TIMES_SENT * Number(reported));
});

it('backs off from a broker that drops every client, and connects again', async () => {
  await startOnLine();
  const before = line.connections();
  const end = performance.now() + STORM_MS;
  await waitFor(
    () => {
      line.drop();
      return performance.now() > end;
    },
    { what: 'the storm to pass' },
  );
  // Pauses double, from at least half of the first one: this number of them fits in.
  const most = Math.ceil(Math.log2(STORM_MS / (TIMING.retryFirstMs / 2)));
  expect(line.connections() - before).toBeLessThanOrEqual(most + 1);
  await cars(seededRandom(31), 10);
  await linked.settled();
  checkDelivered();
});

async function cars(random: SeededRandom, many: number): Promise<void> {
  for (let car = 0; car < many; car++) {
    linked.wait(60_000);
    await linked.site().read('in-1', newPlate(random));
  }
}

/** The cloud has all messages of the site, once and in the same order. */
function checkDelivered(): void {
  const { db, core } = linked.site();
  const reads = db.prepare('SELECT event_key FROM read ORDER BY rowid').pluck().all();
  const { reported, books } = linked.cloudDb((cloud) => ({
    reported: cloud.prepare('SELECT event_key FROM photo ORDER BY captured_at, rowid').pluck().all(),
    books: cloud
      .prepare(
        `SELECT (SELECT sum(committed) FROM event_cursor) AS committed,
           (SELECT count(*) FROM rejected_event) AS rejected`,
      )
      .get(),
  }));
  expect(reads.length).toBeGreaterThan(0);
  expect(reported).toEqual(reads);
  expect(books).toMatchObject({ committed: core.events.lastSeq(), rejected: 0 });
}
