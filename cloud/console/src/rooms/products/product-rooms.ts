import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

const getParentRoute = () => siteRoute;

export const productRooms = [
  createRoute({
    getParentRoute,
    path: 'products',
    component: lazyPage(['products'], () => import('./products-page.tsx'), 'ProductsPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'products/new',
    component: lazyPage(['products', 'tariff'], () => import('./product-page.tsx'), 'NewProductPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'products/$id',
    component: lazyPage(['products', 'tariff'], () => import('./product-page.tsx'), 'ProductPage'),
  }),
];
