import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const mailRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'mail',
    component: lazyPage(() => import('./mail-page.tsx'), 'MailPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'mail/$id',
    component: lazyPage(() => import('./one-mail-page.tsx'), 'OneMailPage'),
  }),
];
