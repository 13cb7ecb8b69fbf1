import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

const getParentRoute = () => siteRoute;

export const moneyRooms = [
  createRoute({
    getParentRoute,
    path: 'money',
    component: lazyPage(() => import('./money-page.tsx'), 'MoneyPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/payments/$id',
    component: lazyPage(() => import('./payment-page.tsx'), 'PaymentPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/invoices/$id',
    component: lazyPage(() => import('./invoice-page.tsx'), 'InvoicePage'),
  }),
];
