import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const permitRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'permits',
    component: lazyPage(['permits'], () => import('./permits-page.tsx'), 'PermitsPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'permits/$id',
    component: lazyPage(['permits'], () => import('./permit-page.tsx'), 'PermitPage'),
  }),
];
