import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const nowRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'now',
    component: lazyRouteComponent(() => import('./now-page.tsx'), 'NowPage'),
  }),
];
