import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const zoneRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'zones',
    component: lazyRouteComponent(() => import('./zones-page.tsx'), 'ZonesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'zones/$id',
    component: lazyRouteComponent(() => import('./zone-page.tsx'), 'ZonePage'),
  }),
];
