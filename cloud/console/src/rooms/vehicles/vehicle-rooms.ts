import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const vehicleRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'vehicles',
    component: lazyRouteComponent(() => import('./vehicles-page.tsx'), 'VehiclesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'vehicles/$id',
    component: lazyRouteComponent(() => import('./vehicle-page.tsx'), 'VehiclePage'),
  }),
];
