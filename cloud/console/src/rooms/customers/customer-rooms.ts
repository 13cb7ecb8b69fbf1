import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const customerRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'customers',
    component: lazyPage(['customers'], () => import('./customers-page.tsx'), 'CustomersPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'customers/$id',
    component: lazyPage(['customers'], () => import('./customer-page.tsx'), 'CustomerPage'),
  }),
];
