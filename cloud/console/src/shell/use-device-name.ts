import type { cameraRoutes } from '@hlid/cloud/sites/cameras/camera-routes';
import type { DeviceKind } from '@hlid/protocol/records/device';
import { deviceName } from '@hlid/protocol/words/codes/device-name';
import { useQuery } from '@tanstack/react-query';
import { apiOf, read } from '../calls/api.ts';
import { CODES } from '../words/codes.ts';
import { useLaneName } from './lanes.ts';

const cameraApi = apiOf<typeof cameraRoutes>();

interface NamedDevice {
  kind: DeviceKind;
  id: string;
  /** The name that its site gives it. */
  name?: string | null | undefined;
}

/**
 * The name of a device of a site: a camera has the one that it was registered with, a gate that of its lane,
 * others the name that their site gives them. A device without a name has its id, as the site's computer
 * knows it.
 */
export function useDeviceName(siteId: string): (device: NamedDevice) => string {
  const laneName = useLaneName(siteId);
  const { data: cameras = [] } = useQuery({
    queryKey: ['cameras', 'names', siteId],
    queryFn: () => read(cameraApi.cameras.$get({ query: { siteId } })),
    select: ({ data }) => data,
  });
  const nameOf = ({ kind, id, name }: NamedDevice) => {
    if (kind === 'gate') return name ?? laneName(id);
    const camera = kind === 'camera' ? cameras.find(({ remoteId }) => remoteId === id) : undefined;
    return camera?.name ?? name ?? id;
  };
  return (device) => deviceName(CODES, device.kind, nameOf(device));
}
