import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const upgradeRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'upgrades',
    component: lazyPage(() => import('./upgrades-page.tsx'), 'UpgradesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'upgrades/$id',
    component: lazyPage(() => import('./rollout-page.tsx'), 'RolloutPage'),
  }),
];
