import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const openingRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'opening',
    component: lazyPage(
      ['opening', 'accounts', 'sites', 'cameras', 'devices', 'now', 'lanes'],
      () => import('./opening-page.tsx'),
      'OpeningPage',
    ),
  }),
];
