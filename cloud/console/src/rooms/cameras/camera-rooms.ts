import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const cameraRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'cameras',
    component: lazyPage(() => import('./cameras-page.tsx'), 'CamerasPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'cameras/$id',
    component: lazyPage(() => import('./camera-page.tsx'), 'CameraPage'),
  }),
];
