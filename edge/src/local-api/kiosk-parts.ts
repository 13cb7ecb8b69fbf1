import type { Clock } from '@hlid/node/clock';
import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import type { EdgeCall, EdgePayLink } from '@hlid/protocol/site-link/edge-api';
import type { SiteItem } from '@hlid/protocol/site-link/site-change';
import type { Product } from '@hlid/protocol/tariff/product';
import type { GroupCommit } from '../db/group-commit.ts';
import type { KioskScreen } from '../health/kiosk-screen.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { SearchLimit, VisitFinder } from '../payment/find-visits.ts';
import type { PaymentService } from '../payment/payment-service.ts';
import type { PaymentStore } from '../payment/payment-store.ts';
import type { requestPayLink } from '../payment/request-pay-link.ts';
import type { VisitDues } from '../payment/visit-due.ts';
import type { SiteStays } from '../site/site-stays.ts';

export interface KioskParts {
  site: () => SiteItem;
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
  /** Null: the kiosk's screen is not monitored. */
  screen: KioskScreen | null;
  events: Pick<EventLog, 'append'>;
  commit: Pick<GroupCommit, 'run'>;
  clock: Clock;
}
