import type { Clock } from '@hlid/node/clock';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/utc-time';
import { z } from 'zod';
import { type CameraHabit, forgiveSilence, NO_HABIT, noteAlive, silenceLimit } from './camera-habit.ts';
import { type Sign, WELL } from './device-health.ts';
import type { HealthStore } from './health-store.ts';

const HabitSchema = z.object({
  beatGaps: z.array(z.number()),
  quiet: z.record(z.coerce.number<string>(), z.array(z.object({ gapMs: z.number(), at: z.number() }))),
  watchedMs: z.number(),
});

/** That a camera has said something. */
export interface SignOfLife {
  cameraId: string;
  at: Date;
  heartbeat: boolean;
}

/** Knows how often each camera speaks, and notices when one does not. */
export interface CameraEar {
  heard(signs: readonly SignOfLife[]): void;
  /** Null: nothing heard since the program started, and not for too long. */
  sign(cameraId: string): Sign | null;
  /** The site's clock was set: what is silent is so from now on. */
  startOver(): void;
  /** Keeps what was learned, within the running transaction. */
  save(): void;
}

export function createCameraEar(parts: {
  cameraIds: readonly string[];
  store: HealthStore;
  clock: Clock;
}): CameraEar {
  const { store, clock } = parts;
  let listeningSince = clock.now().getTime();
  const habits = new Map<string, CameraHabit>(
    parts.cameraIds.map((id) => [id, { ...NO_HABIT, ...store.note(subjectOf(id), HabitSchema) }]),
  );
  const unsaved = new Set<string>();

  return {
    heard(signs) {
      for (const { cameraId, at, heartbeat } of signs) {
        const habit = habits.get(cameraId);
        if (!habit) continue;
        habits.set(cameraId, noteAlive(habit, at.getTime(), heartbeat));
        unsaved.add(cameraId);
      }
    },
    sign(cameraId) {
      const habit = habits.get(cameraId);
      if (!habit) return null;
      const now = clock.now().getTime();
      const silentMs = now - (habit.lastAt ?? listeningSince);
      const { limitMs, because } = silenceLimit(habit, now);
      if (silentMs <= limitMs) return habit.lastAt === null ? null : WELL;
      const detail = `nothing heard for ${duration(silentMs)}; ${REASONS[because]} ${duration(limitMs)}`;
      return { state: 'silent', detail };
    },
    startOver() {
      listeningSince = clock.now().getTime();
      for (const [id, habit] of habits) habits.set(id, forgiveSilence(habit));
    },
    save() {
      for (const id of unsaved) {
        const { beatGaps, quiet, watchedMs } = habits.get(id) ?? NO_HABIT;
        store.saveNote(subjectOf(id), { beatGaps, quiet, watchedMs });
      }
      unsaved.clear();
    },
  };
}

const REASONS: Record<ReturnType<typeof silenceLimit>['because'], string> = {
  heartbeats: 'it sends heartbeats, and three of them take',
  'hour-of-week': 'at this hour of the week twice the usual is',
  'still-learning': 'its habit is not known yet, and allowed are',
  'never-heard': 'it was never heard of, and allowed are',
};

function subjectOf(cameraId: string): string {
  return `camera-habit:${cameraId}`;
}

function duration(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / MINUTE_MS))} min`;
  return `${Math.round(ms / HOUR_MS)} h`;
}
