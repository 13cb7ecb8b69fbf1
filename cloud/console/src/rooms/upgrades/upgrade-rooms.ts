import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const upgradeRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'upgrades',
    component: lazyRouteComponent(() => import('./upgrades-page.tsx'), 'UpgradesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'upgrades/$id',
    component: lazyRouteComponent(() => import('./rollout-page.tsx'), 'RolloutPage'),
  }),
];
