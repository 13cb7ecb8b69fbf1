import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { PlateData } from './plate-data.tsx';
import { WORDS } from './privacy-words.ts';
import { Retention } from './retention.tsx';

/** The data about one vehicle, and the periods for which data is kept. */
export function PrivacyPage() {
  return (
    <Page title={WORDS.title} isWide={false}>
      <Tabs
        label={WORDS.title}
        tabs={[
          { id: 'plate', title: WORDS.tabs.plate, content: () => <PlateData /> },
          { id: 'retention', title: WORDS.tabs.retention, content: () => <Retention /> },
        ]}
      />
    </Page>
  );
}
