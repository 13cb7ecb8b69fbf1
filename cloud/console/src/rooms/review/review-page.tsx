import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { openProposalsQuery } from '../../shell/badges.ts';
import { useSiteFilter } from '../../shell/site.ts';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DisputesTab, DisputesTitle } from '../disputes/disputes-tab.tsx';
import { CasesTab } from './cases-tab.tsx';
import { QualityTab } from './quality-tab.tsx';
import { MATCHES, REVIEW } from './review-words.ts';
import './review.css';

const MatchesTab = lazy(async () => ({ default: (await import('./matches-tab.tsx')).MatchesTab }));

/** Pictures that need a person, one after the other, what is contested, and how well cameras and people read. */
export function ReviewPage() {
  return (
    <Page title={REVIEW.title}>
      <Tabs
        label={REVIEW.title}
        tabs={[
          { id: 'pictures', title: REVIEW.pictures, content: () => <CasesTab /> },
          {
            id: 'matches',
            title: <MatchesTitle />,
            content: () => (
              <Suspense fallback={<Loading lines={8} />}>
                <MatchesTab />
              </Suspense>
            ),
          },
          { id: 'disputes', title: <DisputesTitle />, content: () => <DisputesTab /> },
          { id: 'quality', title: REVIEW.quality, content: () => <QualityTab /> },
        ]}
      />
    </Page>
  );
}

/** The title of the tab, with how many pairs wait for a person. */
function MatchesTitle() {
  const { data } = useQuery(openProposalsQuery(useSiteFilter()));
  if (data === undefined || data.total === 0) return MATCHES.title;
  return MATCHES.tab({ open: data.extra.totalIs === 'exact' ? String(data.total) : `${data.total}+` });
}
