import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const privacyRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'privacy',
    component: lazyPage(['privacy'], () => import('./privacy-page.tsx'), 'PrivacyPage'),
  }),
];
