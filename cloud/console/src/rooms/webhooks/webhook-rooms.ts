import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page.ts';
import { siteRoute } from '../../site-route.tsx';

export const webhookRooms = [
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'webhooks',
    component: lazyPage(['webhooks'], () => import('./webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => siteRoute,
    path: 'webhooks/$id',
    component: lazyPage(['webhooks'], () => import('./webhook-page.tsx'), 'WebhookPage'),
  }),
];
