import { createRoute, createRouter } from '@tanstack/react-router';
import { cameraRooms } from './rooms/cameras/camera-rooms.ts';
import { deviceRooms } from './rooms/devices/device-rooms.ts';
import { moneyRooms } from './rooms/money/money-rooms.ts';
import { nowRooms } from './rooms/now/now-rooms.ts';
import { permitRooms } from './rooms/permits/permit-rooms.ts';
import { zoneRooms } from './rooms/zones/zone-rooms.ts';
import { parseSearch, stringifySearch } from './shell/use-filters.ts';
import { FirstRoom, rootRoute, siteRoute } from './site-route.tsx';

const routeTree = rootRoute.addChildren([
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: FirstRoom }),
  siteRoute.addChildren([
    createRoute({ getParentRoute: () => siteRoute, path: '/', component: FirstRoom }),
    ...nowRooms,
    ...permitRooms,
    ...zoneRooms,
    ...moneyRooms,
    ...cameraRooms,
    ...deviceRooms,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  // TanStack Query decides what is old.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
});
