import type { cameraRoutes } from '@hlid/cloud/sites/cameras/camera-routes';
import type { DeviceKind } from '@hlid/protocol/records/device';
import { useQuery } from '@tanstack/react-query';
import { apiOf, read } from '../../calls/api.ts';
import { useLaneName } from '../../shell/lanes.ts';
import { deviceName } from './device-words.ts';

const cameraApi = apiOf<typeof cameraRoutes>();

/**
 * What people call a device of a site: a camera by the name that it was registered with, a gate by its lane. What has no
 * such name is called by its id, as the site's computer knows it.
 */
export function useDeviceName(siteId: string): (device: { kind: DeviceKind; id: string }) => string {
  const laneName = useLaneName(siteId);
  const { data: cameras = [] } = useQuery({
    queryKey: ['cameras', 'names', siteId],
    queryFn: () => read(cameraApi.cameras.$get({ query: { siteId } })),
    select: ({ data }) => data,
  });
  const nameOf = (kind: DeviceKind, id: string) => {
    if (kind === 'gate') return laneName(id);
    return kind === 'camera' ? (cameras.find(({ remoteId }) => remoteId === id)?.name ?? id) : id;
  };
  return ({ kind, id }) => deviceName(kind, nameOf(kind, id));
}
