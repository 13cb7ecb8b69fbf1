import { useNavigate, useParams } from '@tanstack/react-router';
import { EVERY_SITE } from './site.ts';
import type { Filters } from './use-filters.ts';

/** Addresses of rooms at the site that is shown: `addressOf('permits/p1')`. */
export function useAddress(): (path: string) => string {
  const { site = EVERY_SITE } = useParams({ strict: false });
  return (path) => `/${site}/${path}`;
}

/** Goes to a room, or to one of its pages, with the filters that its address has. */
export function useGo(): (path: string, filters?: Filters) => void {
  const addressOf = useAddress();
  const navigate = useNavigate();
  return (path, search = {}) => void navigate({ to: addressOf(path), search });
}

/** The id in the address of a page. */
export function useId(): string {
  const { id } = useParams({ strict: false }) as { id?: string };
  return id ?? '';
}
