import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const nowRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'now',
    component: lazyPage(['now', 'lanes', 'zones'], () => import('./now-page.tsx'), 'NowPage'),
  }),
];
