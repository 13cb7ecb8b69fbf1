import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const upgradeRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'upgrades',
    component: lazyPage(['upgrades'], () => import('./upgrades-page.tsx'), 'UpgradesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'upgrades/$id',
    component: lazyPage(['upgrades'], () => import('./rollout-page.tsx'), 'RolloutPage'),
  }),
];
