import type { payLinkRoutes } from '@hlid/cloud/pay/pay-link-routes';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { apiOf, read, readTagged } from '../../calls/api.ts';
import { useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { EVERY_SITE, type Site, siteApi, useSite, useSites } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EditForm } from '../../ui/edit-form.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { type SiteDraft, siteDraft, siteEdit } from './site-draft.ts';
import { SITE_PARTS } from './site-fields.ts';
import { WORDS } from './site-words.ts';

const payApi = apiOf<typeof payLinkRoutes>();
const FIELDS = SITE_PARTS.flatMap(({ fields }) => fields);

/** The settings of a site; without one, all sites. */
export function SitesPage() {
  const site = useSite();
  return site === null ? <EverySite /> : <SettingsOf key={site.id} site={site} />;
}

function EverySite() {
  const sites = useSites();
  const { siteIds } = useSession();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  // Only operators of all sites make new ones.
  const mayCreate = siteIds === null;
  useShortcut('n', WORDS.create, mayCreate ? () => setCreating(true) : null);
  const open = (id: string) => void navigate({ to: `/${id}/sites` });
  return (
    <Page
      title={WORDS.title}
      actions={
        mayCreate && (
          <Button look="primary" onPress={() => setCreating(true)}>
            <Plus size={14} aria-hidden="true" /> {WORDS.create}
          </Button>
        )
      }
    >
      {sites.length === 0 ? (
        <Empty title={WORDS.empty}>
          <p>{WORDS.emptyHint}</p>
        </Empty>
      ) : (
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
              cell: ({ presence: { connected } }) => (
                <Badge tone={connected ? 'positive' : 'caution'}>
                  {connected ? WORDS.connected : WORDS.lost}
                </Badge>
              ),
            },
            { id: 'timeZone', title: WORDS.timeZone, cell: ({ timeZone }) => timeZone },
            { id: 'currency', title: WORDS.currency, cell: ({ currency }) => currency },
            {
              ...{ id: 'capacity', title: WORDS.capacity, isNumber: true },
              cell: ({ settings }) => settings.capacity ?? '–',
            },
          ]}
        />
      )}
      {isCreating && <NewSiteDialog onOpen={open} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function NewSiteDialog({ onOpen, onClose }: { onOpen: (id: string) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [timeZone, setTimeZone] = useState('Atlantic/Reykjavik');
  const [currency, setCurrency] = useState('ISK');
  const create = useSubmit(
    (json: { name: string; timeZone: string; currency: string }, headers) =>
      read(siteApi.sites.$post({ json }, { headers })),
    { old: [['sites']] },
  );
  if (create.data) {
    const { id, name: made, secret } = create.data;
    return (
      <Dialog title={WORDS.madeTitle(made)} onClose={onClose}>
        <p>{WORDS.madeHint}</p>
        <CopyableText label={WORDS.secret} value={secret} />
        <footer>
          <Button look="primary" onPress={() => onOpen(id)}>
            {WORDS.toSettings}
          </Button>
        </footer>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={WORDS.create}
      submit={WORDS.createNamed(name)}
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
  const problem = ways.data?.problem ?? null;
  return (
    <Page
      title={WORDS.settingsOf(site.name)}
      isWide={false}
      actions={<BackLink to={`/${EVERY_SITE}/sites`}>{WORDS.title}</BackLink>}
    >
      {problem !== null && (
        <p className="notice caution" role="status">
          {WORDS.payProblem[problem]}
        </p>
      )}
      <EditForm
        queryKey={['site', site.id]}
        read={() => readTagged(siteApi.sites[':id'].$get({ param }))}
        send={({ draft, before }: { draft: SiteDraft; before: SiteDraft }, headers) => {
          const json = siteEdit(before, draft, site.settings.seller);
          return read(siteApi.sites[':id'].$put({ param, json }, { headers }));
        }}
        old={[['sites']]}
        specs={SITE_PARTS}
        toDraft={(one) => siteDraft(one, FIELDS)}
      />
    </Page>
  );
}
