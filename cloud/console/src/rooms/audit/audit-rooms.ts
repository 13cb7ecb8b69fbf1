import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const auditRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'audit',
    component: lazyPage(['audit'], () => import('./audit-page.tsx'), 'AuditPage'),
  }),
];
