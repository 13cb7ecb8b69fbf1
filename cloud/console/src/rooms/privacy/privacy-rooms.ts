import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const privacyRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'privacy',
    component: lazyRouteComponent(() => import('./privacy-page.tsx'), 'PrivacyPage'),
  }),
];
