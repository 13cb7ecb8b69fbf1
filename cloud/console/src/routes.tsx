import { createRoute, createRouter } from '@tanstack/react-router';
import { accountRooms } from './rooms/accounts/account-rooms.ts';
import { approvalRooms } from './rooms/approvals/approval-rooms.ts';
import { auditRooms } from './rooms/audit/audit-rooms.ts';
import { cameraRooms } from './rooms/cameras/camera-rooms.ts';
import { customerRooms } from './rooms/customers/customer-rooms.ts';
import { deviceRooms } from './rooms/devices/device-rooms.ts';
import { firstStepsRooms } from './rooms/first-steps/first-steps-rooms.ts';
import { mailRooms } from './rooms/mail/mail-rooms.ts';
import { moneyRooms } from './rooms/money/money-rooms.ts';
import { nowRooms } from './rooms/now/now-rooms.ts';
import { openingRooms } from './rooms/opening/opening-rooms.ts';
import { permitRooms } from './rooms/permits/permit-rooms.ts';
import { privacyRooms } from './rooms/privacy/privacy-rooms.ts';
import { productRooms } from './rooms/products/product-rooms.ts';
import { quotaRooms } from './rooms/quotas/quota-rooms.ts';
import { reportRooms } from './rooms/reports/report-rooms.ts';
import { reviewRooms } from './rooms/review/review-rooms.ts';
import { siteRooms } from './rooms/sites/site-rooms.ts';
import { trainingRooms } from './rooms/training/training-rooms.ts';
import { upgradeRooms } from './rooms/upgrades/upgrade-rooms.ts';
import { vehicleRooms } from './rooms/vehicles/vehicle-rooms.ts';
import { visitRooms } from './rooms/visits/visit-rooms.ts';
import { webhookRooms } from './rooms/webhooks/webhook-rooms.ts';
import { zoneRooms } from './rooms/zones/zone-rooms.ts';
import { PageError } from './shell/page-error.tsx';
import { parseSearch, stringifySearch } from './shell/use-filters.ts';
import { FirstRoom, rootRoute, siteRoute } from './site-route.tsx';

const routeTree = rootRoute.addChildren([
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: FirstRoom }),
  siteRoute.addChildren([
    createRoute({ getParentRoute: () => siteRoute, path: '/', component: FirstRoom }),
    ...accountRooms,
    ...customerRooms,
    ...permitRooms,
    ...quotaRooms,
    ...vehicleRooms,
    ...moneyRooms,
    ...approvalRooms,
    ...auditRooms,
    ...cameraRooms,
    ...deviceRooms,
    ...mailRooms,
    ...privacyRooms,
    ...siteRooms,
    ...openingRooms,
    ...firstStepsRooms,
    ...upgradeRooms,
    ...trainingRooms,
    ...webhookRooms,
    ...zoneRooms,
    ...productRooms,
    ...reportRooms,
    ...visitRooms,
    ...reviewRooms,
    ...nowRooms,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  // The rest of the console goes on where one room cannot be drawn.
  defaultErrorComponent: PageError,
  defaultPreload: 'intent',
  // TanStack Query decides what is old.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
});
