import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSiteDb, type SiteDb } from '@hlid/edge/db/site-db';
import type { InstructionView } from '@hlid/edge/display/lane-display';
import type { LaneView } from '@hlid/edge/lane/lane-status';
import { createTestSite } from '@hlid/edge/test/site';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { type SiteEventBody, SiteEventBodySchema } from '@hlid/protocol/site-link/site-event';
import type { TestContext } from 'vitest';
import type { CloudAccess, LanePlan } from '../harness/edge-document.ts';
import { newSecret } from '../harness/new-secret.ts';
import { startSite } from '../harness/site.ts';
import { waitFor } from '../harness/wait.ts';
import { post } from '../sim/camera.ts';
import { createOpenAlprAgent } from '../sim/open-alpr-agent.ts';

/** The time within which a car gets out or its driver reads what to do. */
const WITHIN_MS = 3000;
/** The exit's output on the relay board. */
export const EXIT = 1;

const LANE: Omit<LanePlan, 'token'> = {
  id: 'out-1',
  name: 'Out',
  direction: 'exit',
  output: EXIT,
  cameraId: 'cam-1',
  format: 'open-alpr',
};

interface ExitOptions {
  /** A car that has been parked for five hours, so that something is due. */
  inside?: string;
  settings?: Record<string, unknown>;
  /** Options of the gate. */
  gate?: Record<string, unknown>;
  cloud?: CloudAccess;
  /** The site's card terminal. */
  terminal?: object;
  /** An ONVIF device with the loop before the gate. */
  loopAt?: string;
}

/**
 * A site with one exit, its camera and its relay.
 *
 * @param context of the test, since several run at a time
 */
export async function startExit(
  { onTestFinished }: TestContext,
  { inside, loopAt, ...options }: ExitOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-never-trapped-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (inside !== undefined) await parkCar(folder, inside);
  const loop = { kind: 'onvif', input: 'loop-1' };
  const login = { user: 'hlid', password: 'parking-1' };
  const loops = loopAt && { arrival: { ...loop, device: { url: loopAt, ...login } } };
  const lane = { ...LANE, token: newSecret(), ...(loops && { loops }) };
  const { edge, relay, stop, ...site } = await startSite({ folder, lanes: [lane], ...options });
  onTestFinished(stop);
  const db = openSiteDb(join(folder, 'site.sqlite'));
  onTestFinished(() => void db.close());

  const camera = createOpenAlprAgent({ agentUid: 'A'.repeat(40), cameraId: 1, frames: 1 });
  const pushUrl = site.lane(LANE.id).pushUrl();
  const devices = async () => {
    const response = await fetch(new URL('/api/devices', edge.localUrl()));
    return ((await response.json()) as { devices: { kind: string; state: string }[] }).devices;
  };
  return {
    relay,
    /** The test's own connection to the site's database. */
    db,
    /** Sends a camera's documents of one car, without waiting for the responses. */
    comes(plate: string, score = 0.95, at = new Date()): void {
      for (const document of camera.see({ plate, score, at })) {
        // Without a database the camera gets a late response, or an error.
        post(pushUrl, document).catch(() => undefined);
      }
    },
    killEdge: () => edge.kill(),
    startEdge: () => edge.restart(),
    push: (body: object) => post(pushUrl, { body: JSON.stringify(body), headers: {} }),
    opens: (times = 1, withinMs = WITHIN_MS) =>
      waitFor(() => relay.openings(EXIT) === times, {
        what: 'the gate to open',
        withinMs,
        detail: edge.tail,
      }),
    /** Waits until the lane's display shows an instruction. */
    shows: (code: string, withinMs = WITHIN_MS) =>
      waitFor(
        async () => {
          const shown = await instruction(edge.localUrl());
          return shown?.code === code ? shown : null;
        },
        { what: `the instruction ${code}`, withinMs, detail: edge.tail },
      ),
    terminalState: async () => (await devices()).find(({ kind }) => kind === 'terminal')?.state,
    recorded: (fits: (event: SiteEventBody) => boolean) =>
      waitFor(() => eventsOf(db).find(fits), { what: 'the event', detail: edge.tail }),
    reasons: () =>
      eventsOf(db).flatMap((event) =>
        event.type === 'passage.decided' && event.direction === 'exit' ? [event.decision.reason] : [],
      ),
  };
}

async function instruction(localUrl: string): Promise<InstructionView | null> {
  const response = await fetch(new URL('/api/lanes', localUrl));
  const { lanes } = (await response.json()) as { lanes: LaneView[] };
  return lanes[0]?.instruction ?? null;
}

function eventsOf(db: SiteDb): SiteEventBody[] {
  const bodies = db.prepare<[], string>('SELECT body FROM event ORDER BY seq').pluck().all();
  return bodies.map((body) => SiteEventBodySchema.parse(JSON.parse(body)));
}

/** Fills a site's data folder with a car that came in long ago, and a price of a day. */
async function parkCar(folder: string, plate: string): Promise<void> {
  const start = new Date(Date.now() - 5 * HOUR_MS).toISOString();
  const site = createTestSite({ folder, start });
  await site.price(500);
  await site.read('in-1', plate);
  site.core.stop();
  site.db.close();
}
