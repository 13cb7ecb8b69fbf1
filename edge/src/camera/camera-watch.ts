import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { CameraDocument } from '@hlid/protocol/plate/plate-read';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import { MendedFaults } from '../base/mended-faults.ts';
import type { CameraClocks, ClockBeliefs } from './camera-clock.ts';

/** The health of a camera, as far as it is known. */
export interface CameraView {
  id: string;
  laneId: string;
  /** Any document, heartbeats too; null: not since the program started. */
  lastSeenAt: UtcTime | null;
  lastReadAt: UtcTime | null;
  /** 0 where its clock is believed to be right. */
  clockBehindMs: number;
  /**
   * The delay that its last reads suggest instead, which open nothing until it is confirmed; 0: they agree.
   */
  clockSuspectedMs: number;
  /** Why its documents are refused; null: they are understood, or one went wrong by chance. */
  refused: string | null;
  /** The faults in its requests and documents that were mended or left out within a day; empty: none. */
  mended: readonly string[];
  /** It sends nothing but groups of vehicles that have passed, and so opens no gate. */
  groupsOnly: boolean;
}

/** A document with the camera's own token that was refused, and may be a car that was not seen otherwise. */
interface RefusedDocument {
  /** The parser's reason: a camera that is understood may send other documents besides. */
  reason?: string | undefined;
  detail: string;
}

/** The number of heartbeats kept until they are read. */
const MAX_HEARTBEATS = 1000;
/** The number of refusals in a row after which they are reported. */
const MIN_REPORTED_REFUSALS = 2;
/**
 * The number of groups in a row, without a live read between, after which they are reported: of an agent that
 * has sent live reads …
 */
const MIN_GROUPS_AFTER_LIVE = 10;
/** The same number for a camera that has sent no read since the start. */
const MIN_GROUPS = 3;

/** A camera has sent something. */
export interface SignOfLife {
  cameraId: string;
  at: Date;
  heartbeat: boolean;
}

export interface SignsOfLife {
  /** The signs since the last call: of what comes between heartbeats, the last of each camera. */
  takeSigns(): SignOfLife[];
}

interface SeenCamera {
  at: Date;
  readAt: Date | null;
}

/** Sees every document that was understood, and remembers when each camera was last alive. */
export class CameraWatch implements SignsOfLife {
  readonly #cameras: readonly { id: string; lane: string }[];
  readonly #clocks: CameraClocks;
  readonly #onClockLearned: (beliefs: ClockBeliefs) => void;
  readonly #onDocument: () => void;
  readonly #onRefused: (camera: { id: string; lane: string }, detail: string) => void;
  readonly #onMended: (camera: { id: string; lane: string }, fault: string) => void;
  readonly #log: Logger;
  readonly #seen = new Map<string, SeenCamera>();
  readonly #others = new Map<string, SignOfLife>();
  readonly #refusals = new Map<string, { count: number; detail: string }>();
  readonly #faults = new Map<string, MendedFaults>();
  readonly #groups = new Map<string, { inARow: number; afterLive: boolean }>();
  #heartbeats: SignOfLife[] = [];

  constructor(options: {
    cameras: readonly { id: string; lane: string }[];
    clocks: CameraClocks;
    /** A camera's clock was found out: keep this. */
    onClockLearned: (beliefs: ClockBeliefs) => void;
    /** Called before a document is used, so that our own clock is checked first. */
    onDocument?: () => void;
    onRefused?: (camera: { id: string; lane: string }, detail: string) => void;
    /** Called for each document that was mended, and each of its faults. */
    onMended?: (camera: { id: string; lane: string }, fault: string) => void;
    log: Logger;
  }) {
    this.#cameras = options.cameras;
    this.#clocks = options.clocks;
    this.#onClockLearned = options.onClockLearned;
    this.#onDocument = options.onDocument ?? (() => undefined);
    this.#onRefused = options.onRefused ?? (() => undefined);
    this.#onMended = options.onMended ?? (() => undefined);
    this.#log = options.log;
  }

  documentRefused(cameraId: string, { reason, detail }: RefusedDocument): void {
    const camera = this.#cameras.find(({ id }) => id === cameraId);
    if (camera) this.#onRefused(camera, detail);
    if (reason === 'unknown-kind' && this.#seen.has(cameraId)) return;
    this.#refusals.set(cameraId, { count: (this.#refusals.get(cameraId)?.count ?? 0) + 1, detail });
  }

  /** A document of the camera was understood, but had faults. */
  documentMended(cameraId: string, faults: readonly string[], at: Date): void {
    const camera = this.#cameras.find(({ id }) => id === cameraId);
    if (!camera) return;
    const known = this.#faults.get(cameraId) ?? new MendedFaults();
    this.#faults.set(cameraId, known);
    for (const fault of faults) {
      known.note(fault, at);
      this.#onMended(camera, fault);
    }
  }

  documentArrived(cameraId: string, document: CameraDocument, receivedAt: Date): void {
    this.#onDocument();
    if (document.faults) this.documentMended(cameraId, document.faults, receivedAt);
    // A heartbeat that is understood proves nothing about its plates.
    if (!document.heartbeat || document.reads.length > 0) this.#refusals.delete(cameraId);
    const readAt = document.reads.length > 0 ? receivedAt : (this.#seen.get(cameraId)?.readAt ?? null);
    this.#seen.set(cameraId, { at: receivedAt, readAt });
    this.#countGroups(cameraId, document);
    const sign = { cameraId, at: receivedAt, heartbeat: document.heartbeat };
    if (document.heartbeat && this.#heartbeats.length < MAX_HEARTBEATS) this.#heartbeats.push(sign);
    else this.#others.set(cameraId, sign);
    this.#learnClock(cameraId, document, receivedAt);
  }

  takeSigns(): SignOfLife[] {
    const signs = [...this.#heartbeats, ...this.#others.values()].sort((one, other) => +one.at - +other.at);
    this.#heartbeats = [];
    this.#others.clear();
    return signs;
  }

  cameras(): CameraView[] {
    return this.#cameras.map(({ id, lane }) => {
      const { at, readAt } = this.#seen.get(id) ?? { at: null, readAt: null };
      return {
        id,
        laneId: lane,
        lastSeenAt: at && utcTime(at),
        lastReadAt: readAt && utcTime(readAt),
        clockBehindMs: this.#clocks.clockBehindMs(id),
        clockSuspectedMs: this.#clocks.suspectedBehindMs(id),
        refused: documentRefusal(this.#refusals.get(id)),
        mended: (at && this.#faults.get(id)?.recent(at)) ?? [],
        groupsOnly: sendsGroupsOnly(this.#groups.get(id)),
      };
    });
  }

  #learnClock(cameraId: string, document: CameraDocument, receivedAt: Date): void {
    const clocks = this.#clocks;
    const live = liveMoment(document);
    if (live === null) clocks.documentReceived(cameraId, receivedAt);
    if (live === null || !clocks.observe(cameraId, new Date(live.at), receivedAt, live.key)) return;
    const behindMs = clocks.clockBehindMs(cameraId);
    this.#log.warn({ event: LOG_EVENTS.cameraClockLearned, cameraId, behindMs });
    this.#onClockLearned(clocks.beliefs());
  }

  #countGroups(cameraId: string, { reads, summary }: CameraDocument): void {
    if (reads.length === 0) return;
    const before = this.#groups.get(cameraId) ?? { inARow: 0, afterLive: false };
    const after = summary ? { ...before, inARow: before.inARow + 1 } : { inARow: 0, afterLive: true };
    this.#groups.set(cameraId, after);
  }
}

function documentRefusal(refusals: { count: number; detail: string } | undefined): string | null {
  return refusals && refusals.count >= MIN_REPORTED_REFUSALS ? refusals.detail : null;
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
