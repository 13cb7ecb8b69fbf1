import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const customerRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'customers',
    component: lazyRouteComponent(() => import('./customers-page.tsx'), 'CustomersPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'customers/$id',
    component: lazyRouteComponent(() => import('./customer-page.tsx'), 'CustomerPage'),
  }),
];
