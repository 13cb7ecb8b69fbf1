import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { read, readTagged } from '../../calls/api.ts';
import { PictureNow } from '../../shell/picture-now.tsx';
import { can, useSession } from '../../shell/session.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { EditForm } from '../../ui/edit-form.tsx';
import { Page } from '../../ui/page.tsx';
import { CAMERA_FIELDS, type CameraDraft, cameraApi, cameraInput, READ_FIELDS } from './camera-fields.ts';
import { WORDS } from './camera-words.ts';
import { LastReads } from './last-reads.tsx';

/** One camera and its settings. */
export function CameraPage() {
  const { site = 'all', id = '' } = useParams({ strict: false });
  const session = useSession();
  const param = { id };
  const readCamera = () => readTagged(cameraApi.cameras[':id'].$get({ param }));
  const { data: camera } = useQuery({ queryKey: ['cameras', 'one', id], queryFn: readCamera });
  return (
    <Page
      title={camera?.body.name ?? WORDS.title}
      isWide={false}
      actions={<BackLink to={`/${site}/cameras`}>{WORDS.title}</BackLink>}
    >
      <EditForm
        key={id}
        queryKey={['camera', id]}
        read={readCamera}
        send={({ draft }: { draft: CameraDraft }, headers) =>
          read(cameraApi.cameras[':id'].$put({ param, json: cameraInput(draft) }, { headers }))
        }
        invalidates={[['cameras']]}
        specs={[
          { title: WORDS.parts.camera, fields: CAMERA_FIELDS },
          { title: WORDS.parts.reads, fields: READ_FIELDS },
        ]}
        toDraft={({ name, location, remoteId, brand, status, config }): CameraDraft => ({
          name,
          location,
          remoteId,
          brand: brand ?? '',
          status,
          minimumOcrScore: config.minimumOcrScore,
          filters: config.filters,
        })}
      />
      {camera && <PictureNow siteId={camera.body.siteId} cameraId={camera.body.remoteId} />}
      {camera && can(session, 'see-photos') && <LastReads cameraId={id} siteId={camera.body.siteId} />}
    </Page>
  );
}
