import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const trainingRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'training',
    component: lazyPage(['training'], () => import('./training-page.tsx'), 'TrainingPage'),
  }),
];
