/**
 * A fault of the device. `silent`: takes the request and never answers; `dropped`: cuts the connection in the
 * middle of its answer; `slow`: acts at once, answers late; `fault`: says no and does nothing.
 */
type OnvifFault =
  | { kind: 'silent' | 'dropped'; acts: boolean }
  | { kind: 'slow'; answersAfterMs: number }
  | { kind: 'fault'; code?: string };

/** The faults of the device, set by a test. */
export interface OnvifFaults {
  /** Adds a fault to a number of requests (default: all) of this operation (default: any). */
  fail(fault: OnvifFault, which?: { times?: number; operation?: string }): void;
  heal(): void;
  /** The fault for a request of this operation, which is counted; null: none. */
  next(operation: string): OnvifFault | null;
}

export function createFaults(): OnvifFaults {
  let failing: { fault: OnvifFault; times: number; operation: string | undefined } | null = null;

  return {
    fail(fault, { times = Number.POSITIVE_INFINITY, operation } = {}) {
      failing = { fault, times, operation };
    },
    heal() {
      failing = null;
    },
    next(operation) {
      if (!failing || (failing.operation ?? operation) !== operation) return null;
      const { fault } = failing;
      if (--failing.times <= 0) failing = null;
      return fault;
    },
  };
}
