import type { LiveChange } from './live-feed.ts';

/**
 * The queries that an event makes stale. By convention the first part of a query's key is the kind of thing that it reads
 * (`visits`, `photos` …), and the second is the id where it reads one.
 */
export function keysOf({
  type,
  subject,
}: Pick<LiveChange, 'type' | 'subject'>): readonly (readonly string[])[] {
  const [family = ''] = type.split('.');
  switch (family) {
    case 'visit':
      return [['visits'], ['visit', subject.id], ...(type === 'visit.review' ? [['review']] : [])];
    case 'invoice':
    case 'payment':
      return [['invoices'], ['payments'], ['visits'], ['visit']];
    case 'photo':
      return [['photos'], ['review']];
    case 'quota':
      return [['quotas']];
    case 'device':
      return [['devices'], ['sites']];
    case 'site':
      return [['sites'], ['devices']];
    case 'call':
      return [['calls']];
    case 'passage':
      return [['passages']];
    case 'gate':
    case 'lane':
      return [['lanes']];
    case 'approval':
      return [['approvals']];
    case 'dispute':
      return [['disputes']];
    case 'rollout':
      return [['rollouts']];
    default:
      return [[family]];
  }
}
