import type { PageSources } from '../card-gateways/gateway.ts';

/**
 * The `Content-Security-Policy` of a page on which a card is typed: our own files, and what the provider's page sources
 * name. Nothing inline runs, and no other page may frame it.
 *
 * @param sources null: no provider takes part yet
 */
export function paymentPagePolicy(sources: PageSources | null): string {
  const from = (kind: keyof PageSources) => ["'self'", ...(sources?.[kind] ?? [])].join(' ');
  return [
    "default-src 'none'",
    `script-src ${from('script')}`,
    `connect-src ${from('connect')}`,
    `frame-src ${from('frame')}`,
    `form-action ${from('form')}`,
    ...["style-src 'self'", "img-src 'self' data:", "font-src 'self'", "manifest-src 'self'"],
    ...["base-uri 'none'", "frame-ancestors 'none'"],
  ].join('; ');
}
