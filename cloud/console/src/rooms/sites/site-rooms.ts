import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const siteRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'sites',
    component: lazyPage(['sites'], () => import('./sites-page.tsx'), 'SitesPage'),
  }),
];
