import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

export const accountRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'accounts',
    component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountsPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'accounts/$id',
    component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'login',
    component: lazyRouteComponent(() => import('./my-login-page.tsx'), 'MyLoginPage'),
  }),
];
