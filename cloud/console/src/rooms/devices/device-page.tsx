import { Badge } from '@hlid/ui/badge';
import { useParams } from '@tanstack/react-router';
import { PictureNow, ScreenNow } from '../../shell/picture-now.tsx';
import { useSiteId, useTimeZone } from '../../shell/site.ts';
import { useDeviceName } from '../../shell/use-device-name.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { COMMON } from '../../words/common.ts';
import { LANGUAGE } from '../../words/words.ts';
import { stateName, stateTone, WORDS } from './device-words.ts';
import { useDevices } from './devices-page.tsx';
import { TryAgain } from './try-again.tsx';

/** One device: how it is, what to do, and how it was. */
export function DevicePage() {
  const siteId = useSiteId() ?? '';
  const { kind, device: id } = useParams({ strict: false });
  const query = useDevices(siteId);
  const timeZone = useTimeZone(siteId);
  const nameOf = useDeviceName(siteId);
  return (
    <QueryView query={query}>
      {(devices) => {
        const device = devices.find((one) => one.kind === kind && one.id === id);
        if (!device) return <Empty title={COMMON.notFound} />;
        const { state, since, detail, advice, lastKnown, changes } = device;
        return (
          <Page
            title={nameOf(device)}
            isWide={false}
            actions={<BackLink to={`/${siteId}/devices`}>{WORDS.title}</BackLink>}
          >
            {advice && <p className="notice caution">{advice[LANGUAGE]}</p>}
            <Details
              rows={[
                [
                  WORDS.state,
                  <Badge key="state" tone={stateTone(state)}>
                    {stateName(state)}
                  </Badge>,
                ],
                [WORDS.since, <Moment key="since" at={since} timeZone={timeZone} isExact />],
                [WORDS.detail, detail],
                [
                  WORDS.lastKnown,
                  lastKnown.state === state ? null : (
                    <>
                      {stateName(lastKnown.state)}, <Moment at={lastKnown.since} timeZone={timeZone} />
                    </>
                  ),
                ],
              ]}
            />
            {device.actions.includes('try-again') && (
              <TryAgain siteId={siteId} kind={device.kind} id={device.id} alarm={device.alarm} />
            )}
            {device.actions.includes('picture') && <PictureNow siteId={siteId} cameraId={device.id} />}
            {device.actions.includes('screen') && <ScreenNow siteId={siteId} />}
            <h2>{WORDS.changes}</h2>
            {changes.length === 0 ? (
              <p className="quiet-text">{WORDS.noChanges}</p>
            ) : (
              <DataTable
                label={WORDS.changes}
                rows={changes.map((change, place) => ({ ...change, id: String(place) }))}
                idOf={({ id: place }) => place}
                columns={[
                  {
                    id: 'on',
                    title: WORDS.when,
                    cell: ({ on }) => <Moment at={on} timeZone={timeZone} isExact />,
                  },
                  { id: 'state', title: WORDS.state, cell: (one) => stateName(one.state) },
                  { id: 'detail', title: WORDS.detail, isWide: true, cell: (one) => one.detail },
                ]}
              />
            )}
          </Page>
        );
      }}
    </QueryView>
  );
}
