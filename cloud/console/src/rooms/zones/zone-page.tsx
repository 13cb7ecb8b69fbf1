import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answered, read, readTagged } from '../../calls/api.ts';
import { useLanes } from '../../shell/lanes.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { EditForm } from '../../ui/edit-form.tsx';
import { FinalDialog } from '../../ui/final-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { COMMON } from '../../words/common.ts';
import { type ZoneDraft, zoneApi, zoneFields, zoneInput } from './zone-fields.ts';
import { ZoneOccupancy } from './zone-occupancy.tsx';
import { WORDS } from './zone-words.ts';

/** One zone: how full it is, its settings, and its end. */
export function ZonePage() {
  const { site = 'all', id = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  const param = { id };
  const readZone = () => readTagged(zoneApi.zones[':id'].$get({ param }));
  const zone = useQuery({ queryKey: ['zone', id], queryFn: readZone }).data?.body;
  const siteId = zone?.siteId ?? null;
  const lanes = useLanes(siteId === null ? [] : [siteId]).get(siteId ?? '') ?? [];
  const name = zone?.name ?? WORDS.title;
  return (
    <Page title={name} isWide={false} actions={<BackLink to={`/${site}/zones`}>{WORDS.title}</BackLink>}>
      {zone && <ZoneOccupancy id={id} name={zone.name} siteId={zone.siteId} />}
      <EditForm
        key={id}
        queryKey={['zone', id]}
        read={readZone}
        send={({ draft }: { draft: ZoneDraft }, headers) =>
          read(zoneApi.zones[':id'].$put({ param, json: zoneInput(draft) }, { headers }))
        }
        invalidates={[['zones']]}
        specs={[{ title: WORDS.settings, fields: zoneFields(lanes) }]}
        toDraft={(one): ZoneDraft => ({
          name: one.name,
          capacity: one.capacity,
          lanes: one.settings.lanes ?? [],
        })}
        isReadOnly={!zone?.actions.includes('edit')}
      >
        {zone?.actions.includes('delete') && (
          <Button look="negative" onPress={() => setRemoving(true)}>
            {WORDS.remove}
          </Button>
        )}
      </EditForm>
      {isRemoving && (
        <FinalDialog
          title={WORDS.remove}
          submit={WORDS.removeNamed({ name })}
          send={() => answered(zoneApi.zones[':id'].$delete({ param }))}
          invalidates={[['zones']]}
          done={COMMON.deleted}
          onDone={() => void navigate({ to: `/${site}/zones` })}
          onClose={() => setRemoving(false)}
        >
          <p>{WORDS.removeHint}</p>
        </FinalDialog>
      )}
    </Page>
  );
}
