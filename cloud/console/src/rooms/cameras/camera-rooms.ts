import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const cameraRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'cameras',
    component: lazyRouteComponent(() => import('./cameras-page.tsx'), 'CamerasPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'cameras/$id',
    component: lazyRouteComponent(() => import('./camera-page.tsx'), 'CameraPage'),
  }),
];
