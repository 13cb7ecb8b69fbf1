import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const reportRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'reports',
    component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
  }),
];
