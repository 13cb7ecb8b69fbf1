import { withTimeout } from '@hlid/node/with-timeout';
import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { isAlarm } from '@hlid/protocol/records/device';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { gateReasonText } from '@hlid/protocol/words/codes/gate-reason-text';
import { deviceAdvice } from '@hlid/protocol/words/device-advice/device-advice';
import { Hono } from 'hono';
import type { CameraView } from '../camera/camera-watch.ts';
import { type LinkView, waitingEvents } from '../cloud-link/link-view.ts';
import type { GateHoldView, GateView } from '../gate/gate-mode.ts';
import type { DeviceView } from '../health/device-health.ts';
import { deviceReference } from '../health/device-ref.ts';
import type { Metrics } from '../health/metrics.ts';
import type { BoardState, SiteView } from './lane-routes.ts';
import type { LocalEnv } from './local-env.ts';

/** The routes for monitoring. */
export function healthRoutes(parts: {
  state: () => BoardState;
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** Writes to the database as passages do; rejects where that fails. */
  checkStorage: () => Promise<unknown>;
  startedAt: UtcTime;
}): Hono<LocalEnv> {
  const { state, metrics, checkStorage, startedAt } = parts;
  return new Hono<LocalEnv>()
    .get('/health', async (c) => {
      const faults = await findFaults(checkStorage);
      const report = reportHealth(state(), startedAt, faults);
      return c.json(report, report.status === 'failing' ? 503 : 200);
    })
    .get('/metrics', async (c) => c.body(await metrics.text(), 200, { 'content-type': metrics.contentType }));
}

/** Something that a technician should check while the site goes on working. */
interface Concern {
  /** `gate:<lane id>`, `camera:<id>`, or `link`, `disk` and the like. */
  device: string;
  problem: string;
  /** When the alarm began; absent: the concern is no alarm. */
  since?: UtcTime;
  advice?: Record<'is' | 'en', string>;
}

/** The answer of `GET /health`. It has no plates, because it ends up in tickets and monitoring. */
interface HealthReport {
  /**
   * `failing`: it cannot remember what it decides, and a restart may help. A device or the cloud away is no such thing.
   */
  status: 'ok' | 'attention' | 'failing';
  at: UtcTime;
  software: string;
  node: string;
  startedAt: UtcTime;
  site: SiteView;
  /** The faults that keep the daemon from its work, for a technician. */
  faults: string[];
  concerns: Concern[];
  lanes: { id: string; name: string; gate: GateView; lastPassageAt: UtcTime | null }[];
  cameras: readonly CameraView[];
  devices: readonly DeviceView[];
  /** Null: the site runs without a cloud. */
  link: (LinkView & { waiting: number }) | null;
}

function reportHealth(state: BoardState, startedAt: UtcTime, faults: string[]): HealthReport {
  const { at, software, site, lanes, cameras, devices, link } = state;
  const concerns = findConcerns(state);
  return {
    status: faults.length > 0 ? 'failing' : concerns.length > 0 ? 'attention' : 'ok',
    at,
    software,
    node: process.versions.node,
    startedAt,
    site,
    faults,
    concerns,
    lanes: lanes.map(({ id, name, gate, passages }) => {
      return { id, name, gate, lastPassageAt: passages[0]?.at ?? null };
    }),
    cameras,
    devices,
    link: link && { ...link, waiting: waitingEvents(link) },
  };
}

/** How long a disk may take to write a few bytes. */
const STORAGE_TIMEOUT_MS = 2000;

/** Finds the faults that keep the daemon from storing its decisions. */
async function findFaults(checkStorage: () => Promise<unknown>): Promise<string[]> {
  const written = checkStorage().then(
    () => [],
    (error: unknown) => [`the database cannot be written: ${messageOf(error)}`],
  );
  return withTimeout(written, STORAGE_TIMEOUT_MS, () => [
    `writing to the database took longer than ${STORAGE_TIMEOUT_MS} ms`,
  ]);
}

function findConcerns(state: BoardState): Concern[] {
  const { lanes, devices } = state;
  const byHand: Concern[] = lanes.flatMap(({ id, gate }) =>
    gate.hold ? [{ device: `gate:${id}`, problem: holdText(gate.hold) }] : [],
  );
  const gated = lanes.filter(({ gate }) => gate.state !== 'none');
  const allHeld = gated.length > 0 && gated.every(({ gate }) => gate.hold?.mode === 'held-open');
  if (allHeld) byHand.unshift({ device: 'gates', problem: 'all held open' });
  const alarms = devices.flatMap(alarmOf);
  // An alarm describes the same problem better.
  const present = presentProblems(state).filter(({ device }) =>
    alarms.every((alarm) => alarm.device !== device),
  );
  return [...byHand, ...alarms, ...present];
}

function alarmOf(device: DeviceView): Concern[] {
  const { kind, state, detail, since } = device;
  if (!isAlarm(state)) return [];
  const advice = {
    is: deviceAdvice('is', kind, state),
    en: deviceAdvice('en', kind, state),
  };
  const problem = detail === '' ? state : `${state}: ${detail}`;
  return [{ device: deviceReference(device), problem, since, advice }];
}

/** The problems of this moment, which may be over soon. */
function presentProblems({ lanes, cameras, link }: BoardState): Concern[] {
  const problems: Concern[] = [];
  for (const { id, gate } of lanes) {
    if (gate.lastError !== null) problems.push({ device: `gate:${id}`, problem: gate.lastError });
  }
  for (const { id, lastSeenAt, clockBehindMs } of cameras) {
    // A camera that has sent something may be silent for hours: many send only when a car comes.
    if (lastSeenAt === null) problems.push({ device: `camera:${id}`, problem: 'nothing received yet' });
    if (clockBehindMs !== 0) problems.push({ device: `camera:${id}`, problem: 'clock off' });
  }
  if (link && !link.connected) problems.push({ device: 'link', problem: link.lastError ?? 'not connected' });
  return problems;
}

function holdText({ mode, by, name, since, lapsesAt, confirmed, reason, reasonCode }: GateHoldView): string {
  const what = { 'held-open': 'held open', 'kept-closed': 'kept closed', automatic: 'released' }[mode];
  const until = lapsesAt === null ? '' : ` until ${lapsesAt}`;
  const unconfirmed = confirmed ? '' : '; its device has not confirmed it yet';
  const why = gateReasonText({ reasonCode, note: reason }, CODE_WORDS.en);
  return `${what} by ${name ?? by} since ${since}${until} (${why})${unconfirmed}`;
}
