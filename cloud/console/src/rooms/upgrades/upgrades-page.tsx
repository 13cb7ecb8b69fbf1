import { Badge } from '@hlid/ui/badge';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Moment } from '../../ui/time.tsx';
import { PackagesTab } from './packages-tab.tsx';
import { groupCounts } from './rollout-groups.ts';
import { RolloutShown } from './rollout-shown.tsx';
import { StartDialog } from './start-dialog.tsx';
import { type Rollout, usePackages, useRollout, useRollouts } from './upgrade-api.ts';
import { callerText, countsText, stateTone, WORDS } from './upgrade-words.ts';
import './upgrades.css';

const KEY_COMMAND = 'minisign -G -p hlid.pub -s hlid.key';
const TRUST_COMMAND = 'sudo hlid upgrade trust hlid.pub';
const SIGN_COMMAND = 'minisign -S -s hlid.key -m hlid-edge_0.3.0_amd64.deb';

/** Upgrades of the sites: the one under way, the packages, and those before. */
export function UpgradesPage() {
  const rollouts = useRollouts();
  const packages = usePackages();
  const [isStarting, setStarting] = useState(false);
  const { setFilters } = useFilters();
  const open = rollouts.data?.find(({ overAt }) => overAt === null) ?? null;
  const mayStart = rollouts.data !== undefined && open === null && (packages.data?.length ?? 0) > 0;
  useShortcut('n', WORDS.start, mayStart ? () => setStarting(true) : null);
  return (
    <Page
      title={WORDS.title}
      actions={
        mayStart && (
          <Button look="primary" onPress={() => setStarting(true)}>
            {WORDS.start}
          </Button>
        )
      }
    >
      <Tabs
        label={WORDS.title}
        tabs={[
          {
            id: 'rollout',
            title: WORDS.tabs.rollout,
            content: () => (
              <QueryView query={rollouts} lines={8}>
                {(all) => (open ? <OpenRollout id={open.id} /> : <NoneOpen last={all[0] ?? null} />)}
              </QueryView>
            ),
          },
          { id: 'packages', title: WORDS.tabs.packages, content: () => <PackagesTab /> },
          {
            id: 'former',
            title: WORDS.tabs.former,
            content: () => (
              <QueryView query={rollouts} lines={8}>
                {(all) => <FormerRollouts rollouts={all.filter(({ overAt }) => overAt !== null)} />}
              </QueryView>
            ),
          },
        ]}
      />
      {isStarting && packages.data && (
        <StartDialog
          packages={packages.data}
          onStarted={() => setFilters({ tab: null })}
          onClose={() => setStarting(false)}
        />
      )}
    </Page>
  );
}

function OpenRollout({ id }: { id: string }) {
  return (
    <QueryView query={useRollout(id)} lines={8}>
      {(rollout) => <RolloutShown rollout={rollout} title={WORDS.rolloutOf({ version: rollout.version })} />}
    </QueryView>
  );
}

function NoneOpen({ last }: { last: Rollout | null }) {
  const { site = 'all' } = useParams({ strict: false });
  if (last === null) return <FirstSteps />;
  return (
    <Empty title={WORDS.noOpen}>
      <p>{WORDS.noOpenHint}</p>
      <Link to={`/${site}/upgrades/${last.id}`}>
        {WORDS.lastOne({ version: last.version, state: WORDS.states[last.state].toLocaleLowerCase() })}
      </Link>
    </Empty>
  );
}

/** The steps before the first rollout. */
function FirstSteps() {
  return (
    <section className="card first-steps">
      <h2>{WORDS.firstSteps}</h2>
      <p>{WORDS.firstStepsHint}</p>
      <ol>
        <li>
          <p>{WORDS.stepKey}</p>
          <CopyableText label={WORDS.commandKey} value={KEY_COMMAND} />
        </li>
        <li>
          <p>{WORDS.stepTrust}</p>
          <CopyableText label={WORDS.commandTrust} value={TRUST_COMMAND} />
        </li>
        <li>
          <p>{WORDS.stepAdd}</p>
          <CopyableText label={WORDS.commandSign} value={SIGN_COMMAND} />
        </li>
      </ol>
    </section>
  );
}

function FormerRollouts({ rollouts }: { rollouts: readonly Rollout[] }) {
  const { site = 'all' } = useParams({ strict: false });
  const timeZone = useTimeZone();
  if (rollouts.length === 0) {
    return (
      <Empty title={WORDS.noFormer}>
        <p>{WORDS.noFormerHint}</p>
      </Empty>
    );
  }
  return (
    <DataTable
      label={WORDS.tabs.former}
      rows={rollouts}
      idOf={({ id }) => id}
      linkOf={({ id }) => ({ to: `/${site}/upgrades/${id}` })}
      columns={[
        { id: 'version', title: WORDS.version, cell: ({ version }) => version },
        {
          id: 'state',
          title: WORDS.ended,
          cell: ({ state }) => <Badge tone={stateTone(state)}>{WORDS.states[state]}</Badge>,
        },
        {
          id: 'sites',
          title: WORDS.sites,
          isWide: true,
          cell: ({ counts }) => countsText(groupCounts(counts)),
        },
        {
          id: 'started',
          title: WORDS.started,
          cell: ({ createdAt }) => <Moment at={createdAt} timeZone={timeZone} />,
        },
        {
          id: 'over',
          title: WORDS.over,
          cell: ({ overAt }) => overAt && <Moment at={overAt} timeZone={timeZone} />,
        },
        { id: 'by', title: WORDS.by, cell: ({ by, byName }) => callerText(by, byName) },
      ]}
    />
  );
}
