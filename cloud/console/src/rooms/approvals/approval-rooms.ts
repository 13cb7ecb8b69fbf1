import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const approvalRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'approvals',
    component: lazyPage([], () => import('./approvals-page.tsx'), 'ApprovalsPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'approvals/$id',
    component: lazyPage([], () => import('./approval-page.tsx'), 'ApprovalPage'),
  }),
];
