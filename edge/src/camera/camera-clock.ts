/**
 * Camera clocks are wrong: hours off, without a time zone, years ahead, set while cars pass. How far each is behind ours
 * is learned from the delay between capture and arrival, which is small and steady for a live camera.
 *
 * A buffer that is played back after an outage has old captures too. It must not pass for a wrong clock, since its
 * reads would then open gates for cars long gone; but its delays shrink as it is worked off, and the camera was not
 * heard when they were made.
 */

/** A camera this far off is not believed to be right: the same span after which a read opens nothing. */
const BELIEVED_MS = 15_000;
/** How far the delays of a live camera may be apart. */
const STEADY_MS = 2000;
/** So many in a row move the belief where nothing else speaks for a wrong clock … */
const EVIDENCE_NEEDED = 5;
/** … and so many are worth a look, since cars stand before a gate meanwhile. */
const EVIDENCE_FOR_SUSPICION = 2;
/** What arrives closer together may be one burst out of a buffer: frames of one car have one delay. */
const INDEPENDENT_MS = 1000;
/** Old reads of different age that come within this time are a buffer that is played back. */
const PLAYBACK_MS = 60_000;
/** A camera that was heard within so many minutes after a moment could have sent what it saw then … */
const HEARD_AFTER_MINUTES = 10;
/** … or was heard so long after it, and so long before now: the first sign after an outage may be that of a buffer. */
const HEARD_BETWEEN_MS = 5000;
/** So many moments in which it was heard are kept to the millisecond. */
const MAX_MOMENTS = 40;
/** A buffer comes within this time after its camera is heard again. */
const BACKLOG_MS = 120_000;
/** A document that is sent again is one of so many. */
const MAX_KEYS = 200;
/** No buffer is kept so long. */
const MAX_BUFFER_MS = 30 * 86_400_000;
const HOUR_MS = 3_600_000;
/** Time zones differ by no more. */
const MAX_ZONE_MS = 26 * HOUR_MS;
/** How far back it is known in which minutes a camera was heard. */
const HEARD_MINUTES = 26 * 60;

/**
 * Milliseconds that each camera's clock is behind ours, below zero where it is ahead, 0 where it was found right; as it
 * can be stored.
 */
export type ClockBeliefs = Readonly<Record<string, number>>;

export interface CameraClocks {
  /** Something without a time was heard of a camera. */
  heard(cameraId: string, receivedAt: Date): void;
  /**
   * Takes in one live document: when the camera says it made it, and when it came. Documents sent again change
   * nothing.
   *
   * @param key the same for a document that is sent again, and for no other
   * @returns whether the beliefs have changed
   */
  observe(cameraId: string, capturedAt: Date, receivedAt: Date, key: string): boolean;
  /** Our own clock was set by so much: the cameras' were not, or were set with it. */
  shift(cameraIds: readonly string[], byMs: number): void;
  /** 0 where the clock is believed to be right. */
  clockBehindMs(cameraId: string): number;
  /** As its last documents have it, where nobody believes that yet; 0: nothing speaks for it. Its reads open nothing. */
  suspectedBehindMs(cameraId: string): number;
  /**
   * Whether what counts as late may stand before the camera now: nothing says that it comes out of a buffer that is
   * played back.
   */
  inDoubt(cameraId: string): boolean;
  /** To be kept and handed in again after a restart; evidence that has led to nothing yet is not part of it. */
  beliefs(): ClockBeliefs;
}

/** Delays in a row that agree with each other and not with the belief. */
interface Evidence {
  delays: number[];
  lastReceived: number;
}

/** A belief that a single document has moved: the next one confirms it or takes it back. */
interface Trial {
  /** What was believed before. */
  before: number | undefined;
  delay: number;
  received: number;
}

export function createCameraClocks(saved: ClockBeliefs = {}): CameraClocks {
  const beliefs = new Map(Object.entries(saved));
  const gathered = new Map<string, Evidence>();
  const trials = new Map<string, Trial>();
  /** What was believed before our own clock was set. */
  const unshifted = new Map<string, number>();
  /** Until when old reads are taken for a buffer. */
  const playbackUntil = new Map<string, number>();
  const lastKeys = new Map<string, Set<string>>();
  const hearing = createHearing();

  function believe(cameraId: string, behindMs: number): void {
    beliefs.set(cameraId, Math.abs(behindMs) <= BELIEVED_MS ? 0 : behindMs);
  }

  function suspectedBehindMs(cameraId: string): number {
    const { delays } = gathered.get(cameraId) ?? { delays: [] };
    return delays.length < EVIDENCE_FOR_SUSPICION ? 0 : Math.min(...delays);
  }

  function isSentAgain(cameraId: string, key: string): boolean {
    const known = lastKeys.get(cameraId) ?? new Set();
    lastKeys.set(cameraId, known);
    if (known.has(key)) return true;
    known.add(key);
    const [oldest] = known;
    if (known.size > MAX_KEYS && oldest !== undefined) known.delete(oldest);
    return false;
  }

  function isPlayback(cameraId: string, received: number): boolean {
    return received <= (playbackUntil.get(cameraId) ?? Number.NEGATIVE_INFINITY);
  }

  /** Whether a single document shows that the clock is off by so much: no buffer is so old, or so young. */
  function isClockForSure(cameraId: string, delay: number): boolean {
    // Old news hardly looks like news by chance.
    if (Math.abs(delay) <= BELIEVED_MS) return true;
    const known = unshifted.get(cameraId);
    if (known !== undefined && Math.abs(delay - known) <= BELIEVED_MS) return true;
    return Math.abs(delay - (beliefs.get(cameraId) ?? 0)) > MAX_BUFFER_MS;
  }

  /** Whether a clock was set rather than a buffer is played back, as long as the next document says nothing else. */
  function isClockLikely(cameraId: string, delay: number, received: number): boolean {
    const offMs = delay - (beliefs.get(cameraId) ?? 0);
    const evidence = gathered.get(cameraId);
    if (offMs < 0 || isPlayback(cameraId, received) || (evidence && !agrees(evidence, delay))) return false;
    // What comes first after a start may have waited for it.
    if (hearing.isHeard(cameraId) && (isWholeHours(delay) || isWholeHours(offMs))) return true;
    return hearing.couldHaveSent(cameraId, received - offMs, received);
  }

  /**
   * Confirms a belief on trial, or takes it back: then what moved it was the first of a buffer.
   *
   * @returns whether it was taken back
   */
  function tryBelief(cameraId: string, delay: number, received: number): boolean {
    const trial = trials.get(cameraId);
    if (!trial) return false;
    if (Math.abs(delay - trial.delay) <= 2 * STEADY_MS) {
      if (received - trial.received >= INDEPENDENT_MS) trials.delete(cameraId);
      return false;
    }
    trials.delete(cameraId);
    if (received - trial.received > PLAYBACK_MS) return false;
    if (trial.before === undefined) beliefs.delete(cameraId);
    else beliefs.set(cameraId, trial.before);
    playbackUntil.set(cameraId, received + PLAYBACK_MS);
    return true;
  }

  function move(cameraId: string, delay: number, received: number, trial: boolean): void {
    if (trial) trials.set(cameraId, { before: beliefs.get(cameraId), delay, received });
    else trials.delete(cameraId);
    unshifted.delete(cameraId);
    gathered.delete(cameraId);
    believe(cameraId, delay);
  }

  /** Puts down a delay that nothing explains yet; true where there are enough of them to believe it. */
  function gather(cameraId: string, delay: number, received: number): boolean {
    const evidence = gathered.get(cameraId);
    if (isPlayback(cameraId, received)) playbackUntil.set(cameraId, received + PLAYBACK_MS);
    if (!evidence || !agrees(evidence, delay)) {
      const soon = evidence !== undefined && received - evidence.lastReceived <= PLAYBACK_MS;
      if (soon) playbackUntil.set(cameraId, received + PLAYBACK_MS);
      gathered.set(cameraId, { delays: [delay], lastReceived: received });
      return false;
    }
    if (received - evidence.lastReceived < INDEPENDENT_MS) return false;
    evidence.delays.push(delay);
    evidence.lastReceived = received;
    playbackUntil.delete(cameraId);
    return evidence.delays.length >= EVIDENCE_NEEDED;
  }

  function observe(cameraId: string, delay: number, received: number): boolean {
    const takenBack = tryBelief(cameraId, delay, received);
    if (Math.abs(delay - (beliefs.get(cameraId) ?? 0)) <= BELIEVED_MS) {
      gathered.delete(cameraId);
      unshifted.delete(cameraId);
      if (beliefs.has(cameraId)) return takenBack;
      believe(cameraId, 0);
      return true;
    }
    const sure = isClockForSure(cameraId, delay);
    if (sure || isClockLikely(cameraId, delay, received)) {
      move(cameraId, delay, received, !sure);
      return true;
    }
    if (!gather(cameraId, delay, received)) return takenBack;
    // The smallest delay has the least of the network in it.
    believe(cameraId, Math.min(...(gathered.get(cameraId)?.delays ?? [delay])));
    gathered.delete(cameraId);
    return true;
  }

  return {
    heard: (cameraId, receivedAt) => hearing.add(cameraId, receivedAt.getTime()),
    observe(cameraId, capturedAt, receivedAt, key) {
      if (isSentAgain(cameraId, key)) return false;
      const received = receivedAt.getTime();
      const delay = received - capturedAt.getTime();
      const changed = observe(cameraId, delay, received);
      // What comes late is no sign that a camera could send what it saw before.
      const isLive = Math.abs(delay - (beliefs.get(cameraId) ?? 0)) <= BELIEVED_MS;
      if (isLive) hearing.add(cameraId, received);
      return changed;
    },
    shift(cameraIds, byMs) {
      gathered.clear();
      trials.clear();
      playbackUntil.clear();
      hearing.shift(byMs);
      for (const cameraId of cameraIds) {
        const known = beliefs.get(cameraId);
        unshifted.set(cameraId, known ?? 0);
        if (known !== undefined || Math.abs(byMs) > BELIEVED_MS) believe(cameraId, (known ?? 0) + byMs);
      }
    },
    clockBehindMs: (cameraId) => beliefs.get(cameraId) ?? 0,
    suspectedBehindMs,
    inDoubt(cameraId) {
      const evidence = gathered.get(cameraId);
      return evidence !== undefined && !isPlayback(cameraId, evidence.lastReceived);
    },
    beliefs: () => Object.fromEntries(beliefs),
  };
}

/** When each camera was heard live since the start. */
function createHearing() {
  const minutes = new Map<string, Set<number>>();
  const moments = new Map<string, number[]>();
  const firstHeard = new Map<string, number>();
  const minuteOf = (ms: number) => Math.floor(ms / 60_000);

  return {
    add(cameraId: string, at: number): void {
      if (!firstHeard.has(cameraId)) firstHeard.set(cameraId, at);
      moments.set(cameraId, [...(moments.get(cameraId) ?? []), at].slice(-MAX_MOMENTS));
      const heard = minutes.get(cameraId) ?? new Set();
      heard.add(minuteOf(at));
      const [oldest] = heard;
      if (heard.size > HEARD_MINUTES && oldest !== undefined) heard.delete(oldest);
      minutes.set(cameraId, heard);
    },
    isHeard: (cameraId: string) => firstHeard.has(cameraId),
    /** Whether a camera could have sent before now what it saw then: it was heard soon after, or for long since. */
    couldHaveSent(cameraId: string, then: number, now: number): boolean {
      const first = firstHeard.get(cameraId);
      if (first === undefined) return false;
      if (then < first) return now - first > BACKLOG_MS;
      const between = (at: number) => at > then + HEARD_BETWEEN_MS && at < now - HEARD_BETWEEN_MS;
      if (moments.get(cameraId)?.some(between)) return true;
      const heard = minutes.get(cameraId);
      for (let minute = minuteOf(then) + 1; minute <= minuteOf(then) + HEARD_AFTER_MINUTES; minute++) {
        if (minute < minuteOf(now) && heard?.has(minute)) return true;
      }
      return false;
    },
    shift(byMs: number): void {
      for (const [cameraId, first] of firstHeard) firstHeard.set(cameraId, first + byMs);
      for (const [cameraId, known] of moments)
        moments.set(
          cameraId,
          known.map((at) => at + byMs),
        );
      for (const [cameraId, heard] of minutes) {
        minutes.set(cameraId, new Set([...heard].map((minute) => minute + Math.round(byMs / 60_000))));
      }
    },
  };
}

function isWholeHours(ms: number): boolean {
  const hours = Math.round(ms / HOUR_MS);
  return hours !== 0 && Math.abs(ms) <= MAX_ZONE_MS && Math.abs(ms - hours * HOUR_MS) <= STEADY_MS;
}

function agrees(evidence: Evidence, delay: number): boolean {
  const all = [...evidence.delays, delay];
  return Math.max(...all) - Math.min(...all) <= 2 * STEADY_MS;
}
