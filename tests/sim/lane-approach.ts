import { pause } from '@hlid/node/pause';
import { type CameraPost, post, type Sighting, type SimulatedCamera } from './camera.ts';

/** A lane as cars see it: a camera that reads them and a gate that opens or does not. */
export interface SimulatedLane {
  id: string;
  direction: 'entry' | 'exit';
  camera: SimulatedCamera;
  /** The address to which the camera pushes. A camera with `keep` is polled instead. */
  pushUrl: string;
  /** Receives the documents of a camera that is polled, in place of the address. */
  keep?: (document: CameraPost) => void;
  /** Calls back at each opening of the gate. */
  onOpening(listener: () => void): () => void;
}

/** How fast things go at a lane. */
export interface LanePace {
  /** The time between two documents of one vehicle. */
  betweenDocumentsMs: number;
  /** The time that a driver waits for the gate before anything else. */
  gatePatienceMs: number;
  /** The time from one car's passing to the next one's standing in view. */
  driveThroughMs: number;
  /** A camera tries again this number of times if its document is not accepted, after this time. */
  sendTries: number;
  sendAgainMs: number;
}

/** Watches whether the gate opens from now on. */
export interface GateWatch {
  opened(withinMs: number, signal: AbortSignal): Promise<boolean>;
  end(): void;
}

export function watchGate(lane: SimulatedLane): GateWatch {
  let isOpen = false;
  const waiting = new Set<() => void>();
  const stop = lane.onOpening(() => {
    isOpen = true;
    for (const wake of waiting) wake();
  });
  return {
    async opened(withinMs, signal) {
      if (isOpen) return true;
      const woken = new AbortController();
      const wake = () => woken.abort();
      waiting.add(wake);
      await pause(withinMs, { signal: AbortSignal.any([signal, woken.signal]) });
      waiting.delete(wake);
      return isOpen;
    },
    end: stop,
  };
}

/** Sends all reads of a vehicle while it stands there; some of them twice if requested. */
export async function showCar(
  lane: SimulatedLane,
  sighting: Sighting,
  pace: LanePace,
  options: { sendTwice: boolean },
  signal: AbortSignal,
): Promise<void> {
  for (const document of lane.camera.see(sighting)) {
    if (signal.aborted) return;
    await send(lane, document, pace, signal);
    if (options.sendTwice) await send(lane, document, pace, signal);
    await pause(pace.betweenDocumentsMs, { signal });
  }
}

/** Sends a document, again if it is not accepted, as the makers' agents do; false if it never was. */
export async function send(
  lane: SimulatedLane,
  document: CameraPost,
  pace: Pick<LanePace, 'sendTries' | 'sendAgainMs'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (lane.keep) {
    lane.keep(document);
    return true;
  }
  for (let tried = 1; tried <= pace.sendTries && !signal.aborted; tried++) {
    try {
      const answer = await post(lane.pushUrl, document, AbortSignal.any([signal, AbortSignal.timeout(5000)]));
      // A document that is refused once is refused for ever.
      if (answer.status < 500) return answer.status < 300;
    } catch {
      // The edge is away, or we are stopping.
    }
    await pause(pace.sendAgainMs, { signal });
  }
  return false;
}
