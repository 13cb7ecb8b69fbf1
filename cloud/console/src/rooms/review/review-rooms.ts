import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const reviewRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'review',
    component: lazyPage(['review'], () => import('./review-page.tsx'), 'ReviewPage'),
  }),
];
