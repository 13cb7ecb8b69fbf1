import { comparePlates } from '@hlid/protocol/plate';
import { pause } from './pause.ts';

/** What a cashier needs of the cloud: an operator's view of visits, and settling one. */
export interface Till {
  visitsToPay(): Promise<readonly { id: string; plate: string | null }[]>;
  settle(visitId: string): Promise<void>;
}

/** Takes the money of drivers who were told to pay: an operator at the cloud, until kiosks and cards can. */
export interface Cashier {
  /** True when a visit that fits the plate was found and settled in time. */
  pay(plate: string, withinMs: number, signal: AbortSignal): Promise<boolean>;
}

const LOOK_AGAIN_MS = 400;
const CLOSENESS = ['equal', 'confusable', 'near'] as const;

export function createCashier(till: Till): Cashier {
  async function findAndSettle(plate: string): Promise<boolean> {
    const visits = await till.visitsToPay();
    for (const closeness of CLOSENESS) {
      const visit = visits.find(
        (each) => each.plate !== null && comparePlates(each.plate, plate) === closeness,
      );
      if (visit) {
        await till.settle(visit.id);
        return true;
      }
    }
    return false;
  }

  return {
    async pay(plate, withinMs, signal) {
      const deadline = performance.now() + withinMs;
      // The visit's state is on its way to the cloud when the driver calls; the cloud may be away altogether.
      while (performance.now() < deadline && !signal.aborted) {
        if (await findAndSettle(plate).catch(() => false)) return true;
        await pause(LOOK_AGAIN_MS, signal);
      }
      return false;
    },
  };
}
