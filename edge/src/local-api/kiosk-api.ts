import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import type { Hono } from 'hono';
import { HelpCalls, kioskHelpRoutes } from './kiosk-help-routes.ts';
import type { KioskParts } from './kiosk-parts.ts';
import { kioskPaymentRoutes, PaymentStreams } from './kiosk-payment-routes.ts';
import { kioskScreenRoutes } from './kiosk-screen-routes.ts';
import { kioskVisitRoutes } from './kiosk-visit-routes.ts';
import type { LocalEnv } from './local-env.ts';

/** The calls of `protocol/kiosk-api.ts`: drivers find their visits and pay for them. */
export class KioskApi {
  readonly routes: readonly Hono<LocalEnv>[];
  readonly #streams: PaymentStreams;
  readonly #parts: Pick<KioskParts, 'stays' | 'cloud'>;

  constructor(parts: KioskParts) {
    this.#parts = parts;
    this.#streams = new PaymentStreams(parts);
    const calls = new HelpCalls({ ...parts, askCall: parts.cloud?.askCall ?? null });
    this.routes = [
      kioskVisitRoutes(parts),
      kioskPaymentRoutes(parts, this.#streams),
      kioskHelpRoutes(calls),
      kioskScreenRoutes(parts.screen),
    ];
  }

  /** Accepts the code of an online payment for the car inside with this plate. @returns why not; null: it is accepted */
  async acceptCode({ plate, code }: { plate: string; code: string }): Promise<KioskFault | null> {
    const visit = this.#parts.stays.visits.openByPlate(normalisePlate(plate));
    return visit === undefined ? 'not-found' : await this.acceptCodeFor({ visitId: visit.id, code });
  }

  /** The same for a visit. */
  async acceptCodeFor(typed: { visitId: string; code: string }): Promise<KioskFault | null> {
    const { cloud } = this.#parts;
    return cloud === null ? 'wrong-code' : await cloud.acceptCode(typed);
  }

  start(): void {
    this.#streams.start();
  }

  stop(): void {
    this.#streams.stop();
  }
}
