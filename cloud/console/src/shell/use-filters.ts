import { useNavigate, useSearch } from '@tanstack/react-router';

/** Filters of a screen by name, as they stand in its address. */
export type Filters = Readonly<Record<string, string>>;

/** The filters in the address, and how they are set; an empty value removes one. A saved view is such an address. */
export function useFilters(): {
  filters: Filters;
  setFilters: (changes: Readonly<Record<string, string | null>>) => void;
  clear: () => void;
} {
  const filters: Filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: '.', search, replace: true });
  return {
    filters,
    setFilters: (changes) => {
      const merged = Object.entries({ ...filters, ...changes });
      show(Object.fromEntries(merged.filter((one): one is [string, string] => Boolean(one[1]))));
    },
    clear: () => show({}),
  };
}

/** The address's query as texts; the cloud checks them. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
