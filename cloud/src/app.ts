import { OpenAPIHono } from '@hono/zod-openapi';
import { accountRoutes } from './accounts/account-routes.ts';
import { loginRoutes } from './accounts/login-routes.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { noteLookUps } from './audit/look-ups.ts';
import { callerNames } from './auth/caller-names.ts';
import { checkRouteAccess, requireAccess } from './auth/require-access.ts';
import { requireSites } from './auth/require-sites.ts';
import { callRoutes } from './calls/call-routes.ts';
import { cameraRoutes } from './cameras/camera-routes.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { customerRoutes } from './customers/change/customer-routes.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { driverIdentities } from './drivers/driver-identities.ts';
import { driverIdentityRoutes } from './drivers/driver-identity-routes.ts';
import { driverRoutes } from './drivers/driver-routes.ts';
import { Drivers } from './drivers/drivers.ts';
import { officeDriverRoutes } from './drivers/office-driver-routes.ts';
import { electronicIdRoutes } from './electronic-id/electronic-id-routes.ts';
import { edgeRoutes } from './feed/delivery/edge-routes.ts';
import { gateRoutes } from './gates/gate-routes.ts';
import { clientAddress } from './http/address-of.ts';
import type { CloudContext, CloudEnv } from './http/cloud-env.ts';
import { noSuchRoute, onError } from './http/errors.ts';
import { idempotency } from './http/idempotency.ts';
import { limitBodies } from './http/limit-bodies.ts';
import { preferRepresentation } from './http/prefer-representation.ts';
import { refuseReversedDates } from './http/refuse-reversed-dates.ts';
import { requestLog } from './http/request-log.ts';
import { securityHeaders } from './http/security-headers.ts';
import { billingRoutes } from './invoices/billing/billing-routes.ts';
import { invoiceRoutes } from './invoices/invoice-routes.ts';
import { kioskRoutes } from './kiosk/kiosk-routes.ts';
import { boardRoutes } from './live/board-routes.ts';
import { LiveEvents } from './live/live-events.ts';
import { liveRoutes } from './live/live-routes.ts';
import { mailRoutes } from './mail/mail-routes.ts';
import { chargebackEventRoutes } from './online-payments/chargebacks/chargeback-event-routes.ts';
import { chargebackImportRoutes } from './online-payments/chargebacks/chargeback-import-routes.ts';
import { onlinePaymentRoutes } from './online-payments/online-payment-routes.ts';
import { OnlinePayments } from './online-payments/online-payments.ts';
import { personFindingRoutes } from './online-payments/person-finding/person-finding-routes.ts';
import { OnlineRefunds } from './online-payments/refund-online.ts';
import { settlementRoutes } from './online-payments/settlement/settlement-routes.ts';
import { payApiRoutes } from './pay/pay-api-routes.ts';
import { payLinkRoutes } from './pay/pay-link-routes.ts';
import { payPageRoutes } from './pay/pay-page-routes.ts';
import { PayPayments } from './pay/pay-payments.ts';
import { PayStays } from './pay/pay-stays.ts';
import { chargebackRoutes } from './payments/chargeback-routes.ts';
import { paymentRoutes } from './payments/payment-routes.ts';
import { photoRoutes } from './photos/photo-routes.ts';
import { pictureRoutes } from './photos/picture-routes.ts';
import { sitePictureRoutes } from './photos/site-picture-routes.ts';
import { pingRoutes } from './ping/ping-routes.ts';
import { privacyRoutes } from './privacy/privacy-routes.ts';
import { productRoutes } from './products/change/product-routes.ts';
import { quotaRoutes } from './quotas/quota-routes.ts';
import { receiptRoutes } from './receipts/receipt-routes.ts';
import { refundRoutes } from './refunds/refund-routes.ts';
import { reportRoutes } from './reports/report-routes.ts';
import { retentionRoutes } from './retention/retention-routes.ts';
import { reviewRoutes } from './review/review-routes.ts';
import { searchRoutes } from './search/search-routes.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { siteOfThing } from './site-of-thing.ts';
import { siteRoutes } from './sites/change/site-routes.ts';
import { commonTimeZone } from './sites/choose-site.ts';
import { enrolRoutes } from './sites/enrol/enrol-routes.ts';
import { checkSiteSecret } from './sites/site-credentials.ts';
import { passageRoutes } from './timeline/passage-routes.ts';
import { timelineRoutes } from './timeline/timeline-routes.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import { custodianRoutes } from './vehicles/custody/custodian-routes.ts';
import { vehicleRoutes } from './vehicles/vehicle-routes.ts';
import { viewRoutes } from './views/view-routes.ts';
import { visitCommandRoutes } from './visits/edit/visit-command-routes.ts';
import { visitRoutes } from './visits/list/visit-routes.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';
import { oldWhitelistRoutes } from './whitelist/old-whitelist-routes.ts';
import { whitelistRoutes } from './whitelist/whitelist-routes.ts';
import { zoneRoutes } from './zones/zone-routes.ts';

/** The cloud's HTTP API: every room, in the order in which a car passes through them. @param live is stopped by its owner */
export function createApp(
  context: CloudContext,
  live: LiveEvents = new LiveEvents(context),
): OpenAPIHono<CloudEnv> {
  const app = new OpenAPIHono<CloudEnv>();
  const onlinePayments = new OnlinePayments(context);
  const payStays = new PayStays(context, onlinePayments);
  const payPayments = new PayPayments(context, onlinePayments, payStays);
  const onlineRefunds = new OnlineRefunds(context);
  app.onError(onError(context.log));
  app.notFound(noSuchRoute);
  app.use(requestLog(context.log));
  app.use(clientAddress(context.trustedProxies));
  app.use(securityHeaders());
  app.use(requireAccess({ ...context, checkSiteSecret }));
  app.use(refuseReversedDates());
  app.use(limitBodies());
  app.use(requireSites({ db: context.db, siteOfThing }));
  app.use(noteLookUps(context));
  app.use(preferRepresentation());
  app.use(idempotency(context));

  app.route('/', pingRoutes(context));
  app.route(
    '/',
    docsRoutes(() => app),
  );
  app.route('/', consoleRoutes());
  app.route('/', loginRoutes(context));
  app.route('/', sessionRoutes(context));
  app.route('/', electronicIdRoutes(context, driverIdentities));
  app.route('/', accountRoutes(context));
  app.route('/', tokenRoutes(context));
  app.route('/', siteRoutes(context));
  app.route('/', enrolRoutes(context));
  app.route('/', gateRoutes(context));
  app.route('/', edgeRoutes(context));
  app.route('/', sitePictureRoutes(context));
  app.route('/', cameraRoutes(context));
  app.route('/', zoneRoutes(context));
  app.route('/', photoRoutes(context));
  app.route('/', pictureRoutes(context));
  app.route('/', reviewRoutes(context));
  app.route('/', customerRoutes(context));
  app.route('/', custodianRoutes(context));
  app.route('/', vehicleRoutes(context));
  mountVisits(app, context);
  app.route('/', productRoutes(context));
  app.route('/', quotaRoutes(context));
  app.route('/', kioskRoutes(context));
  app.route('/', receiptRoutes(context));
  app.route('/', invoiceRoutes(context));
  app.route('/', refundRoutes(context, onlineRefunds));
  app.route(
    '/',
    paymentRoutes(context, (...given) => onlineRefunds.reverse(...given)),
  );
  app.route('/', personFindingRoutes(context));
  app.route('/', chargebackRoutes(context));
  app.route('/', settlementRoutes(context));
  app.route('/', chargebackImportRoutes(context));
  app.route('/', chargebackEventRoutes(context));
  app.route('/', onlinePaymentRoutes(context, onlinePayments));
  app.route('/', payLinkRoutes(context));
  app.route('/', payPageRoutes(context));
  app.route('/', payApiRoutes(context, payStays, payPayments));
  const pay = { stays: payStays, paid: payPayments, payments: onlinePayments };
  app.route('/', officeDriverRoutes(context));
  app.route('/', driverIdentityRoutes(context));
  app.route('/', driverRoutes(context, new Drivers(context, pay)));
  app.route('/', billingRoutes(context));
  app.route('/', mailRoutes(context));
  app.route('/', reportRoutes(context));
  app.route('/', viewRoutes(context));
  app.route('/', auditRoutes(context, { commonTimeZone, callerNames }));
  app.route('/', retentionRoutes(context));
  app.route('/', privacyRoutes(context));
  app.route('/', webhookRoutes(context));
  app.route('/', callRoutes(context));
  app.route('/', boardRoutes(context));
  app.route('/', liveRoutes(context, live));

  checkRouteAccess(app);
  return app;
}

function mountVisits(app: OpenAPIHono<CloudEnv>, context: CloudContext): void {
  // Before visits: `/visit/whitelist` would be the visit `whitelist`.
  app.route('/', whitelistRoutes(context));
  app.route('/', oldWhitelistRoutes(context));
  app.route('/', searchRoutes(context));
  app.route('/', visitRoutes(context));
  app.route('/', visitCommandRoutes(context));
  app.route('/', timelineRoutes(context));
  app.route('/', passageRoutes(context));
}
