import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const firstStepsRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'first-steps',
    component: lazyPage(['first-steps'], () => import('./first-steps-page.tsx'), 'FirstStepsPage'),
  }),
];
