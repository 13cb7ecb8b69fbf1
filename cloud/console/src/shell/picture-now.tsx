import type { snapshotRoutes } from '@hlid/cloud/sites/device-commands/snapshot-routes';
import { Camera } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { apiOf, read } from '../calls/api.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Picture } from '../ui/picture.tsx';
import { RefusedNotice } from '../ui/states.tsx';
import { Moment } from '../ui/time.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { wordsOf } from '../words/words.ts';
import { useTimeZone } from './site.ts';

const WORDS = wordsOf('pictureNow');

const api = apiOf<typeof snapshotRoutes>();

/** The camera that takes the picture: one by its id at the site, or the first of a lane that can. */
type PictureSource = { cameraId: string } | { laneId: string } | { screen: 'kiosk' };

function useTakenPicture(siteId: string, of: PictureSource) {
  const site = api.sites[':id'];
  return useSubmit(
    (_at: number, headers) =>
      read(
        'screen' in of
          ? site.devices.kiosk[':device'].snapshot.$post(
              { param: { id: siteId, device: 'site' } },
              { headers },
            )
          : 'cameraId' in of
            ? site.devices.camera[':device'].snapshot.$post(
                { param: { id: siteId, device: of.cameraId } },
                { headers },
              )
            : site.lanes[':lane'].snapshot.$post({ param: { id: siteId, lane: of.laneId } }, { headers }),
      ),
    { invalidates: [] },
  );
}

/**
 * A picture that a camera takes now, in a section of its page.
 *
 * @param cameraId its id at the site
 * @param isTitled false: what is around it names the camera
 */
export function PictureNow({
  siteId,
  cameraId,
  isTitled = true,
}: {
  siteId: string;
  cameraId: string;
  isTitled?: boolean;
}) {
  const take = useTakenPicture(siteId, { cameraId });
  return (
    <section className="form picture-now">
      {isTitled && <h2>{WORDS.title}</h2>}
      <TakenPicture siteId={siteId} name={WORDS.of({ camera: cameraId })} take={take} />
    </section>
  );
}

/** A picture of the kiosk's screen now, in a section of its page. */
export function ScreenNow({ siteId }: { siteId: string }) {
  const take = useTakenPicture(siteId, { screen: 'kiosk' });
  return (
    <section className="form picture-now">
      <h2>{WORDS.screen}</h2>
      <TakenPicture siteId={siteId} name={WORDS.screen} hint={WORDS.screenHint} take={take} />
    </section>
  );
}

/** A picture of a lane now: opening the dialog takes it. */
export function LanePictureDialog({
  siteId,
  lane,
  onClose,
}: {
  siteId: string;
  lane: { id: string; name: string };
  onClose: () => void;
}) {
  const take = useTakenPicture(siteId, { laneId: lane.id });
  const { mutate } = take;
  const isBegun = useRef(false);
  useEffect(() => {
    // React may run an effect twice, but each picture is requested by a person.
    if (isBegun.current) return;
    isBegun.current = true;
    mutate(Date.now());
  }, [mutate]);
  const name = WORDS.of({ camera: lane.name });
  return (
    <Dialog title={name} size="large" onClose={onClose}>
      <div className="form picture-now">
        <TakenPicture siteId={siteId} name={name} take={take} />
      </div>
    </Dialog>
  );
}

function TakenPicture({
  siteId,
  name,
  hint = WORDS.hint,
  take,
}: {
  siteId: string;
  /** The subject of the picture. */
  name: string;
  hint?: string;
  take: ReturnType<typeof useTakenPicture>;
}) {
  const timeZone = useTimeZone(siteId);
  const { data: taken, isPending } = take;
  return (
    <>
      <p className="quiet-text">{hint}</p>
      <div>
        <Button isPending={isPending} onPress={() => take.mutate(Date.now())}>
          <Camera size={14} aria-hidden="true" /> {taken ? WORDS.again : WORDS.take}
        </Button>
      </div>
      <div role="status">
        {isPending && <p className="quiet-text">{WORDS.taking}</p>}
        {taken && !isPending && (
          <>
            <Picture src={taken.url} name={name} size="large" />
            <p className="quiet-text">
              {WORDS.taken} <Moment at={taken.takenOn} timeZone={timeZone} isExact />, {WORDS.erased}{' '}
              <Moment at={taken.expiresOn} timeZone={timeZone} />
            </p>
          </>
        )}
      </div>
      <RefusedNotice error={take.error} />
    </>
  );
}
