import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DisputesTab, DisputesTitle } from '../disputes/disputes-tab.tsx';
import { CasesTab } from './cases-tab.tsx';
import { QualityTab } from './quality-tab.tsx';
import { REVIEW } from './review-words.ts';
import './review.css';

/** Pictures that need a person, one after the other, what is contested, and how well cameras and people read. */
export function ReviewPage() {
  return (
    <Page title={REVIEW.title}>
      <Tabs
        label={REVIEW.title}
        tabs={[
          { id: 'pictures', title: REVIEW.pictures, content: () => <CasesTab /> },
          { id: 'disputes', title: <DisputesTitle />, content: () => <DisputesTab /> },
          { id: 'quality', title: REVIEW.quality, content: () => <QualityTab /> },
        ]}
      />
    </Page>
  );
}
