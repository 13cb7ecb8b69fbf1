import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const vehicleRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'vehicles',
    component: lazyPage(() => import('./vehicles-page.tsx'), 'VehiclesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'vehicles/$id',
    component: lazyPage(() => import('./vehicle-page.tsx'), 'VehiclePage'),
  }),
];
