import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const reviewRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'review',
    component: lazyRouteComponent(() => import('./review-page.tsx'), 'ReviewPage'),
  }),
];
