import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const cameraRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'cameras',
    component: lazyPage(['cameras'], () => import('./cameras-page.tsx'), 'CamerasPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'cameras/$id',
    component: lazyPage(['cameras'], () => import('./camera-page.tsx'), 'CameraPage'),
  }),
];
