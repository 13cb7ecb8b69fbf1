import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const auditRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'audit',
    component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
  }),
];
