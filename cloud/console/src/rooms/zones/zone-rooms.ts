import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const zoneRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'zones',
    component: lazyPage(() => import('./zones-page.tsx'), 'ZonesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'zones/$id',
    component: lazyPage(() => import('./zone-page.tsx'), 'ZonePage'),
  }),
];
