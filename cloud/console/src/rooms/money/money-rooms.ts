import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

const getParentRoute = () => siteRoute;

export const moneyRooms = [
  createRoute({
    getParentRoute,
    path: 'money',
    component: lazyPage(['money'], () => import('./money-page.tsx'), 'MoneyPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/payments/$id',
    component: lazyPage(['money'], () => import('./payment-page.tsx'), 'PaymentPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/closes/$id',
    component: lazyPage(['money'], () => import('./closes/close-page.tsx'), 'ClosePage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/claims/$id',
    component: lazyPage(['money', 'claims', 'audit'], () => import('../claims/claim-page.tsx'), 'ClaimPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/collection',
    component: lazyPage(['money', 'claims'], () => import('../claims/collection-page.tsx'), 'CollectionPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/collection/$id',
    component: lazyPage(
      ['money', 'claims'],
      () => import('../claims/collection-file-page.tsx'),
      'CollectionFilePage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: 'money/banks',
    component: lazyPage(['money', 'claims'], () => import('../claims/banks-page.tsx'), 'BanksPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/files/settlement/$id',
    component: lazyPage(['money'], () => import('./files/file-page.tsx'), 'SettlementFilePage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/files/bank/$id',
    component: lazyPage(['money'], () => import('./files/file-page.tsx'), 'BankFilePage'),
  }),
  createRoute({
    getParentRoute,
    path: 'money/invoices/$id',
    component: lazyPage(['money', 'audit'], () => import('./invoice-page.tsx'), 'InvoicePage'),
  }),
];
