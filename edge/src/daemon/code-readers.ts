import type { Clock } from '@hlid/node/clock';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import { visitInDoubt } from '@hlid/protocol/records/decision';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import type { CodeReader } from '../code-reader/code-reader.ts';
import { createCodeReader } from '../code-reader/code-reader-kinds.ts';
import type { LaneConfig } from '../config/config.ts';
import type { Health } from '../health/health.ts';
import type { SiteCore } from './site-core.ts';

interface ReaderParts {
  lanes: SiteCore['lanes'];
  health: Pick<Health, 'report'>;
  /** The rule of the kiosk. */
  accept: (typed: { visitId: string; code: string }) => Promise<KioskFault | null>;
  clock: Clock;
  log: Logger;
}

/**
 * The readers of codes at exits. A code that a driver shows is judged as one that is typed at the kiosk, for the car
 * that waits at the gate.
 */
export class CodeReaders {
  readonly #parts: ReaderParts;
  readonly #readers: readonly CodeReader[];

  constructor(lanes: readonly LaneConfig[], parts: ReaderParts) {
    this.#parts = parts;
    this.#readers = lanes.flatMap(({ id, codeReader }) =>
      codeReader === undefined
        ? []
        : [
            createCodeReader(codeReader, {
              onCode: (code) => void this.#take(id, code),
              onState: (problem) => this.#note(id, problem),
            }),
          ],
    );
  }

  start(): void {
    for (const reader of this.#readers) reader.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.stop()));
  }

  #note(laneId: string, problem: string | null): void {
    const signal =
      problem === null
        ? ({ state: 'ok', detail: '' } as const)
        : ({ state: 'unreachable', detail: problem } as const);
    this.#parts.health.report({ kind: 'code-reader', id: laneId }, 'port', signal);
  }

  /** Never rejects. */
  async #take(laneId: string, code: string): Promise<void> {
    const { lanes, accept, clock, log } = this.#parts;
    try {
      const car = lanes.get(laneId)?.cars.waitingAtExit(utcTime(clock.now())) ?? null;
      const visitId = car && (car.visitId ?? visitInDoubt(car.decision));
      const fault = visitId === null ? 'not-found' : await accept({ visitId, code });
      log.info({ event: LOG_EVENTS.codeRead, laneId, fault });
    } catch (err) {
      log.error({ event: LOG_EVENTS.codeRead, laneId, err });
    }
  }
}
