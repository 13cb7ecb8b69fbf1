import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const vehicleRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'vehicles',
    component: lazyPage(['vehicles'], () => import('./vehicles-page.tsx'), 'VehiclesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'vehicles/$id',
    component: lazyPage(['vehicles'], () => import('./vehicle-page.tsx'), 'VehiclePage'),
  }),
];
