import { OpenAPIHono } from '@hono/zod-openapi';
import { moneyAccountRoutes } from '../books/accounts/account-routes.ts';
import { bookkeepingRoutes } from '../books/bookkeeping/bookkeeping-routes.ts';
import { bookkeepingPlanRoutes } from '../books/bookkeeping/plan-routes.ts';
import { bankRoutes } from '../books/claims/bank-routes.ts';
import { claimRoutes } from '../books/claims/claim-routes.ts';
import { signIn } from '../books/day-close/change-closes.ts';
import { dayCloseRoutes } from '../books/day-close/close-routes.ts';
import { bankStatementRoutes, settlementFileRoutes } from '../books/imports/file-routes.ts';
import { csvSampleRoutes } from '../books/imports/sample-routes.ts';
import { collectionRoutes } from '../books/reminders/collection-routes.ts';
import { reminderRoutes } from '../books/reminders/reminder-routes.ts';
import { CONSOLE_FOLDER, consoleRoutes } from '../integration/console/console-routes.ts';
import { docsRoutes } from '../integration/docs/docs-routes.ts';
import { readOnlyFields } from '../integration/docs/read-only-fields.ts';
import { firstStepsRoutes } from '../integration/first-steps/first-steps-routes.ts';
import { boardRoutes } from '../integration/live/board-routes.ts';
import { LiveEvents } from '../integration/live/live-events.ts';
import { liveRoutes } from '../integration/live/live-routes.ts';
import { overviewRoutes } from '../integration/reports/overview-routes.ts';
import { receivablesRoutes } from '../integration/reports/receivables-routes.ts';
import { reminderDownloadRoutes } from '../integration/reports/reminder-download-routes.ts';
import { reportRoutes } from '../integration/reports/report-routes.ts';
import { trainingRoutes } from '../integration/training/training-routes.ts';
import { webhookRoutes } from '../integration/webhooks/webhook-routes.ts';
import { holidayRoutes } from '../money/holidays/holiday-routes.ts';
import { invoiceRoutes } from '../money/invoices/invoice-routes.ts';
import { purchaseRoutes } from '../money/invoices/purchase-routes.ts';
import { paymentRefusals } from '../money/payments/payment-of-invoice.ts';
import { paymentRoutes } from '../money/payments/payment-routes.ts';
import { pendingInvoice } from '../money/payments/pending-invoice.ts';
import { terminalDayRoutes } from '../money/payments/terminal-days.ts';
import { productRoutes } from '../money/products/change/product-routes.ts';
import { quotaRoutes } from '../money/quotas/quota-routes.ts';
import { approvalRoutes } from '../paying/approvals/approval-routes.ts';
import { billingRoutes } from '../paying/billing/billing-routes.ts';
import { disputeRoutes } from '../paying/disputes/dispute-routes.ts';
import { driverIdentities } from '../paying/drivers/driver-identities.ts';
import { driverIdentityRoutes } from '../paying/drivers/driver-identity-routes.ts';
import { driverRoutes } from '../paying/drivers/driver-routes.ts';
import { Drivers } from '../paying/drivers/drivers.ts';
import { officeDriverRoutes } from '../paying/drivers/office-driver-routes.ts';
import { cardReceiptRoutes } from '../paying/e-invoice-sending/card-receipt-routes.ts';
import { sendRoutes } from '../paying/e-invoice-sending/send-routes.ts';
import { documentRoutes } from '../paying/invoice-document/document-routes.ts';
import { kioskRoutes } from '../paying/kiosk/kiosk-routes.ts';
import { chargebackEventRoutes } from '../paying/online-payments/chargebacks/chargeback-event-routes.ts';
import { chargebackImportRoutes } from '../paying/online-payments/chargebacks/chargeback-import-routes.ts';
import { chargebackRoutes } from '../paying/online-payments/chargebacks/chargeback-routes.ts';
import { onlinePaymentRoutes } from '../paying/online-payments/online-payment-routes.ts';
import { OnlinePayments } from '../paying/online-payments/online-payments.ts';
import { personFindingRoutes } from '../paying/online-payments/person-finding/person-finding-routes.ts';
import { OnlineRefunds } from '../paying/online-payments/refund-online.ts';
import { settlementRoutes } from '../paying/online-payments/settlement/settlement-routes.ts';
import { refundsOfPayments } from '../paying/online-payments/show-refunds.ts';
import { payApiRoutes } from '../paying/pay/pay-api-routes.ts';
import { payLinkRoutes } from '../paying/pay/pay-link-routes.ts';
import { PayObjections } from '../paying/pay/pay-objections.ts';
import { PAY_PAGE_FOLDER } from '../paying/pay/pay-page-files.ts';
import { payPageRoutes } from '../paying/pay/pay-page-routes.ts';
import { PayPayments } from '../paying/pay/pay-payments.ts';
import { PayStays } from '../paying/pay/pay-stays.ts';
import { receiptRoutes } from '../paying/receipts/receipt-routes.ts';
import { refundRoutes } from '../paying/refunds/refund-routes.ts';
import { recordTerminalFinding } from '../paying/refunds/terminal-finding.ts';
import { accountRoutes } from '../people/accounts/account-routes.ts';
import { loginRoutes } from '../people/accounts/login-routes.ts';
import { auditRoutes } from '../people/audit/audit-routes.ts';
import { noteLookUps } from '../people/audit/look-ups.ts';
import { callerNames } from '../people/auth/caller-names.ts';
import { checkRouteAccess, requireAccess } from '../people/auth/require-access.ts';
import { requireSites } from '../people/auth/require-sites.ts';
import { customerRoutes } from '../people/customer-routes/customer-routes.ts';
import { electronicIdRoutes } from '../people/electronic-id/electronic-id-routes.ts';
import { mailRoutes } from '../people/mail/mail-routes.ts';
import { sessionRoutes } from '../people/sessions/session-routes.ts';
import { tokenRoutes } from '../people/tokens/token-routes.ts';
import { viewRoutes } from '../people/views/view-routes.ts';
import { clientAddress } from '../platform/http/address-of.ts';
import type { CloudContext, CloudEnv } from '../platform/http/cloud-env.ts';
import { noSuchRoute, onError } from '../platform/http/errors.ts';
import { idempotency } from '../platform/http/idempotency.ts';
import { ignoreReadOnly } from '../platform/http/ignore-read-only.ts';
import { limitBodies } from '../platform/http/limit-bodies.ts';
import { openStreams } from '../platform/http/open-stream.ts';
import { preferRepresentation } from '../platform/http/prefer-representation.ts';
import { refuseLateCalls } from '../platform/http/refuse-late-calls.ts';
import { refuseReversedDates } from '../platform/http/refuse-reversed-dates.ts';
import { type RequestMeter, requestLog } from '../platform/http/request-log.ts';
import { restoreFragment } from '../platform/http/restore-fragment.ts';
import { securityHeaders } from '../platform/http/security-headers.ts';
import { showTraining } from '../platform/http/show-training.ts';
import { showVersion } from '../platform/http/show-version.ts';
import { pingRoutes } from '../platform/ping/ping-routes.ts';
import { privacyRoutes } from '../privacy/privacy/privacy-routes.ts';
import { retentionRoutes } from '../privacy/retention/retention-routes.ts';
import { commonTimeZone } from '../records/sites/choose-site.ts';
import { callRoutes } from '../sites/calls/call-routes.ts';
import { cameraRoutes } from '../sites/cameras/camera-routes.ts';
import { deviceCommandRoutes } from '../sites/device-commands/device-command-routes.ts';
import { snapshotRoutes } from '../sites/device-commands/snapshot-routes.ts';
import { edgeRoutes } from '../sites/feed/edge-routes.ts';
import { gateRoutes } from '../sites/gates/gate-routes.ts';
import { cameraDocumentRoutes } from '../sites/lanes/camera-document-routes.ts';
import { openingRoutes } from '../sites/opening/opening-routes.ts';
import { edgePackageRoutes } from '../sites/rollouts/edge-package-routes.ts';
import { rolloutRoutes } from '../sites/rollouts/rollout-routes.ts';
import { siteUpgradeRoutes } from '../sites/rollouts/site-upgrade-routes.ts';
import { siteRoutes } from '../sites/sites/change/site-routes.ts';
import { enrolRoutes } from '../sites/sites/enrol/enrol-routes.ts';
import { checkSiteSecret } from '../sites/sites/site-credentials.ts';
import { zoneRoutes } from '../sites/zones/zone-routes.ts';
import { dryRunRoutes } from '../stays/dry-runs/dry-run-routes.ts';
import { proposalRoutes } from '../stays/matching/proposal-routes.ts';
import { photoRoutes } from '../stays/photos/photo-routes.ts';
import { pictureRoutes } from '../stays/photos/picture-routes.ts';
import { sitePictureRoutes } from '../stays/photos/site-picture-routes.ts';
import { reviewRoutes } from '../stays/review/review-routes.ts';
import { searchRoutes } from '../stays/search/search-routes.ts';
import { passageRoutes } from '../stays/timeline/passage-routes.ts';
import { timelineRoutes } from '../stays/timeline/timeline-routes.ts';
import { visitCommandRoutes } from '../stays/visits/edit/visit-command-routes.ts';
import { visitRoutes } from '../stays/visits/list/visit-routes.ts';
import { custodianRoutes } from '../vehicles/vehicles/custody/custodian-routes.ts';
import { vehicleRoutes } from '../vehicles/vehicles/vehicle-routes.ts';
import { oldWhitelistRoutes } from '../vehicles/whitelist/old-whitelist-routes.ts';
import { whitelistRoutes } from '../vehicles/whitelist/whitelist-routes.ts';
import { siteOfThing } from './site-of-thing.ts';

/** The parts of the program beside its API; absent: the API has its own, or none. */
interface ProgramParts {
  live?: LiveEvents;
  onlinePayments?: OnlinePayments;
  meter?: RequestMeter | null;
}

/** The cloud's HTTP API: every room, in the order in which a car passes through them. */
export function createApp(
  context: CloudContext,
  {
    live = new LiveEvents(context),
    onlinePayments = new OnlinePayments(context),
    meter = null,
  }: ProgramParts = {},
): OpenAPIHono<CloudEnv> {
  const app = new OpenAPIHono<CloudEnv>();
  const payStays = new PayStays(context, onlinePayments);
  const payPayments = new PayPayments(context, onlinePayments, payStays);
  const onlineRefunds = new OnlineRefunds(context);
  handleEveryRequest(app, context, meter);

  app.route('/', pingRoutes(context));
  const docs = docsRoutes(() => app);
  app.route('/', docs);
  app.route('/', consoleRoutes());
  app.route('/', loginRoutes(context));
  app.route('/', sessionRoutes(context));
  app.route('/', electronicIdRoutes(context, driverIdentities(context.publicUrl)));
  app.route('/', accountRoutes(context));
  app.route('/', tokenRoutes(context));
  app.route('/', siteRoutes(context));
  app.route('/', enrolRoutes(context)).route('/', openingRoutes(context));
  app.route('/', gateRoutes(context)).route('/', boardRoutes(context));
  app.route('/', edgeRoutes(context));
  app.route('/', sitePictureRoutes(context));
  app.route('/', deviceCommandRoutes(context)).route('/', snapshotRoutes(context));
  app.route('/', siteUpgradeRoutes(context)).route('/', edgePackageRoutes(context));
  app.route('/', rolloutRoutes(context));
  app.route('/', cameraRoutes(context));
  app.route('/', zoneRoutes(context));
  app.route('/', cameraDocumentRoutes(context)).route('/', photoRoutes(context));
  app.route('/', pictureRoutes(context));
  app.route('/', reviewRoutes(context));
  app.route('/', proposalRoutes(context));
  app.route('/', customerRoutes(context));
  app.route('/', custodianRoutes(context));
  app.route('/', vehicleRoutes(context));
  mountVisits(app, context);
  app.route('/', productRoutes(context)).route('/', holidayRoutes());
  app.route('/', dryRunRoutes(context));
  app.route('/', quotaRoutes(context)).route('/', purchaseRoutes(context, paymentRefusals));
  app.route('/', kioskRoutes(context));
  app.route('/', receiptRoutes(context)).route('/', cardReceiptRoutes(context));
  app.route('/', invoiceRoutes(context, pendingInvoice, paymentRefusals));
  app.route('/', documentRoutes(context)).route('/', sendRoutes(context));
  app.route('/', refundRoutes(context, onlineRefunds));
  app.route('/', disputeRoutes(context, onlineRefunds));
  app.route('/', approvalRoutes(context, onlineRefunds, { signIn }));
  const payments = paymentRoutes(context, (...given) => onlineRefunds.reverse(...given), refundsOfPayments);
  // This route comes before the payment by its id.
  app.route('/', terminalDayRoutes(context)).route('/', payments);
  app.route('/', personFindingRoutes(context, recordTerminalFinding.bind(null, context.db)));
  app.route('/', chargebackRoutes(context)).route('/', settlementRoutes(context));
  app.route('/', chargebackImportRoutes(context));
  app.route('/', chargebackEventRoutes(context));
  app.route('/', onlinePaymentRoutes(context, onlinePayments));
  app.route('/', payLinkRoutes(context));
  app.route('/', payPageRoutes(context));
  app.route('/', payApiRoutes(context, payStays, payPayments, new PayObjections(context)));
  const pay = { stays: payStays, paid: payPayments, payments: onlinePayments };
  app.route('/', officeDriverRoutes(context));
  app.route('/', driverIdentityRoutes(context));
  app.route('/', driverRoutes(context, new Drivers(context, pay)));
  app.route('/', billingRoutes(context));
  app.route('/', mailRoutes(context));
  app.route('/', reportRoutes(context)).route('/', overviewRoutes(context));
  app.route('/', receivablesRoutes(context));
  app.route('/', reminderDownloadRoutes(context));
  app
    .route('/', viewRoutes(context))
    .route('/', firstStepsRoutes(context))
    .route('/', trainingRoutes(context));
  app.route('/', auditRoutes(context, { commonTimeZone, callerNames }));
  app.route('/', retentionRoutes(context));
  app.route('/', privacyRoutes(context));
  app.route('/', webhookRoutes(context));
  app.route('/', callRoutes(context)).route('/', liveRoutes(context, live));

  checkRouteAccess(app);
  return app;
}

/** The steps of each request before its route, in this order. */
function handleEveryRequest(
  app: OpenAPIHono<CloudEnv>,
  context: CloudContext,
  meter: RequestMeter | null,
): void {
  app.onError(onError(context.log));
  app.notFound(noSuchRoute);
  app.use(restoreFragment());
  app.use(openStreams());
  app.use(requestLog(context.log, meter));
  app.use(clientAddress(context.trustedProxies));
  app.use(securityHeaders(), showVersion([PAY_PAGE_FOLDER, CONSOLE_FOLDER]), showTraining(context));
  app.use(requireAccess({ ...context, checkSiteSecret }));
  app.use(refuseReversedDates());
  app.use(limitBodies());
  app.use(refuseLateCalls(context));
  app.use(requireSites({ db: context.db, siteOfThing }));
  app.use(noteLookUps(context));
  app.use(preferRepresentation());
  app.use(idempotency(context));
  app.use(ignoreReadOnly(readOnlyFields(app)));
}

function mountVisits(app: OpenAPIHono<CloudEnv>, context: CloudContext): void {
  // These come before visits: `/visit/whitelist` would be the visit `whitelist`.
  app.route('/', whitelistRoutes(context));
  app.route('/', oldWhitelistRoutes(context));
  app.route('/', searchRoutes(context));
  app.route('/', visitRoutes(context));
  app.route('/', visitCommandRoutes(context));
  app.route('/', timelineRoutes(context));
  app.route('/', passageRoutes(context));
  app.route('/', moneyAccountRoutes(context));
  app.route('/', settlementFileRoutes(context));
  app.route('/', bankStatementRoutes(context));
  app.route('/', csvSampleRoutes());
  app.route('/', bookkeepingPlanRoutes(context));
  app.route('/', bookkeepingRoutes(context));
  app.route('/', claimRoutes(context));
  app.route('/', bankRoutes(context));
  app.route('/', reminderRoutes(context));
  app.route('/', collectionRoutes(context));
  app.route('/', dayCloseRoutes(context));
}
