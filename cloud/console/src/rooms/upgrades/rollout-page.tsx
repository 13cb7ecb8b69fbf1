import { useParams } from '@tanstack/react-router';
import { BackLink } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RolloutShown } from './rollout-shown.tsx';
import { useRollout } from './upgrade-api.ts';
import { WORDS } from './upgrade-words.ts';
import './upgrades.css';

/** One rollout with its sites, also when it is over. */
export function RolloutPage() {
  const { site = 'all', id = '' } = useParams({ strict: false });
  const query = useRollout(id);
  return (
    <Page
      title={query.data ? WORDS.rolloutOf({ version: query.data.version }) : WORDS.title}
      actions={
        <BackLink to={`/${site}/upgrades`} search={{ tab: 'former' }}>
          {WORDS.tabs.former}
        </BackLink>
      }
    >
      <QueryView query={query} lines={8}>
        {(rollout) => <RolloutShown rollout={rollout} title={WORDS.summary} />}
      </QueryView>
    </Page>
  );
}
