/**
 * Camera clocks are wrong: hours off, without a time zone, years ahead. How far each is behind ours is learned from
 * the delay between capture and arrival, which is small and steady for a live camera.
 *
 * A buffer that is played back after an outage has old captures too. It must not pass for a wrong clock, since its
 * reads would then open gates for cars long gone; but its delays shrink as it is worked off.
 */

/** A camera this far off is not believed to be right: the same span after which a read opens nothing. */
const BELIEVED_MS = 15_000;
/** How far the delays of a live camera may be apart. */
const STEADY_MS = 2000;
/** So many in a row move the belief … */
const EVIDENCE_NEEDED = 5;
/** … so many are worth a look, since cars stand before a gate meanwhile … */
const EVIDENCE_FOR_SUSPICION = 2;
/** … and so many are needed when they say that the clock is right, which old news hardly looks like by chance. */
const EVIDENCE_NEEDED_FOR_RIGHT = 2;
/** What arrives closer together may be one burst out of a buffer: frames of one car have one delay. */
const INDEPENDENT_MS = 1000;

/**
 * Milliseconds that each camera's clock is behind ours, below zero where it is ahead, 0 where it was found right; as it
 * can be stored.
 */
export type ClockBeliefs = Readonly<Record<string, number>>;

export interface CameraClocks {
  /**
   * Takes in one live document: when the camera says it made it, and when it came. Documents sent again change
   * nothing.
   *
   * @returns whether the beliefs have changed
   */
  observe(cameraId: string, capturedAt: Date, receivedAt: Date): boolean;
  /** Our own clock was set by so much: the cameras' were not. */
  shift(cameraIds: readonly string[], byMs: number): void;
  /** 0 where the clock is believed to be right. */
  clockBehindMs(cameraId: string): number;
  /** As its last documents have it, where nobody believes that yet; 0: nothing speaks for it. Its reads open nothing. */
  suspectedBehindMs(cameraId: string): number;
  /**
   * Whether what counts as late may stand before the camera now: its clock is suspected, or this is the first document
   * of a camera whose clock was never found right or wrong. A buffer that is played back is neither.
   */
  inDoubt(cameraId: string): boolean;
  /** To be kept and handed in again after a restart; evidence that has led to nothing yet is not part of it. */
  beliefs(): ClockBeliefs;
}

/** Delays in a row that agree with each other and not with the belief. */
interface Evidence {
  delays: number[];
  captures: Set<number>;
  lastReceived: number;
}

export function createCameraClocks(saved: ClockBeliefs = {}): CameraClocks {
  const beliefs = new Map(Object.entries(saved));
  const gathered = new Map<string, Evidence>();

  function believe(cameraId: string, behindMs: number): void {
    beliefs.set(cameraId, Math.abs(behindMs) <= BELIEVED_MS ? 0 : behindMs);
  }

  function suspectedBehindMs(cameraId: string): number {
    const { delays } = gathered.get(cameraId) ?? { delays: [] };
    return delays.length < EVIDENCE_FOR_SUSPICION ? 0 : Math.min(...delays);
  }

  return {
    observe(cameraId, capturedAt, receivedAt) {
      const captured = capturedAt.getTime();
      const received = receivedAt.getTime();
      const delay = received - captured;
      if (Math.abs(delay - (beliefs.get(cameraId) ?? 0)) <= BELIEVED_MS) {
        gathered.delete(cameraId);
        if (beliefs.has(cameraId)) return false;
        believe(cameraId, 0);
        return true;
      }
      const evidence = gathered.get(cameraId);
      if (evidence?.captures.has(captured)) return false;
      if (!evidence || !agrees(evidence, delay)) {
        gathered.set(cameraId, { delays: [delay], captures: new Set([captured]), lastReceived: received });
        return false;
      }
      if (received - evidence.lastReceived < INDEPENDENT_MS) return false;
      evidence.delays.push(delay);
      evidence.captures.add(captured);
      evidence.lastReceived = received;
      const needed = Math.abs(delay) <= STEADY_MS ? EVIDENCE_NEEDED_FOR_RIGHT : EVIDENCE_NEEDED;
      if (evidence.delays.length < needed) return false;
      // The smallest delay has the least of the network in it.
      const behindMs = Math.min(...evidence.delays);
      believe(cameraId, behindMs);
      gathered.delete(cameraId);
      return true;
    },
    shift(cameraIds, byMs) {
      gathered.clear();
      for (const cameraId of cameraIds) {
        const known = beliefs.get(cameraId);
        if (known !== undefined || Math.abs(byMs) > BELIEVED_MS) believe(cameraId, (known ?? 0) + byMs);
      }
    },
    clockBehindMs: (cameraId) => beliefs.get(cameraId) ?? 0,
    suspectedBehindMs,
    inDoubt: (cameraId) =>
      suspectedBehindMs(cameraId) !== 0 ||
      (!beliefs.has(cameraId) && gathered.get(cameraId)?.delays.length === 1),
    beliefs: () => Object.fromEntries(beliefs),
  };
}

function agrees(evidence: Evidence, delay: number): boolean {
  const all = [...evidence.delays, delay];
  return Math.max(...all) - Math.min(...all) <= 2 * STEADY_MS;
}
