import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const mailRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'mail',
    component: lazyRouteComponent(() => import('./mail-page.tsx'), 'MailPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'mail/$id',
    component: lazyRouteComponent(() => import('./one-mail-page.tsx'), 'OneMailPage'),
  }),
];
