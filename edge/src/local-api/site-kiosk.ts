import type { Clock } from '@hlid/node/clock';
import type { SiteItem } from '@hlid/protocol/site-link/site-change';
import type { Product } from '@hlid/protocol/tariff/product';
import type { LinkBoard } from '../cloud-link/link-view.ts';
import type { EdgeConfig } from '../config/config.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { KioskScreen } from '../health/kiosk-screen.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import { acceptCode } from '../payment/accept-code.ts';
import { SearchLimit, VisitFinder } from '../payment/find-visits.ts';
import type { PaymentRecords } from '../payment/payment-records.ts';
import type { PaymentService } from '../payment/payment-service.ts';
import { requestPayLink } from '../payment/request-pay-link.ts';
import type { Pictures } from '../picture/pictures.ts';
import type { SiteStays } from '../site/site-stays.ts';
import { KioskApi } from './kiosk-api.ts';
import { askCall } from './kiosk-help-routes.ts';

interface KioskSite extends Pick<EdgeContext, 'events' | 'commit'> {
  stays: SiteStays;
  paymentRecords: PaymentRecords;
  site(): SiteItem;
  products(): readonly Product[];
}

/** The parts that a site's kiosks need, with a terminal or without one. */
export function createSiteKiosk(parts: {
  config: Pick<EdgeConfig, 'cloud'>;
  db: SiteDb;
  core: KioskSite;
  payments: PaymentService | null;
  pictures: Pick<Pictures, 'has' | 'pictureOf'>;
  link: LinkBoard | null;
  /** Absent: the kiosk's screen is not monitored. */
  screen?: KioskScreen;
  clock: Clock;
}): KioskApi {
  const { config, db, core, payments, pictures, link, clock } = parts;
  const { stays, paymentRecords, events, commit } = core;
  const { store, dues } = paymentRecords;
  const site = () => core.site();
  const { cloud } = config;
  const limit = new SearchLimit(db);
  return new KioskApi({
    site,
    products: () => core.products(),
    stays,
    store,
    payments,
    events,
    commit,
    clock,
    dues,
    finder: new VisitFinder(db, (readId) => pictures.has(readId, 'vehicle')),
    limit,
    screen: parts.screen ?? null,
    picture: (readId) => pictures.pictureOf(readId, 'vehicle'),
    cloud: cloud &&
      link && {
        connected: () => link.view().connected,
        url: cloud.httpUrl,
        payLink: (order) => requestPayLink(cloud, order),
        acceptCode: (typed) =>
          acceptCode({ cloud, site, stays, commit, clock }, typed, (at) => limit.allows(at)),
        askCall: (callId) => askCall(cloud, callId),
      },
  });
}
