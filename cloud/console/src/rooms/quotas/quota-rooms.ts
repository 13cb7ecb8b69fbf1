import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const quotaRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'quotas',
    component: lazyRouteComponent(() => import('./quotas-page.tsx'), 'QuotasPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'quotas/$id',
    component: lazyRouteComponent(() => import('./quota-page.tsx'), 'QuotaPage'),
  }),
];
