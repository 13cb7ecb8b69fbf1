import type { Clock } from '@hlid/node/clock';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { z } from 'zod';
import type { SignOfLife } from '../camera/camera-watch.ts';
import { HEALTHY, type HealthSignal } from '../config/health-state.ts';
import {
  type CameraActivity,
  forgiveSilence,
  NO_ACTIVITY,
  noteActivity,
  silenceLimit,
} from './camera-activity.ts';
import type { HealthStore } from './health-store.ts';

const ActivitySchema = z.object({
  beatGaps: z.array(z.number()),
  quiet: z.record(z.coerce.number<string>(), z.array(z.object({ gapMs: z.number(), at: z.number() }))),
  watchedMs: z.number(),
});

/** Learns how often each camera sends something, and reports a camera that is silent for too long. */
export class CameraSilenceMonitor {
  readonly #store: HealthStore;
  readonly #clock: Clock;
  readonly #activities: Map<string, CameraActivity>;
  readonly #unsaved = new Set<string>();
  #listeningSince: number;

  constructor({ store, clock }: { store: HealthStore; clock: Clock }, cameraIds: readonly string[]) {
    this.#store = store;
    this.#clock = clock;
    this.#listeningSince = clock.now().getTime();
    this.#activities = new Map(
      cameraIds.map((id) => [id, { ...NO_ACTIVITY, ...store.note(subjectOf(id), ActivitySchema) }]),
    );
  }

  note(signs: readonly SignOfLife[]): void {
    for (const { cameraId, at, heartbeat } of signs) {
      const activity = this.#activities.get(cameraId);
      if (!activity) continue;
      this.#activities.set(cameraId, noteActivity(activity, at.getTime(), heartbeat));
      this.#unsaved.add(cameraId);
    }
  }

  /** Null: nothing received since the program started, and not for too long. */
  signal(cameraId: string): HealthSignal | null {
    const activity = this.#activities.get(cameraId);
    if (!activity) return null;
    const now = this.#clock.now().getTime();
    const silentMs = now - (activity.lastAt ?? this.#listeningSince);
    const { limitMs, because } = silenceLimit(activity, now);
    if (silentMs <= limitMs) return activity.lastAt === null ? null : HEALTHY;
    const detail = `nothing received for ${duration(silentMs)}; ${REASONS[because]} ${duration(limitMs)}`;
    return { state: 'silent', detail };
  }

  /** The site's clock was set: silence is measured from now on. */
  restart(): void {
    this.#listeningSince = this.#clock.now().getTime();
    for (const [id, activity] of this.#activities) this.#activities.set(id, forgiveSilence(activity));
  }

  /** Stores what was learned, within the running transaction. */
  save(): void {
    for (const id of this.#unsaved) {
      const { beatGaps, quiet, watchedMs } = this.#activities.get(id) ?? NO_ACTIVITY;
      this.#store.saveNote(subjectOf(id), { beatGaps, quiet, watchedMs });
    }
    this.#unsaved.clear();
  }
}

const REASONS: Record<ReturnType<typeof silenceLimit>['because'], string> = {
  heartbeats: 'it sends heartbeats, and may miss three of them:',
  'hour-of-week': 'at this hour of the week the limit is',
  'still-learning': 'its usual activity is not known yet; the limit is',
  'never-heard': 'nothing was ever received; the limit is',
};

function subjectOf(cameraId: string): string {
  return `camera-activity:${cameraId}`;
}

function duration(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / MINUTE_MS))} min`;
  return `${Math.round(ms / HOUR_MS)} h`;
}
