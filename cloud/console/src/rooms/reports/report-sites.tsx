import { useAllSites, useSiteId } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { CheckField } from '../../ui/field.tsx';
import { REPORT } from './report-words.ts';

/**
 * The sites that a report counts, in the form of its calls: the one that is shown, those in use, or archived
 * ones too.
 */
export function useReportSites(): { siteId?: string; archived?: 'all' } {
  const siteId = useSiteId();
  const { filters } = useFilters();
  if (siteId !== null) return { siteId };
  return filters['archived'] === 'all' ? { archived: 'all' } : {};
}

/** The choice to include archived sites. It shows if there are any and no single site is selected. */
export function ArchivedChoice() {
  const siteId = useSiteId();
  const hasArchived = useAllSites().some(({ archivedOn }) => archivedOn !== null);
  const { filters, setFilters } = useFilters();
  if (siteId !== null || !hasArchived) return null;
  return (
    <CheckField
      label={REPORT.withArchived}
      isSelected={filters['archived'] === 'all'}
      onChange={(isSelected) => setFilters({ archived: isSelected ? 'all' : null })}
    />
  );
}
