import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const zoneRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'zones',
    component: lazyPage(['zones'], () => import('./zones-page.tsx'), 'ZonesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'zones/$id',
    component: lazyPage(['zones'], () => import('./zone-page.tsx'), 'ZonePage'),
  }),
];
