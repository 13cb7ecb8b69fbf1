import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

const getParentRoute = () => siteRoute;

export const visitRooms = [
  createRoute({
    getParentRoute,
    path: 'visits',
    component: lazyPage(['visits'], () => import('./visits-page.tsx'), 'VisitsPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'visits/$id',
    component: lazyPage(['visits'], () => import('./visit-page.tsx'), 'VisitPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'find',
    component: lazyPage(['visits'], () => import('./find-page.tsx'), 'FindPage'),
  }),
];
