import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const permitRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'permits',
    component: lazyRouteComponent(() => import('./permits-page.tsx'), 'PermitsPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'permits/$id',
    component: lazyRouteComponent(() => import('./permit-page.tsx'), 'PermitPage'),
  }),
];
