import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const quotaRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'quotas',
    component: lazyPage(['quotas'], () => import('./quotas-page.tsx'), 'QuotasPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'quotas/$id',
    component: lazyPage(['quotas'], () => import('./quota-page.tsx'), 'QuotaPage'),
  }),
];
