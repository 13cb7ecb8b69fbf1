import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const reportRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'reports',
    component: lazyPage(['reports'], () => import('./reports-page.tsx'), 'ReportsPage'),
  }),
];
