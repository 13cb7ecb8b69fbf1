import type { tokenRoutes } from '@hlid/cloud/people/tokens/token-routes';
import { Badge } from '@hlid/ui/badge';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { PictureNow } from '../../shell/picture-now.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { Details } from '../../ui/details.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { WORDS as CAMERA } from '../cameras/camera-words.ts';
import { NewCameraDialog } from '../cameras/cameras-page.tsx';
import { stateName, stateTone } from '../devices/device-words.ts';
import { Advice } from './device-advice.tsx';
import { type Opening, type StepProps, useOpeningAgain } from './opening-api.ts';
import { WORDS } from './opening-words.ts';

const tokenApi = apiOf<typeof tokenRoutes>();

type KnownCamera = Opening['facts']['cameras'][number];

/** The cameras of the site, each with its picture; where there is no computer, with the address to which it posts. */
export function CamerasStep({ siteId, opening }: StepProps) {
  const [isAdding, setAdding] = useState(false);
  const readAgain = useOpeningAgain();
  const hasEdge = !opening.steps.some(({ step, reason }) => step === 'edge' && reason === 'without-edge');
  return (
    <>
      {opening.facts.cameras.length > 0 && (
        <ul className="opening-things">
          {opening.facts.cameras.map((camera) => (
            <li key={camera.id} className="card form">
              <CameraLines siteId={siteId} camera={camera} hasEdge={hasEdge} />
              {hasEdge ? (
                camera.state !== null && <PictureNow siteId={siteId} cameraId={camera.id} isTitled={false} />
              ) : (
                <PostingAddress camera={camera} />
              )}
            </li>
          ))}
        </ul>
      )}
      <Advice siteId={siteId} kind="camera" />
      <p className="hint">{hasEdge ? WORDS.camera.addHint : WORDS.camera.addPosting}</p>
      <span className="row-acts">
        <Button
          look={opening.facts.cameras.length === 0 ? 'primary' : 'plain'}
          onPress={() => setAdding(true)}
        >
          <Plus size={14} aria-hidden="true" /> {WORDS.camera.add}
        </Button>
      </span>
      {isAdding && <NewCameraDialog searches={hasEdge} onMade={readAgain} onClose={() => setAdding(false)} />}
    </>
  );
}

function CameraLines({
  siteId,
  camera: { id, name, location, state, lastReadOn },
  hasEdge,
}: {
  siteId: string;
  camera: KnownCamera;
  hasEdge: boolean;
}) {
  const timeZone = useTimeZone(siteId);
  return (
    <>
      <h3>
        {name ?? id}{' '}
        {state !== null && state !== 'unknown' && <Badge tone={stateTone(state)}>{stateName(state)}</Badge>}
        {state === null && hasEdge && <Badge>{WORDS.camera.notThere}</Badge>}
      </h3>
      <Details
        rows={[
          [WORDS.camera.where, location && CAMERA.locations[location]],
          [CAMERA.remoteId, name === null ? null : id],
          [
            WORDS.camera.lastRead,
            lastReadOn === null ? (
              WORDS.camera.never
            ) : (
              <Moment key="read" at={lastReadOn} timeZone={timeZone} />
            ),
          ],
        ]}
      />
    </>
  );
}

/** The address to which a camera posts its reads. It has a secret, and is shown once. */
function PostingAddress({ camera: { id, cameraId, name } }: { camera: KnownCamera }) {
  const make = useSubmit(
    (_: number, headers) =>
      read(
        tokenApi.admin['create-photo-token'].$post(
          { json: { cameraId: cameraId ?? '', name: name ?? id } },
          { headers },
        ),
      ),
    { invalidates: [] },
  );
  return (
    <>
      {make.data && (
        <>
          <CopyableText label={WORDS.camera.address} value={make.data.url} />
          <p className="hint">{WORDS.camera.addressHint}</p>
        </>
      )}
      <span className="row-acts">
        <Button isPending={make.isPending} onPress={() => make.mutate(Date.now())}>
          {WORDS.camera.makeAddress({ camera: name ?? id })}
        </Button>
      </span>
      <RefusedNotice error={make.error} />
    </>
  );
}
