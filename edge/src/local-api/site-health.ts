import { withTimeout } from '@hlid/node/with-timeout';
import { isAlarm } from '@hlid/protocol/device';
import { messageOf } from '@hlid/protocol/fault';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { deviceAdvice } from '@hlid/protocol/words/device-words';
import type { CameraView } from '../camera/camera-watch.ts';
import { deviceReference } from '../health/device-ref.ts';
import type { DeviceView } from '../health/health-book.ts';
import { SOFTWARE } from '../software.ts';
import type { SiteView } from './board-news.ts';
import type { GateOrderView, GateView, LaneView } from './lane-board.ts';
import { type LinkView, waitingEvents } from './link-view.ts';

/** Something that a technician should look at while the site goes on working. */
interface Concern {
  /** `gate:<lane id>`, `camera:<id>`, or `link`, `disk` and the like. */
  device: string;
  problem: string;
  /** Of an alarm: since when, and what to do about it. */
  since?: UtcTime;
  advice?: Record<'is' | 'en', string>;
}

/** What `GET /health` answers. No plates: it ends up in tickets and monitoring. */
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
  /** What keeps the daemon from doing its work, for a technician. */
  faults: string[];
  concerns: Concern[];
  lanes: { id: string; name: string; gate: GateView; lastPassageAt: UtcTime | null }[];
  cameras: readonly CameraView[];
  devices: readonly DeviceView[];
  /** Null: the site runs without a cloud. */
  link: (LinkView & { waiting: number }) | null;
}

export function reportHealth(seen: {
  at: UtcTime;
  startedAt: UtcTime;
  site: SiteView;
  faults: string[];
  lanes: readonly LaneView[];
  cameras: readonly CameraView[];
  devices: readonly DeviceView[];
  link: LinkView | null;
}): HealthReport {
  const { at, startedAt, site, faults, lanes, cameras, devices, link } = seen;
  const concerns = findConcerns(seen);
  return {
    status: faults.length > 0 ? 'failing' : concerns.length > 0 ? 'attention' : 'ok',
    at,
    software: SOFTWARE,
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
const STORAGE_PATIENCE_MS = 2000;

/** What keeps the daemon from remembering. */
export async function findFaults(checkStorage: () => Promise<unknown>): Promise<string[]> {
  const written = checkStorage().then(
    () => [],
    (error: unknown) => [`the database cannot be written: ${messageOf(error)}`],
  );
  return withTimeout(written, STORAGE_PATIENCE_MS, () => [
    `the database took longer than ${STORAGE_PATIENCE_MS} ms to write`,
  ]);
}

function findConcerns(seen: {
  lanes: readonly LaneView[];
  cameras: readonly CameraView[];
  devices: readonly DeviceView[];
  link: LinkView | null;
}): Concern[] {
  const { lanes } = seen;
  const ordered: Concern[] = lanes.flatMap(({ id, gate }) =>
    gate.order ? [{ device: `gate:${id}`, problem: orderWords(gate.order) }] : [],
  );
  const allHeld = lanes.every(({ gate }) => gate.order?.mode === 'held-open');
  if (allHeld) ordered.unshift({ device: 'gates', problem: 'all held open' });
  const alarms = seen.devices.flatMap(alarmOf);
  // What is wrong now and may be over in a moment: an alarm says it better.
  const fresh = freshConcerns(seen).filter(({ device }) => alarms.every((alarm) => alarm.device !== device));
  return [...ordered, ...alarms, ...fresh];
}

function alarmOf(device: DeviceView): Concern[] {
  const { kind, state, detail, since } = device;
  if (!isAlarm(state)) return [];
  const advice = { is: deviceAdvice('is', kind, state), en: deviceAdvice('en', kind, state) };
  const problem = detail === '' ? state : `${state}: ${detail}`;
  return [{ device: deviceReference(device), problem, since, advice }];
}

function freshConcerns({
  lanes,
  cameras,
  link,
}: {
  lanes: readonly LaneView[];
  cameras: readonly CameraView[];
  link: LinkView | null;
}): Concern[] {
  const concerns: Concern[] = [];
  for (const { id, gate } of lanes) {
    if (gate.lastError !== null) concerns.push({ device: `gate:${id}`, problem: gate.lastError });
  }
  for (const { id, lastSeenAt, clockBehindMs } of cameras) {
    // A camera that has been seen may be silent for hours: many say something only when a car comes.
    if (lastSeenAt === null) concerns.push({ device: `camera:${id}`, problem: 'not heard from' });
    if (clockBehindMs !== 0) concerns.push({ device: `camera:${id}`, problem: 'clock off' });
  }
  if (link && !link.connected) {
    concerns.push({ device: 'link', problem: link.lastError ?? 'not connected' });
  }
  return concerns;
}

function orderWords({ mode, by, since, lapsesAt, told, why }: GateOrderView): string {
  const what = { 'held-open': 'held open', 'kept-closed': 'kept closed', automatic: 'let go' }[mode];
  const until = lapsesAt === null ? '' : ` until ${lapsesAt}`;
  const untold = told ? '' : '; its device does not know yet';
  return `${what} by ${by} since ${since}${until} (${why})${untold}`;
}
