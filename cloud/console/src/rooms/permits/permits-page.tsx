import { PlateSign } from '@hlid/ui/plate-sign';
import { Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../shell/room-address.ts';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteFilter, useSites, useTimeZone } from '../../shell/site.ts';
import { type Filters, useFilters } from '../../shell/use-filters.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import type { TableColumn } from '../../ui/data-table.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
import { COMMON } from '../../words/common.ts';
import { LANGUAGE } from '../../words/words.ts';
import { ImportDialog } from './import-dialog.tsx';
import { NewPermitDialog } from './new-permit-dialog.tsx';
import { listPermits, type Permit, type PermitQuery } from './permit-api.ts';
import { PermitBadge, periodText, rulesText, turnOf, usePermitStatus } from './permit-shown.tsx';
import { PERMIT } from './permit-words.ts';
import './permits.css';

const STATES = {
  now: { active: 'true' },
  paused: { status: 'paused' },
  deleted: { status: 'deleted' },
} as const;

const ORDERS = ['oldest', 'plate', '-plate'] as const;

function queryOf(
  { plate, reason, state, effect, type, order }: Filters,
  site: { siteId?: string },
): PermitQuery {
  const known = ORDERS.find((one) => one === order);
  return {
    ...site,
    ...(known && { order: known }),
    ...(plate && { plate }),
    ...(reason && { reason }),
    ...(state && state in STATES && STATES[state as keyof typeof STATES]),
    ...((effect === 'allow' || effect === 'block') && { objectType: effect }),
    ...((type === 'permanent' || type === 'temporary') && { type }),
  };
}

export function PermitsPage() {
  const addressOf = useAddress();
  const { filters, setFilters } = useFilters();
  const query = queryOf(filters, useSiteFilter());
  const [open, setOpen] = useState<'new' | 'import' | null>(null);
  const columns = useColumns();
  const mayAdd = can(useSession(), 'new-permit');
  useShortcut('n', PERMIT.add, mayAdd ? () => setOpen('new') : null);
  const list = useList<Permit>(
    ['permits', query],
    ({ id }) => id,
    (next) => listPermits({ ...query, ...(next !== undefined && { next }) }),
  );
  return (
    <Page
      title={PERMIT.title}
      actions={
        <>
          <DownloadButton label={PERMIT.export} href={exportAddress(query)} fileName="permits.csv" />
          {mayAdd && (
            <>
              <Button onPress={() => setOpen('import')}>
                <Upload size={14} aria-hidden="true" /> {PERMIT.import}
              </Button>
              <Button look="primary" onPress={() => setOpen('new')}>
                <Plus size={14} aria-hidden="true" /> {PERMIT.add}
              </Button>
            </>
          )}
        </>
      }
      filters={<PermitFilters />}
    >
      <ListView
        list={list}
        label={PERMIT.title}
        columns={columns}
        keptAs="permits"
        order={{ value: filters['order'] ?? '', onChange: (order) => setFilters({ order }) }}
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: addressOf(`permits/${id}`) })}
        empty={
          <Empty title={PERMIT.empty}>
            <p>{Object.keys(filters).length === 0 ? PERMIT.emptyHint : PERMIT.emptyFiltered}</p>
          </Empty>
        }
      />
      {open === 'new' && <NewPermitDialog onAdded={list.showNext} onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportDialog onAdded={list.showNext} onClose={() => setOpen(null)} />}
    </Page>
  );
}

/** Excel in Icelandic reads files with semicolons only. */
function exportAddress({ order: _, ...query }: PermitQuery): string {
  const form = LANGUAGE === 'is' ? { separator: 'semicolon', bom: 'true' } : { bom: 'true' };
  return `/visit/whitelist/export?${new URLSearchParams({ ...query, ...form } as Record<string, string>)}`;
}

function useColumns(): TableColumn<Permit>[] {
  const session = useSession();
  const sites = useSites();
  const timeZone = useTimeZone();
  const status = usePermitStatus();
  const ofOperators: TableColumn<Permit>[] = [
    {
      id: 'site',
      title: PERMIT.site,
      cell: ({ siteId }) =>
        siteId === null ? COMMON.allSites : (sites.find(({ id }) => id === siteId)?.name ?? siteId),
    },
    { id: 'author', title: PERMIT.author, isHidden: true, cell: ({ author }) => author.name },
  ];
  return [
    {
      id: 'plate',
      title: PERMIT.plate,
      orders: { ascending: 'plate', descending: '-plate' },
      cell: ({ plate }) => <PlateSign plate={plate} />,
    },
    { id: 'state', title: PERMIT.state, cell: (permit) => <PermitBadge permit={permit} /> },
    { id: 'reason', title: PERMIT.reason, isWide: true, cell: ({ reason }) => reason },
    { id: 'valid', title: PERMIT.valid, cell: (permit) => periodText(permit, timeZone) },
    { id: 'hours', title: PERMIT.hoursShort, cell: (permit) => permit.rules.length > 0 && rulesText(permit) },
    ...(isOperator(session) ? ofOperators : []),
    {
      id: 'act',
      title: COMMON.actions,
      cell: (permit) => <PauseButton permit={permit} status={status} />,
    },
  ];
}

function PauseButton({ permit, status }: { permit: Permit; status: ReturnType<typeof usePermitStatus> }) {
  const turn = turnOf(permit);
  return (
    turn && (
      <IconButton
        label={`${turn.name} ${permit.plate}`}
        isDisabled={status.isBusy}
        onPress={() => status.change(permit, turn.to)}
      >
        <turn.Icon size={14} />
      </IconButton>
    )
  );
}

function PermitFilters() {
  const { filters, setFilters, clear } = useFilters();
  return (
    <>
      <FilterText label={PERMIT.plate} value={filters['plate']} onChange={(plate) => setFilters({ plate })} />
      <FilterText
        label={PERMIT.reason}
        value={filters['reason']}
        onChange={(reason) => setFilters({ reason })}
      />
      <ChoiceField
        label={PERMIT.state}
        value={filters['state'] ?? ''}
        choices={[
          ['', PERMIT.stateFilters.current],
          ['now', PERMIT.stateFilters.now],
          ['paused', PERMIT.stateFilters.paused],
          ['deleted', PERMIT.stateFilters.deleted],
        ]}
        onChange={(state) => setFilters({ state })}
      />
      <ChoiceField
        label={PERMIT.type}
        value={filters['type'] ?? ''}
        choices={[
          ['', PERMIT.anything],
          ['permanent', PERMIT.types.permanent],
          ['temporary', PERMIT.types.temporary],
        ]}
        onChange={(type) => setFilters({ type })}
      />
      <ChoiceField
        label={PERMIT.effect}
        value={filters['effect'] ?? ''}
        choices={[
          ['', PERMIT.anything],
          ['allow', PERMIT.effects.allow],
          ['block', PERMIT.effects.block],
        ]}
        onChange={(effect) => setFilters({ effect })}
      />
      <ClearFilters isAny={Object.keys(filters).length > 0} onClear={clear} />
    </>
  );
}
