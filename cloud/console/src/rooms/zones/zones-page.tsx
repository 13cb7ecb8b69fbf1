import { freePlaces } from '@hlid/protocol/records/free-places';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { useLanes } from '../../shell/lanes.ts';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteFilter, useSiteForNew, useSiteId, useSiteNames, useSites } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import type { TableColumn } from '../../ui/data-table.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { Fields } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { NEW_ZONE, zoneApi, zoneFields, zoneInput } from './zone-fields.ts';
import { WORDS } from './zone-words.ts';

/** Zones with how full they are. */
export function ZonesPage() {
  const query = useSiteFilter();
  const siteId = useSiteId();
  const session = useSession();
  const nameOfSite = useSiteNames();
  const known = useLanes(useSites().map(({ id }) => id));
  const [isCreating, setCreating] = useState(false);
  const mayAdd = can(session, 'new-zone');
  const list = useList(
    ['zones', query],
    ({ id }) => id,
    () => read(zoneApi.zones.$get({ query })),
  );
  const columns: TableColumn<(typeof list.rows)[number]>[] = [
    { id: 'name', title: WORDS.name, isWide: true, cell: ({ name }) => name },
    { id: 'site', title: WORDS.site, cell: (zone) => nameOfSite(zone.siteId) },
    { id: 'inside', title: WORDS.inside, isNumber: true, cell: ({ occupancy }) => occupancy ?? '–' },
    {
      id: 'free',
      title: WORDS.free,
      isNumber: true,
      cell: ({ capacity, occupancy }) => freePlaces(capacity, occupancy) ?? '–',
    },
    { id: 'capacity', title: WORDS.capacity, isNumber: true, cell: ({ capacity }) => capacity ?? '–' },
    {
      id: 'lanes',
      title: WORDS.lanes,
      cell: ({ siteId: of, settings: { lanes = [] } }) =>
        lanes.length === 0
          ? WORDS.everyOther
          : lanes.map((id) => known.get(of)?.find((lane) => lane.id === id)?.name ?? id).join(', '),
    },
  ];
  useShortcut('n', WORDS.create, mayAdd ? () => setCreating(true) : null);
  return (
    <Page
      title={WORDS.title}
      actions={
        mayAdd && (
          <Button look="primary" onPress={() => setCreating(true)}>
            <Plus size={14} aria-hidden="true" /> {WORDS.create}
          </Button>
        )
      }
    >
      <ListView
        list={list}
        label={WORDS.title}
        idOf={({ id }) => id}
        linkOf={isOperator(session) ? ({ id }) => ({ to: `/${siteId ?? 'all'}/zones/${id}` }) : undefined}
        // Only operators can read the names of sites.
        columns={columns.filter(({ id }) => id !== 'site' || isOperator(session))}
        empty={
          <Empty title={WORDS.empty}>
            <p>{WORDS.emptyHint}</p>
          </Empty>
        }
      />
      {isCreating && <NewZoneDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function NewZoneDialog({ onClose }: { onClose: () => void }) {
  const sites = useSites();
  const shownSite = useSiteId();
  const [siteId, setSiteId] = useSiteForNew();
  const [draft, setDraft] = useState(NEW_ZONE);
  const lanes = useLanes([siteId]).get(siteId) ?? [];
  const create = useSubmit(
    (json: ReturnType<typeof zoneInput> & { siteId: string }, headers) =>
      read(zoneApi.zones.$post({ json }, { headers })),
    { invalidates: [['zones']], onDone: onClose },
  );
  return (
    <FormDialog
      title={WORDS.create}
      submit={WORDS.createNamed({ name: draft.name })}
      error={create.error}
      isBusy={create.isPending}
      onSubmit={() => create.mutate({ ...zoneInput(draft), siteId })}
      onClose={onClose}
    >
      {shownSite === null && (
        <ChoiceField
          label={WORDS.site}
          value={siteId}
          choices={sites.map(({ id, name }) => [id, name])}
          onChange={(id) => {
            setSiteId(id);
            setDraft({ ...draft, lanes: [] });
          }}
        />
      )}
      <Fields specs={zoneFields(lanes)} draft={draft} onChange={setDraft} />
    </FormDialog>
  );
}
