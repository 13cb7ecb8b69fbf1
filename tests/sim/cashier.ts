import { pause } from '@hlid/node/pause';
import { comparePlates } from '@hlid/protocol/plate/plate';

/** The part of the cloud that a cashier needs: an operator's view of visits, and settling one. */
export interface Till {
  visitsToPay(): Promise<readonly { id: string; plate: string | null }[]>;
  settle(visitId: string): Promise<void>;
  /** The open visit of just that plate, if there is one. */
  openVisit(plate: string): Promise<{ id: string } | null>;
  /** Whether an open visit of just that plate was paid for at a kiosk. */
  isPaid(plate: string): Promise<boolean>;
}

/** An operator at the cloud who settles visits of drivers who must pay at an exit. */
export interface Cashier {
  /** True when a visit that fits the plate was found and settled in time. */
  pay(plate: string, withinMs: number, signal: AbortSignal): Promise<boolean>;
  /** A driver pays before he drives to an exit; in vain where nothing is due, or his plate was read wrong. */
  payInside(plate: string): Promise<void>;
  /** Resolves once it is paid for at the kiosk, or without a payment after that time. */
  paidAtKiosk(plate: string, withinMs: number, signal: AbortSignal): Promise<void>;
}

const LOOK_AGAIN_MS = 400;
const LOOK_AT_KIOSK_MS = 2500;
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
        await pause(LOOK_AGAIN_MS, { signal });
      }
      return false;
    },
    async payInside(plate) {
      try {
        const visit = await till.openVisit(plate);
        if (visit) await till.settle(visit.id);
      } catch {
        // The visit owes nothing, or the cloud is away: the exit decides.
      }
    },
    async paidAtKiosk(plate, withinMs, signal) {
      const deadline = performance.now() + withinMs;
      while (performance.now() < deadline && !signal.aborted) {
        if (await till.isPaid(plate).catch(() => false)) return;
        await pause(Math.min(LOOK_AT_KIOSK_MS, Math.max(0, deadline - performance.now())), { signal });
      }
    },
  };
}
