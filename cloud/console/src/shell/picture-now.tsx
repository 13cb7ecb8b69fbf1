import type { snapshotRoutes } from '@hlid/cloud/device-commands/snapshot-routes';
import { Camera } from 'lucide-react';
import { apiOf, read } from '../calls/api.ts';
import { Button } from '../ui/button.tsx';
import { Picture } from '../ui/picture.tsx';
import { RefusedNotice } from '../ui/states.tsx';
import { Moment } from '../ui/time.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { wordsIn } from '../words/words.ts';
import { useTimeZone } from './site.ts';

const WORDS = wordsIn(
  {
    title: 'Picture now',
    take: 'Take a picture',
    again: 'Take another picture',
    taking: 'The camera is taking a picture …',
    hint: 'What the camera sees at this moment. The picture is erased after ten minutes, and the audit log has who took it.',
    taken: 'Taken',
    erased: 'is erased',
    of: (camera: string) => `${camera} now`,
  },
  {
    title: 'Mynd núna',
    take: 'Taka mynd',
    again: 'Taka aðra mynd',
    taking: 'Myndavélin tekur mynd …',
    hint: 'Það sem myndavélin sér á þessari stundu. Myndinni er eytt eftir tíu mínútur og atburðaskráin geymir hver tók hana.',
    taken: 'Tekin',
    erased: 'eytt',
    of: (camera: string) => `${camera} núna`,
  },
);

const api = apiOf<typeof snapshotRoutes>();

/** A picture that a camera takes now. @param cameraId its id at the site */
export function PictureNow({ siteId, cameraId }: { siteId: string; cameraId: string }) {
  const timeZone = useTimeZone(siteId);
  const param = { id: siteId, device: cameraId };
  const take = useSubmit(
    (_at: number, headers) =>
      read(api.sites[':id'].devices.camera[':device'].snapshot.$post({ param }, { headers })),
    { old: [] },
  );
  const { data: taken, isPending } = take;
  return (
    <section className="form picture-now">
      <h2>{WORDS.title}</h2>
      <p className="quiet-text">{WORDS.hint}</p>
      <div>
        <Button isPending={isPending} onPress={() => take.mutate(Date.now())}>
          <Camera size={14} aria-hidden="true" /> {taken ? WORDS.again : WORDS.take}
        </Button>
      </div>
      <div role="status">
        {isPending && <p className="quiet-text">{WORDS.taking}</p>}
        {taken && !isPending && (
          <>
            <Picture src={taken.url} name={WORDS.of(cameraId)} size="large" />
            <p className="quiet-text">
              {WORDS.taken} <Moment at={taken.takenOn} timeZone={timeZone} isExact />, {WORDS.erased}{' '}
              <Moment at={taken.expiresOn} timeZone={timeZone} />
            </p>
          </>
        )}
      </div>
      <RefusedNotice error={take.error} />
    </section>
  );
}
