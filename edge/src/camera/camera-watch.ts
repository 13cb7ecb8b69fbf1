import type { CameraDocument } from '@hlid/protocol/plate-read';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../events.ts';
import type { CameraClocks, ClockBeliefs } from './camera-clock.ts';

/** What is known of a camera's health. */
export interface CameraView {
  id: string;
  laneId: string;
  /** Any document, heartbeats too; null: not since the program started. */
  lastSeenAt: UtcTime | null;
  lastReadAt: UtcTime | null;
  /** 0 where its clock is believed to be right. */
  clockBehindMs: number;
}

/** Sees every document that was understood, and remembers when each camera was last alive. */
export interface CameraWatch {
  documentArrived(cameraId: string, document: CameraDocument, receivedAt: Date): void;
  cameras(): CameraView[];
}

export function createCameraWatch(parts: {
  cameras: readonly { id: string; lane: string }[];
  clocks: CameraClocks;
  /** A camera's clock was found out: keep this. */
  onClockLearned: (beliefs: ClockBeliefs) => void;
  log: Logger;
}): CameraWatch {
  const { clocks, log } = parts;
  const seen = new Map<string, { at: Date; readAt: Date | null }>();

  return {
    documentArrived(cameraId, document, receivedAt) {
      const readAt = document.reads.length > 0 ? receivedAt : (seen.get(cameraId)?.readAt ?? null);
      seen.set(cameraId, { at: receivedAt, readAt });
      const capturedAt = liveMoment(document);
      if (capturedAt === null || !clocks.observe(cameraId, new Date(capturedAt), receivedAt)) return;
      const behindMs = clocks.clockBehindMs(cameraId);
      log.warn({ event: LOG_EVENTS.cameraClockLearned, cameraId, behindMs });
      parts.onClockLearned(clocks.beliefs());
    },
    cameras: () =>
      parts.cameras.map(({ id, lane }) => {
        const { at, readAt } = seen.get(id) ?? { at: null, readAt: null };
        return {
          id,
          laneId: lane,
          lastSeenAt: at && utcTime(at),
          lastReadAt: readAt && utcTime(readAt),
          clockBehindMs: clocks.clockBehindMs(id),
        };
      }),
  };
}

/** The camera's own time of something that happens now: not of what came late by its nature, or began long ago. */
function liveMoment(document: CameraDocument): UtcTime | null {
  if (document.sentAt !== undefined) return document.sentAt;
  return document.reads.find((read) => !read.late && !read.parked)?.capturedAt ?? null;
}
