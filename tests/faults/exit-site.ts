import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EdgeFileSchema } from '@hlid/edge/config';
import { openSiteDb, type SiteDb } from '@hlid/edge/db/site-db';
import type { InstructionView } from '@hlid/edge/display/lane-display';
import { createEdge } from '@hlid/edge/edge';
import type { LaneView } from '@hlid/edge/local-api/lane-board';
import { createTestSite } from '@hlid/edge/test-site';
import { systemClock } from '@hlid/node/clock';
import { type SiteEventBody, SiteEventBodySchema } from '@hlid/protocol/site-event';
import { HOUR_MS } from '@hlid/protocol/utc-time';
import { pino } from 'pino';
import type { TestContext } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { post } from '../sim/camera.ts';
import { createOpenAlprAgent } from '../sim/open-alpr-agent.ts';
import { startRelay } from '../sim/relay.ts';

/** Within which a car gets out, or its driver is told what to do. */
const WITHIN_MS = 3000;
const TOKEN = 'a-secret-of-the-camera';
/** Of the relay board. */
export const EXIT = 1;

interface SiteOptions {
  /** Parked for five hours, and something is due. */
  inside?: string;
  settings?: Record<string, unknown>;
  cloud?: object;
  /** The site's card terminal. */
  terminal?: object;
  /** An ONVIF device with the loop before the gate. */
  loopAt?: string;
}

/**
 * A whole daemon with one exit, its camera and its relay.
 *
 * @param context of the test, since several run at a time
 */
export async function startExit(
  { onTestFinished }: TestContext,
  { inside, settings = {}, cloud, terminal, loopAt }: SiteOptions = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'hlid-never-trapped-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  if (inside !== undefined) await parkCar(dataDir, inside);
  const relay = await startRelay();
  onTestFinished(() => relay.stop());
  const file = EdgeFileSchema.parse({
    site: { name: 'Test', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings },
    ...(cloud && { cloud }),
    ...(terminal && { terminal }),
    lanes: [
      {
        ...{ id: 'out-1', name: 'Out', direction: 'exit' },
        gate: {
          kind: 'http',
          open: { url: `${relay.url}/relay/${EXIT}/pulse` },
          state: { url: `${relay.url}/relay/${EXIT}`, closedPattern: '"gate":"closed"' },
        },
        ...(loopAt && {
          loops: {
            arrival: {
              kind: 'onvif',
              input: 'loop-1',
              device: { url: loopAt, user: 'hlid', password: 'parking-1' },
            },
          },
        }),
      },
    ],
    cameras: [{ id: 'cam-1', lane: 'out-1', token: TOKEN }],
  });
  const edge = createEdge(
    { ...file, dataDir, logLevel: 'silent', edgePort: 0, cameraPort: 0, cameraHost: '127.0.0.1' },
    { log: pino({ enabled: false }), clock: systemClock },
  );
  const { localUrl, cameraUrl } = await edge.start();
  onTestFinished(() => edge.stop());
  const besides = openSiteDb(join(dataDir, 'site.sqlite'));
  onTestFinished(() => void besides.close());

  const camera = createOpenAlprAgent({ agentUid: 'A'.repeat(40), cameraId: 1, frames: 1 });
  const pushUrl = `${cameraUrl}/cameras/cam-1/open-alpr?token=${TOKEN}`;
  return {
    relay,
    /** Another connection to the site's database. */
    besides,
    /** A camera's documents of one car, without waiting for their answers. */
    comes(plate: string, score = 0.95, at = new Date()): void {
      for (const document of camera.see({ plate, score, at })) {
        // Without a database the camera gets no answer for long, or a bad one.
        post(pushUrl, document).catch(() => undefined);
      }
    },
    push: (body: object) => post(pushUrl, { body: JSON.stringify(body), headers: {} }),
    opens: (times = 1, withinMs = WITHIN_MS) =>
      waitFor(() => relay.openings(EXIT) === times, { what: 'the gate to open', withinMs }),
    told: (code: string, withinMs = WITHIN_MS) =>
      waitFor(
        async () => {
          const said = await instruction(localUrl);
          return said?.code === code ? said : null;
        },
        { what: `the driver to be told: ${code}`, withinMs },
      ),
    /** As the technician's calls say it. */
    terminalState: async () => {
      const response = await fetch(new URL('/api/devices', localUrl));
      const { devices } = (await response.json()) as { devices: { kind: string; state: string }[] };
      return devices.find(({ kind }) => kind === 'terminal')?.state;
    },
    recorded: (fits: (event: SiteEventBody) => boolean) =>
      waitFor(() => eventsOf(besides).find(fits), { what: 'the record of it' }),
    reasons: () =>
      eventsOf(besides).flatMap((event) =>
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

/** A site's data folder in which a car has been inside since long ago, and a day has a price. */
async function parkCar(folder: string, plate: string): Promise<void> {
  const start = new Date(Date.now() - 5 * HOUR_MS).toISOString();
  const site = createTestSite({ folder, start });
  await site.price(500);
  await site.read('in-1', plate);
  site.core.stop();
  site.db.close();
}
