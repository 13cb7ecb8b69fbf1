import type { photoRoutes } from '@hlid/cloud/stays/photos/photo-routes';
import { PlateSign } from '@hlid/ui/plate-sign';
import { apiOf, read } from '../../calls/api.ts';
import { useTimeZone } from '../../shell/site.ts';
import { ListView } from '../../ui/list-view.tsx';
import { PhotoPicture } from '../../ui/picture.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { SCORE } from './camera-fields.ts';
import { WORDS } from './camera-words.ts';

const api = apiOf<typeof photoRoutes>();

/** The newest reads of a camera, by which a person sees whether the score fits and the lens is clean. */
export function LastReads({ cameraId, siteId }: { cameraId: string; siteId: string }) {
  const timeZone = useTimeZone(siteId);
  const list = useList(
    ['photos', 'camera', cameraId],
    ({ id }) => id,
    (next: string | undefined) =>
      read(api.photos.$get({ query: { 'camera.id': cameraId, ...(next && { next }) } })),
  );
  return (
    <section className="form">
      <h2>{WORDS.lastReads}</h2>
      <ListView
        list={list}
        label={WORDS.lastReads}
        idOf={({ id }) => id}
        columns={[
          {
            id: 'plate',
            title: WORDS.plate,
            cell: ({ plate }) => <PlateSign plate={plate} unread={WORDS.noPlate} />,
          },
          {
            id: 'picture',
            title: WORDS.picture,
            cell: ({ id, url, plate }) => (
              <PhotoPicture photoId={url === null ? null : id} name={plate ?? WORDS.noPlate} size="small" />
            ),
          },
          {
            id: 'score',
            title: WORDS.readScore,
            isNumber: true,
            cell: ({ score }) => SCORE.format(score),
          },
          {
            id: 'on',
            title: WORDS.when,
            isWide: true,
            cell: ({ capturedOn }) => <Moment at={capturedOn} timeZone={timeZone} />,
          },
        ]}
        empty={<Empty title={WORDS.noReads} />}
      />
    </section>
  );
}
