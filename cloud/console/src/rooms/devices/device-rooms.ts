import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const deviceRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'devices',
    component: lazyPage(['devices'], () => import('./devices-page.tsx'), 'DevicesPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'devices/$kind/$device',
    component: lazyPage(['devices'], () => import('./device-page.tsx'), 'DevicePage'),
  }),
];
