import type { Clock } from '@hlid/node/clock';
import type { EdgeCall, EdgePayLink } from '@hlid/protocol/edge-api';
import type { KioskFault } from '@hlid/protocol/kiosk-api';
import { normalisePlate } from '@hlid/protocol/plate';
import type { Product } from '@hlid/protocol/product';
import type { SiteItem } from '@hlid/protocol/site-change';
import type { Hono } from 'hono';
import type { GroupCommit } from '../db/group-commit.ts';
import type { KioskScreen } from '../health/kiosk-screen.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { SearchLimit, VisitFinder } from '../payment/find-visits.ts';
import type { PaymentService } from '../payment/payment-service.ts';
import type { PaymentStore } from '../payment/payment-store.ts';
import type { requestPayLink } from '../payment/request-pay-link.ts';
import type { VisitDues } from '../payment/visit-due.ts';
import type { SiteStays } from '../site-core.ts';
import { HelpCalls, kioskHelpRoutes } from './kiosk-help-routes.ts';
import { kioskPaymentRoutes, PaymentStreams } from './kiosk-payment-routes.ts';
import { kioskScreenRoutes } from './kiosk-screen-routes.ts';
import { kioskVisitRoutes } from './kiosk-visit-routes.ts';
import type { LocalEnv } from './local-app.ts';

/** What the kiosk's routes rest on. */
export interface KioskParts {
  site: () => SiteItem;
  /** What is sold here. */
  products: () => readonly Product[];
  stays: Pick<SiteStays, 'visits' | 'book' | 'waiting' | 'inDoubt' | 'disown' | 'act'>;
  dues: VisitDues;
  finder: VisitFinder;
  limit: SearchLimit;
  store: Pick<PaymentStore, 'get'>;
  /** Null: the site has no terminal. */
  payments: Pick<
    PaymentService,
    'terminalId' | 'status' | 'order' | 'cancel' | 'prompt' | 'subscribe'
  > | null;
  picture: (readId: string) => Promise<{ contentType: string; bytes: Buffer } | null>;
  cloud: {
    connected: () => boolean;
    url: string;
    payLink: (order: EdgePayLink) => ReturnType<typeof requestPayLink>;
    /** Accepts the code of an online payment. */
    acceptCode: (typed: { visitId: string; code: string }) => Promise<KioskFault | null>;
    askCall: (callId: string) => Promise<EdgeCall | null>;
  } | null;
  /** Null: nobody watches it. */
  screen: KioskScreen | null;
  events: Pick<EventLog, 'append'>;
  commit: Pick<GroupCommit, 'run'>;
  clock: Clock;
}

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
    const { stays, cloud } = this.#parts;
    const visit = stays.visits.openByPlate(normalisePlate(plate));
    if (visit === undefined) return 'not-found';
    return cloud === null ? 'wrong-code' : await cloud.acceptCode({ visitId: visit.id, code });
  }

  start(): void {
    this.#streams.start();
  }

  stop(): void {
    this.#streams.stop();
  }
}
