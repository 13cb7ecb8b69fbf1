import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const deviceRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'devices',
    component: lazyRouteComponent(() => import('./devices-page.tsx'), 'DevicesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'devices/$kind/$device',
    component: lazyRouteComponent(() => import('./device-page.tsx'), 'DevicePage'),
  }),
];
