import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
import { useFilters } from '../shell/use-filters.ts';

export interface PageTab {
  /** The value of `tab` in the address. */
  id: string;
  title: ReactNode;
  content: () => ReactNode;
}

/** Parts of a page, of which one is shown. Its name stands in the address; the first one needs no name. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const { filters, setFilters } = useFilters();
  const [first] = tabs;
  const shown = tabs.find(({ id }) => id === filters['tab']) ?? first;
  if (shown === undefined) return null;
  return (
    <AriaTabs
      className="tabs"
      selectedKey={shown.id}
      onSelectionChange={(id) => setFilters({ tab: id === first?.id ? null : String(id) })}
    >
      <TabList className="tab-list" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id}>
            {title}
          </Tab>
        ))}
      </TabList>
      <TabPanel key={shown.id} id={shown.id} className="tab-panel">
        {shown.content()}
      </TabPanel>
    </AriaTabs>
  );
}
