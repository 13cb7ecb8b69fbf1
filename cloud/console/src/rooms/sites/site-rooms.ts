import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const siteRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'sites',
    component: lazyRouteComponent(() => import('./sites-page.tsx'), 'SitesPage'),
  }),
];
