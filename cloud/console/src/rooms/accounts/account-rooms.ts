import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const accountRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'accounts',
    component: lazyPage(['accounts'], () => import('./accounts-page.tsx'), 'AccountsPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'accounts/$id',
    component: lazyPage(['accounts'], () => import('./account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'login',
    component: lazyPage(['accounts'], () => import('./my-login-page.tsx'), 'MyLoginPage'),
  }),
];
