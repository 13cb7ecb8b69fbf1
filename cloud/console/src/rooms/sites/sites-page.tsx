import type { payLinkRoutes } from '@hlid/cloud/paying/pay/pay-link-routes';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answered, apiOf, read } from '../../calls/api.ts';
import { NO_CHANGES, readSettingChanges } from '../../calls/setting-changes.ts';
import { ConnectionBadge } from '../../shell/connection-badge.tsx';
import { can, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import {
  EVERY_SITE,
  readSite,
  type Site,
  type SiteAction,
  siteApi,
  siteQuery,
  useAllSites,
  useSite,
} from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EditForm } from '../../ui/edit-form.tsx';
import { TextField } from '../../ui/field.tsx';
import { FinalDialog } from '../../ui/final-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { LimitsCard } from '../approvals/limits-card.tsx';
import { SetElsewhere } from './set-elsewhere.tsx';
import { withNotes } from './setting-notes.ts';
import { type SiteDraft, siteDraft, siteEdit } from './site-draft.ts';
import { SITE_PARTS } from './site-fields.ts';
import { SiteMap } from './site-map.tsx';
import { WORDS } from './site-words.ts';

const payApi = apiOf<typeof payLinkRoutes>();
const FIELDS = SITE_PARTS.flatMap(({ fields }) => fields);

/** The settings of a site; without one, all sites. */
export function SitesPage() {
  const site = useSite();
  return site === null ? <EverySite /> : <SettingsOf key={site.id} site={site} />;
}

function EverySite() {
  const all = useAllSites();
  const { filters, setFilters } = useFilters();
  const isArchive = filters['archived'] === 'true';
  const archived = all.filter(({ archivedOn }) => archivedOn !== null);
  const sites = isArchive ? archived : all.filter(({ archivedOn }) => archivedOn === null);
  const session = useSession();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = can(session, 'new-site');
  useShortcut('n', WORDS.create, mayCreate ? () => setCreating(true) : null);
  // A new site is opened step by step.
  const open = (id: string) => void navigate({ to: `/${id}/opening` });
  return (
    <Page
      title={isArchive ? WORDS.archive : WORDS.title}
      actions={
        <>
          {isArchive && <Button onPress={() => setFilters({ archived: null })}>{WORDS.title}</Button>}
          {!isArchive && archived.length > 0 && (
            <Button look="quiet" onPress={() => setFilters({ archived: 'true' })}>
              {WORDS.archivedSites({ count: archived.length })}
            </Button>
          )}
          {mayCreate && !isArchive && (
            <Button look="primary" onPress={() => setCreating(true)}>
              <Plus size={14} aria-hidden="true" /> {WORDS.create}
            </Button>
          )}
        </>
      }
    >
      {sites.length === 0 ? (
        <Empty title={WORDS.empty}>
          <p>{WORDS.emptyHint}</p>
        </Empty>
      ) : (
        <>
          <SiteMap sites={sites} />
          <DataTable
            label={WORDS.title}
            rows={sites}
            idOf={({ id }) => id}
            linkOf={({ id }) => ({ to: `/${id}/sites` })}
            columns={[
              { id: 'name', title: WORDS.name, isWide: true, cell: ({ name }) => name },
              {
                id: 'connection',
                title: WORDS.connection,
                cell: (site) => <ConnectionBadge site={site} />,
                sortBy: ({ presence }) => Number(presence.connected),
              },
              { id: 'version', title: WORDS.version, cell: ({ presence }) => presence.software ?? '–' },
              {
                id: 'contact',
                title: WORDS.lastContact,
                cell: (site) => <LastContact site={site} />,
                sortBy: ({ presence }) => (presence.connected ? '9' : (presence.since ?? '')),
              },
              { id: 'timeZone', title: WORDS.timeZone, cell: ({ timeZone }) => timeZone },
              { id: 'currency', title: WORDS.currency, cell: ({ currency }) => currency },
              {
                id: 'capacity',
                title: WORDS.capacity,
                isNumber: true,
                cell: ({ settings }) => settings.capacity ?? '–',
              },
            ]}
          />
        </>
      )}
      {isCreating && <NewSiteDialog onOpen={open} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function LastContact({ site: { presence, timeZone } }: { site: Site }) {
  if (presence.connected) return WORDS.now;
  return presence.since === null ? '–' : <Moment at={presence.since} timeZone={timeZone} />;
}

function NewSiteDialog({ onOpen, onClose }: { onOpen: (id: string) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [timeZone, setTimeZone] = useState('Atlantic/Reykjavik');
  const [currency, setCurrency] = useState('ISK');
  const create = useSubmit(
    (json: { name: string; timeZone: string; currency: string }, headers) =>
      read(siteApi.sites.$post({ json }, { headers })),
    {
      invalidates: [['sites']],
      onDone: ({ id }) => {
        onClose();
        onOpen(id);
      },
    },
  );
  return (
    <FormDialog
      title={WORDS.create}
      submit={WORDS.createNamed({ name })}
      error={create.error}
      isBusy={create.isPending}
      onSubmit={() => create.mutate({ name, timeZone, currency })}
      onClose={onClose}
    >
      <TextField label={WORDS.name} value={name} onChange={setName} isRequired autoFocus />
      <TextField
        label={WORDS.timeZone}
        hint={WORDS.timeZoneHint}
        value={timeZone}
        onChange={setTimeZone}
        isRequired
      />
      <TextField label={WORDS.currency} value={currency} onChange={setCurrency} isRequired />
    </FormDialog>
  );
}

function SettingsOf({ site }: { site: Site }) {
  const param = { id: site.id };
  const ways = useQuery({
    queryKey: ['site', site.id, 'ways-to-pay'],
    queryFn: () => read(payApi.sites[':id']['ways-to-pay'].$get({ param })),
  });
  const session = useSession();
  const changes = useQuery({
    queryKey: ['site', site.id, 'setting-changes'],
    queryFn: () => readSettingChanges(site.id),
    enabled: can(session, 'see-audit'),
  });
  const problem = ways.data?.problem ?? null;
  return (
    <Page
      title={WORDS.settingsOf({ site: site.name })}
      isWide={false}
      actions={
        <>
          <BackLink to={`/${EVERY_SITE}/sites`}>{WORDS.title}</BackLink>
          <Link className="button plain" to={`/${site.id}/opening`}>
            {WORDS.opening}
          </Link>
          <EndOfSite site={site} />
        </>
      }
    >
      {problem !== null && (
        <p className="notice caution" role="status">
          {WORDS.payProblem[problem]}
        </p>
      )}
      {site.archivedOn !== null && <p className="notice caution">{WORDS.isArchived}</p>}
      <EditForm
        queryKey={['site', site.id]}
        read={() => readSite(site.id)}
        send={({ draft, before }: { draft: SiteDraft; before: SiteDraft }, headers) => {
          const json = siteEdit(before, draft);
          return read(siteApi.sites[':id'].$put({ param, json }, { headers }));
        }}
        invalidates={[['sites']]}
        specs={withNotes(SITE_PARTS, changes.data ?? NO_CHANGES, site.timeZone)}
        canSearch
        toDraft={(one) => siteDraft(one, FIELDS)}
      />
      {can(session, 'set-limits') && <LimitsCard site={site} />}
      <SetElsewhere />
    </Page>
  );
}

/** Puts a site away, or deletes one that was never in use. */
function EndOfSite({ site }: { site: Site }) {
  const { data } = useQuery(siteQuery(site.id));
  const can = (action: SiteAction) => data?.body.actions.includes(action);
  const navigate = useNavigate();
  const [open, setOpen] = useState<'archive' | 'delete' | null>(null);
  const param = { id: site.id };
  const restore = useSubmit(
    (_: null, headers) => answered(siteApi.sites[':id'].archive.$delete({ param }, { headers })),
    { invalidates: [['sites'], ['site', site.id]] },
  );
  const done = () => {
    setOpen(null);
    void navigate({ to: `/${EVERY_SITE}/sites` });
  };
  const dialog = { invalidates: [['sites'], ['site', site.id]], onDone: done, onClose: () => setOpen(null) };
  return (
    <>
      {can('archive') && <Button onPress={() => setOpen('archive')}>{WORDS.archiveIt}</Button>}
      {can('restore') && (
        <Button onPress={() => restore.mutate(null)} isPending={restore.isPending}>
          {WORDS.restore}
        </Button>
      )}
      {can('delete') && <Button onPress={() => setOpen('delete')}>{COMMON.delete}</Button>}
      {open === 'archive' && (
        <FinalDialog
          {...dialog}
          title={WORDS.archiveOf({ name: site.name })}
          submit={WORDS.archiveOf({ name: site.name })}
          send={(headers) => read(siteApi.sites[':id'].archive.$post({ param }, { headers }))}
          done={WORDS.archived({ name: site.name })}
        >
          <p>{WORDS.archiveHint}</p>
        </FinalDialog>
      )}
      {open === 'delete' && (
        <FinalDialog
          {...dialog}
          title={WORDS.deleteOf({ name: site.name })}
          submit={WORDS.deleteOf({ name: site.name })}
          send={(headers) => answered(siteApi.sites[':id'].$delete({ param }, { headers }))}
          done={COMMON.deleted}
        >
          <p>{WORDS.deleteHint}</p>
        </FinalDialog>
      )}
    </>
  );
}
