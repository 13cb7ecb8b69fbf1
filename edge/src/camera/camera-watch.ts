import type { CameraDocument } from '@hlid/protocol/plate-read';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../events.ts';
import type { SignOfLife } from '../health/camera-silence-monitor.ts';
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
  /** What its last reads say instead, which open nothing until that is believed; 0: they agree. */
  clockSuspectedMs: number;
  /** Why its documents are refused; null: they are understood, or one went wrong by chance. */
  refused: string | null;
  /** It sends nothing but groups of vehicles that have passed, and so opens no gate. */
  groupsOnly: boolean;
}

/** A document with the camera's own token that was of no use, and so perhaps a car that nobody has seen. */
interface RefusedDocument {
  /** The parser's word: a camera that is understood may well say other things besides. */
  reason?: string | undefined;
  why: string;
}

/** Kept until somebody asks for them. */
const MAX_HEARTBEATS = 1000;
/** In a row, before anything is said of it. */
const REFUSALS_WORTH_TELLING = 2;
/** Groups in a row, without a live read between, before anything is said of it: of an agent that has sent live reads … */
const MIN_GROUPS_AFTER_LIVE = 10;
/** … and of one that has sent none since the start. */
const MIN_GROUPS = 3;

/** Sees every document that was understood, and remembers when each camera was last alive. */
export interface CameraWatch {
  documentArrived(cameraId: string, document: CameraDocument, receivedAt: Date): void;
  documentRefused(cameraId: string, refused: RefusedDocument): void;
  cameras(): CameraView[];
}

export interface SignsOfLife {
  /** What was heard since it was last asked for: of what comes between heartbeats, the last of each camera. */
  takeSigns(): SignOfLife[];
}

export function createCameraWatch(parts: {
  cameras: readonly { id: string; lane: string }[];
  clocks: CameraClocks;
  /** A camera's clock was found out: keep this. */
  onClockLearned: (beliefs: ClockBeliefs) => void;
  /** Before anything is made of a document: whoever sees to our own clock does so now. */
  onDocument?: () => void;
  onRefused?: (camera: { id: string; lane: string }, why: string) => void;
  log: Logger;
}): CameraWatch & SignsOfLife {
  const { clocks, log } = parts;
  const seen = new Map<string, { at: Date; readAt: Date | null }>();
  let heartbeats: SignOfLife[] = [];
  const others = new Map<string, SignOfLife>();
  const refusals = new Map<string, { count: number; why: string }>();
  const groups = new Map<string, { inARow: number; afterLive: boolean }>();

  function countGroups(cameraId: string, { reads, summary }: CameraDocument): void {
    if (reads.length === 0) return;
    const before = groups.get(cameraId) ?? { inARow: 0, afterLive: false };
    groups.set(cameraId, summary ? { ...before, inARow: before.inARow + 1 } : { inARow: 0, afterLive: true });
  }

  return {
    documentRefused(cameraId, { reason, why }) {
      const camera = parts.cameras.find(({ id }) => id === cameraId);
      if (camera) parts.onRefused?.(camera, why);
      if (reason === 'unknown-kind' && seen.has(cameraId)) return;
      refusals.set(cameraId, { count: (refusals.get(cameraId)?.count ?? 0) + 1, why });
    },
    documentArrived(cameraId, document, receivedAt) {
      parts.onDocument?.();
      // A heartbeat that is understood says nothing of its plates.
      if (!document.heartbeat || document.reads.length > 0) refusals.delete(cameraId);
      const readAt = document.reads.length > 0 ? receivedAt : (seen.get(cameraId)?.readAt ?? null);
      seen.set(cameraId, { at: receivedAt, readAt });
      countGroups(cameraId, document);
      const sign = { cameraId, at: receivedAt, heartbeat: document.heartbeat };
      if (document.heartbeat && heartbeats.length < MAX_HEARTBEATS) heartbeats.push(sign);
      else others.set(cameraId, sign);
      const live = liveMoment(document);
      if (live === null) clocks.heard(cameraId, receivedAt);
      if (live === null || !clocks.observe(cameraId, new Date(live.at), receivedAt, live.key)) return;
      const behindMs = clocks.clockBehindMs(cameraId);
      log.warn({ event: LOG_EVENTS.cameraClockLearned, cameraId, behindMs });
      parts.onClockLearned(clocks.beliefs());
    },
    takeSigns() {
      const signs = [...heartbeats, ...others.values()].sort((one, other) => +one.at - +other.at);
      heartbeats = [];
      others.clear();
      return signs;
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
          clockSuspectedMs: clocks.suspectedBehindMs(id),
          refused: whyRefused(refusals.get(id)),
          groupsOnly: sendsGroupsOnly(groups.get(id)),
        };
      }),
  };
}

function whyRefused(refusals: { count: number; why: string } | undefined): string | null {
  return refusals && refusals.count >= REFUSALS_WORTH_TELLING ? refusals.why : null;
}

function sendsGroupsOnly(groups: { inARow: number; afterLive: boolean } | undefined): boolean {
  return groups !== undefined && groups.inARow >= (groups.afterLive ? MIN_GROUPS_AFTER_LIVE : MIN_GROUPS);
}

/** The camera's own time of something that happens now: not of what came late by its nature, or began long ago. */
function liveMoment({ sentAt, reads }: CameraDocument): { at: UtcTime; key: string } | null {
  if (sentAt !== undefined) return { at: sentAt, key: `sent at ${sentAt}` };
  const read = reads.find((read) => !read.late && !read.parked);
  return read?.capturedAt ? { at: read.capturedAt, key: read.eventKey } : null;
}
