import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { siteRoute } from '../../site-route.tsx';

const getParentRoute = () => siteRoute;

export const productRooms = [
  createRoute({
    getParentRoute,
    path: 'products',
    component: lazyRouteComponent(() => import('./products-page.tsx'), 'ProductsPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'products/new',
    component: lazyRouteComponent(() => import('./product-page.tsx'), 'NewProductPage'),
  }),
  createRoute({
    getParentRoute,
    path: 'products/$id',
    component: lazyRouteComponent(() => import('./product-page.tsx'), 'ProductPage'),
  }),
];
