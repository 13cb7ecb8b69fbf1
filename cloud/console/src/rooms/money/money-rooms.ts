import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

const getParentRoute = () => siteRoute;

export const moneyRooms = [
  createRoute({
    getParentRoute,
    path: 'money',
    component: lazyRouteComponent(() => import('./money-page.tsx'), 'MoneyPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/payments/$id',
    component: lazyRouteComponent(() => import('./payment-page.tsx'), 'PaymentPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/invoices/$id',
    component: lazyRouteComponent(() => import('./invoice-page.tsx'), 'InvoicePage'),
  }),
];
