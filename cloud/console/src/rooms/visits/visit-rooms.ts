import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

const getParentRoute = () => siteRoute;

export const visitRooms = [
  createRoute({
    getParentRoute,
    path: 'visits',
    component: lazyRouteComponent(() => import('./visits-page.tsx'), 'VisitsPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'visits/$id',
    component: lazyRouteComponent(() => import('./visit-page.tsx'), 'VisitPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'find',
    component: lazyRouteComponent(() => import('./find-page.tsx'), 'FindPage'),
  }),
];
