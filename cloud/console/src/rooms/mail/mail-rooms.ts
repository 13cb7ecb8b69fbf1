import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const mailRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'mail',
    component: lazyPage(['mail'], () => import('./mail-page.tsx'), 'MailPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'mail/$id',
    component: lazyPage(['mail'], () => import('./one-mail-page.tsx'), 'OneMailPage'),
  }),
];
