import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';

/**
 * Camera clocks are wrong: hours off, without a time zone, years ahead, set while cars pass. How far each is
 * behind ours is learned from the delay between capture and arrival, which is small and steady for a live
 * camera.
 *
 * A buffer that is played back after an outage has old captures too. It must not pass for a wrong clock: its
 * reads would then open gates for cars long gone. Two signs distinguish it: the delays shrink as the buffer
 * empties, and the camera was silent when the captures were made.
 */

/** A camera this far off is not believed to be right: the same span after which a read opens nothing. */
const BELIEVED_MS = 15_000;
/** How far the delays of a live camera may be apart. */
const STEADY_MS = 2000;
/**
 * The number of such documents in a row that change the belief where nothing else speaks for a wrong clock …
 */
const EVIDENCE_NEEDED = 5;
/** The number that raises a suspicion. It is smaller, since cars stand before a gate meanwhile. */
const EVIDENCE_FOR_SUSPICION = 2;
/**
 * Documents that arrive closer together may be one burst out of a buffer: frames of one car have one delay.
 */
const INDEPENDENT_MS = 1000;
/** Old reads of different age that come within this time are a buffer that is played back. */
const PLAYBACK_MS = MINUTE_MS;
/** A camera that was active within this many minutes after a moment could have sent what it saw then. */
const ACTIVE_AFTER_MINUTES = 10;
/**
 * … or was active this long after it, and this long before now: the first sign after an outage may be that of
 * a buffer.
 */
const ACTIVE_BETWEEN_MS = 5000;
/** The number of moments of activity that are kept to the millisecond. */
const MAX_MOMENTS = 40;
/** A buffer comes within this time after its camera is active again. */
const BACKLOG_MS = 2 * MINUTE_MS;
/** The number of keys among which a repeated document is recognised. */
const MAX_KEYS = 200;
/** No buffer is older than this. */
const MAX_BUFFER_MS = 30 * DAY_MS;
/** Time zones differ by no more. */
const MAX_ZONE_MS = 26 * HOUR_MS;
/** How far back the minutes in which a camera was active are known. */
const ACTIVITY_MINUTES = 26 * 60;

/**
 * Milliseconds that each camera's clock is behind the edge's, below zero where it is ahead, 0 where it was found right; as it
 * can be stored.
 */
export type ClockBeliefs = Readonly<Record<string, number>>;

/** The learned corrections of the cameras' clocks. */
export class CameraClocks {
  readonly #clocks = new Map<string, CameraClock>();

  constructor(saved: ClockBeliefs = {}) {
    for (const [cameraId, behindMs] of Object.entries(saved)) {
      this.#clocks.set(cameraId, new CameraClock(behindMs));
    }
  }

  /** A camera has sent something without a time. */
  documentReceived(cameraId: string, receivedAt: Date): void {
    this.#clockOf(cameraId).documentReceived(receivedAt.getTime());
  }

  /**
   * Takes in one live document: its time by the camera's clock, and its time of arrival. Documents sent again
   * change nothing.
   *
   * @param key the same for a document that is sent again, and for no other
   * @returns whether the beliefs have changed
   */
  observe(cameraId: string, capturedAt: Date, receivedAt: Date, key: string): boolean {
    return this.#clockOf(cameraId).observe(capturedAt.getTime(), receivedAt.getTime(), key);
  }

  /** Shifts the times by a change of our own clock: the cameras' were not set, or were set with it. */
  shift(cameraIds: readonly string[], byMs: number): void {
    for (const cameraId of cameraIds) this.#clockOf(cameraId).shift(byMs);
  }

  /** 0 where the clock is believed to be right. */
  clockBehindMs(cameraId: string): number {
    return this.#clocks.get(cameraId)?.belief() ?? 0;
  }

  /**
   * The time by which the camera's clock seems to be behind, by its last documents, while that is not
   * confirmed yet; 0: nothing suggests it. Its reads open nothing.
   */
  suspectedBehindMs(cameraId: string): number {
    return this.#clocks.get(cameraId)?.suspicion() ?? 0;
  }

  /**
   * Whether what counts as late may stand before the camera now: there is no sign that it comes out of a
   * buffer that is played back.
   */
  inDoubt(cameraId: string): boolean {
    return this.#clocks.get(cameraId)?.inDoubt() === true;
  }

  /**
   * The beliefs to keep and pass in again after a restart; evidence without a result yet is not part of them.
   */
  beliefs(): ClockBeliefs {
    const beliefs: Record<string, number> = {};
    for (const [cameraId, clock] of this.#clocks) {
      const belief = clock.belief();
      if (belief !== undefined) beliefs[cameraId] = belief;
    }
    return beliefs;
  }

  #clockOf(cameraId: string): CameraClock {
    const known = this.#clocks.get(cameraId);
    if (known) return known;
    const clock = new CameraClock();
    this.#clocks.set(cameraId, clock);
    return clock;
  }
}

/** Delays in a row that agree with each other and not with the belief. */
interface Evidence {
  delays: number[];
  lastReceived: number;
}

/** A belief that a single document has moved: the next one confirms it or takes it back. */
interface Trial {
  /** The correction before this change. */
  before: number | undefined;
  delay: number;
  received: number;
}

/** The clock of one camera. */
class CameraClock {
  readonly #receiveTimes = new ReceiveTimes();
  readonly #lastKeys = new Set<string>();
  #belief: number | undefined;
  #evidence: Evidence | null = null;
  #trial: Trial | null = null;
  /** The correction before our own clock was set. */
  #unshifted: number | undefined;
  /** The time until which old reads count as those of a buffer. */
  #playbackUntil = Number.NEGATIVE_INFINITY;

  constructor(belief?: number) {
    this.#belief = belief;
  }

  belief(): number | undefined {
    return this.#belief;
  }

  suspicion(): number {
    const { delays } = this.#evidence ?? { delays: [] };
    return delays.length < EVIDENCE_FOR_SUSPICION ? 0 : Math.min(...delays);
  }

  inDoubt(): boolean {
    return this.#evidence !== null && !this.#isPlayback(this.#evidence.lastReceived);
  }

  documentReceived(received: number): void {
    this.#receiveTimes.add(received);
  }

  observe(captured: number, received: number, key: string): boolean {
    if (this.#isSentAgain(key)) return false;
    const delay = received - captured;
    const changed = this.#weigh(delay, received);
    // A late document does not show that the camera could send earlier ones.
    if (Math.abs(delay - (this.#belief ?? 0)) <= BELIEVED_MS) this.#receiveTimes.add(received);
    return changed;
  }

  shift(byMs: number): void {
    this.#evidence = null;
    this.#trial = null;
    this.#playbackUntil = Number.NEGATIVE_INFINITY;
    this.#receiveTimes.shift(byMs);
    const known = this.#belief;
    this.#unshifted = known ?? 0;
    if (known !== undefined || Math.abs(byMs) > BELIEVED_MS) this.#believe((known ?? 0) + byMs);
  }

  /** @returns whether the belief has changed */
  #weigh(delay: number, received: number): boolean {
    const takenBack = this.#tryBelief(delay, received);
    if (Math.abs(delay - (this.#belief ?? 0)) <= BELIEVED_MS) {
      this.#evidence = null;
      this.#unshifted = undefined;
      if (this.#belief !== undefined) return takenBack;
      this.#believe(0);
      return true;
    }
    const sure = this.#isClockForSure(delay);
    if (sure || this.#isClockLikely(delay, received)) {
      this.#move(delay, received, !sure);
      return true;
    }
    const enough = this.#gather(delay, received);
    if (!enough) return takenBack;
    // The smallest delay has the least of the network in it.
    this.#believe(Math.min(...enough.delays));
    this.#evidence = null;
    return true;
  }

  #believe(behindMs: number): void {
    this.#belief = Math.abs(behindMs) <= BELIEVED_MS ? 0 : behindMs;
  }

  #isSentAgain(key: string): boolean {
    const keys = this.#lastKeys;
    if (keys.has(key)) return true;
    keys.add(key);
    const [oldest] = keys;
    if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest);
    return false;
  }

  #isPlayback(received: number): boolean {
    return received <= this.#playbackUntil;
  }

  /**
   * Whether a single document shows that the clock is off by this delay: no buffer is so old, or so young.
   */
  #isClockForSure(delay: number): boolean {
    // Old news hardly looks like news by chance.
    if (Math.abs(delay) <= BELIEVED_MS) return true;
    const known = this.#unshifted;
    if (known !== undefined && Math.abs(delay - known) <= BELIEVED_MS) return true;
    return Math.abs(delay - (this.#belief ?? 0)) > MAX_BUFFER_MS;
  }

  /** Whether a clock was set rather than a buffer is played back, unless the next document contradicts it. */
  #isClockLikely(delay: number, received: number): boolean {
    const offMs = delay - (this.#belief ?? 0);
    const evidence = this.#evidence;
    if (offMs < 0 || this.#isPlayback(received) || (evidence && !agrees(evidence, delay))) return false;
    // The first document after a start may have waited for it.
    if (this.#receiveTimes.isReceived() && (isWholeHours(delay) || isWholeHours(offMs))) return true;
    return this.#receiveTimes.couldHaveSent(received - offMs, received);
  }

  /**
   * Confirms a belief on trial, or takes it back: then what moved it was the first of a buffer.
   *
   * @returns whether it was taken back
   */
  #tryBelief(delay: number, received: number): boolean {
    const trial = this.#trial;
    if (!trial) return false;
    if (Math.abs(delay - trial.delay) <= 2 * STEADY_MS) {
      if (received - trial.received >= INDEPENDENT_MS) this.#trial = null;
      return false;
    }
    this.#trial = null;
    if (received - trial.received > PLAYBACK_MS) return false;
    this.#belief = trial.before;
    this.#playbackUntil = received + PLAYBACK_MS;
    return true;
  }

  #move(delay: number, received: number, trial: boolean): void {
    this.#trial = trial ? { before: this.#belief, delay, received } : null;
    this.#unshifted = undefined;
    this.#evidence = null;
    this.#believe(delay);
  }

  /** Puts down a delay that nothing explains yet. @returns the evidence where it is enough to believe it */
  #gather(delay: number, received: number): Evidence | null {
    const evidence = this.#evidence;
    if (this.#isPlayback(received)) this.#playbackUntil = received + PLAYBACK_MS;
    if (!evidence || !agrees(evidence, delay)) {
      const soon = evidence !== null && received - evidence.lastReceived <= PLAYBACK_MS;
      if (soon) this.#playbackUntil = received + PLAYBACK_MS;
      this.#evidence = { delays: [delay], lastReceived: received };
      return null;
    }
    if (received - evidence.lastReceived < INDEPENDENT_MS) return null;
    evidence.delays.push(delay);
    evidence.lastReceived = received;
    this.#playbackUntil = Number.NEGATIVE_INFINITY;
    return evidence.delays.length >= EVIDENCE_NEEDED ? evidence : null;
  }
}

/** The moments in which a camera was active live since the start. */
class ReceiveTimes {
  #minutes = new Set<number>();
  #moments: number[] = [];
  #firstReceived: number | null = null;

  add(at: number): void {
    this.#firstReceived ??= at;
    this.#moments.push(at);
    if (this.#moments.length > MAX_MOMENTS) this.#moments.shift();
    this.#minutes.add(minuteOf(at));
    const [oldest] = this.#minutes;
    if (this.#minutes.size > ACTIVITY_MINUTES && oldest !== undefined) this.#minutes.delete(oldest);
  }

  isReceived(): boolean {
    return this.#firstReceived !== null;
  }

  /**
   * Whether a camera could have sent before now what it saw then: it was active soon after, or has been for
   * long.
   */
  couldHaveSent(then: number, now: number): boolean {
    const first = this.#firstReceived;
    if (first === null) return false;
    if (then < first) return now - first > BACKLOG_MS;
    const between = (at: number) => at > then + ACTIVE_BETWEEN_MS && at < now - ACTIVE_BETWEEN_MS;
    if (this.#moments.some(between)) return true;
    for (let minute = minuteOf(then) + 1; minute <= minuteOf(then) + ACTIVE_AFTER_MINUTES; minute++) {
      if (minute < minuteOf(now) && this.#minutes.has(minute)) return true;
    }
    return false;
  }

  shift(byMs: number): void {
    if (this.#firstReceived !== null) this.#firstReceived += byMs;
    this.#moments = this.#moments.map((at) => at + byMs);
    this.#minutes = new Set([...this.#minutes].map((minute) => minute + Math.round(byMs / MINUTE_MS)));
  }
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}

function isWholeHours(ms: number): boolean {
  const hours = Math.round(ms / HOUR_MS);
  return hours !== 0 && Math.abs(ms) <= MAX_ZONE_MS && Math.abs(ms - hours * HOUR_MS) <= STEADY_MS;
}

function agrees(evidence: Evidence, delay: number): boolean {
  const all = [...evidence.delays, delay];
  return Math.max(...all) - Math.min(...all) <= 2 * STEADY_MS;
}
