import { Badge } from '@hlid/ui/badge';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { can, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteFilter, useSiteForNew, useSiteId, useSiteNames, useSites } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { Fields } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { CAMERA_FIELDS, cameraApi, cameraInput, NEW_CAMERA, READ_FIELDS, SCORE } from './camera-fields.ts';
import { WORDS } from './camera-words.ts';
import { FindCameras, idOf, nameOf } from './find-cameras.tsx';

/** The cameras of a site or of all, and a form for a new one. */
export function CamerasPage() {
  const query = useSiteFilter();
  const siteId = useSiteId();
  const nameOfSite = useSiteNames();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const open = (id: string) => void navigate({ to: `/${siteId ?? 'all'}/cameras/${id}` });
  const list = useList(
    ['cameras', query],
    ({ id }) => id,
    () => read(cameraApi.cameras.$get({ query })),
  );
  const mayAdd = can(useSession(), 'new-camera');
  useShortcut('n', WORDS.create, mayAdd ? () => setCreating(true) : null);
  const create = (
    <Button look="primary" onPress={() => setCreating(true)}>
      <Plus size={14} aria-hidden="true" /> {WORDS.create}
    </Button>
  );
  return (
    <Page title={WORDS.title} actions={mayAdd && create}>
      <ListView
        list={list}
        label={WORDS.title}
        keptAs="cameras"
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: `/${siteId ?? 'all'}/cameras/${id}` })}
        columns={[
          { id: 'name', title: WORDS.name, isWide: true, cell: ({ name }) => name },
          { id: 'site', title: WORDS.site, isHidden: siteId !== null, cell: (one) => nameOfSite(one.siteId) },
          { id: 'lane', title: WORDS.lane, cell: ({ location }) => WORDS.locations[location] },
          { id: 'remoteId', title: WORDS.remoteId, cell: ({ remoteId }) => remoteId },
          { id: 'brand', title: WORDS.brand, cell: ({ brand }) => brand ?? '' },
          {
            id: 'score',
            title: WORDS.score,
            isNumber: true,
            cell: ({ config }) => SCORE.format(config.minimumOcrScore),
          },
          {
            id: 'filters',
            title: WORDS.filterCount,
            isNumber: true,
            cell: ({ config }) => config.filters.length,
          },
          {
            id: 'status',
            title: WORDS.status,
            cell: ({ status }) => (
              <Badge tone={status === 'active' ? 'positive' : 'neutral'}>{WORDS.statuses[status]}</Badge>
            ),
          },
        ]}
        empty={
          <Empty title={WORDS.empty}>
            <p>{WORDS.emptyHint}</p>
          </Empty>
        }
      />
      {isCreating && <NewCameraDialog onMade={open} onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** @param searches false: the site has no computer that could search */
export function NewCameraDialog({
  searches = true,
  onMade,
  onClose,
}: {
  searches?: boolean;
  onMade: (id: string) => void;
  onClose: () => void;
}) {
  const sites = useSites();
  const shownSite = useSiteId();
  const [siteId, setSiteId] = useSiteForNew();
  const [draft, setDraft] = useState(NEW_CAMERA);
  const create = useSubmit(
    (json: ReturnType<typeof cameraInput> & { siteId: string }, headers) =>
      read(cameraApi.cameras.$post({ json }, { headers })),
    {
      invalidates: [['cameras']],
      onDone: ({ id }) => {
        onClose();
        onMade(id);
      },
    },
  );
  return (
    <FormDialog
      title={WORDS.create}
      submit={WORDS.createNamed({ name: draft.name })}
      error={create.error}
      isBusy={create.isPending}
      onSubmit={() => create.mutate({ ...cameraInput(draft), siteId })}
      onClose={onClose}
    >
      {shownSite === null && (
        <ChoiceField
          label={WORDS.site}
          value={siteId}
          choices={sites.map(({ id, name }) => [id, name])}
          onChange={setSiteId}
        />
      )}
      {searches && (
        <FindCameras
          siteId={siteId}
          onChoose={(found) =>
            setDraft((before) => ({
              ...before,
              name: nameOf(found),
              remoteId: idOf(found),
              brand: found.maker,
            }))
          }
        />
      )}
      <Fields specs={[...CAMERA_FIELDS, ...READ_FIELDS]} draft={draft} onChange={setDraft} />
    </FormDialog>
  );
}
