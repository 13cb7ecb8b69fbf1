import type { DeviceKind } from '@hlid/protocol/records/device';
import { useDeviceName } from '../../shell/use-device-name.ts';
import { LANGUAGE } from '../../words/words.ts';
import { useDevices } from '../devices/devices-page.tsx';

/** The advice about devices of a kind that do not work. */
export function Advice({ siteId, kind }: { siteId: string; kind: DeviceKind }) {
  const { data: devices = [] } = useDevices(siteId);
  const nameOf = useDeviceName(siteId);
  return devices
    .filter((device) => device.kind === kind && device.advice !== null)
    .map((device) => (
      <p key={device.id} className="notice caution">
        <strong>{nameOf(device)}</strong> {device.advice?.[LANGUAGE]}
        {device.detail !== '' && <span className="quiet-text"> ({device.detail})</span>}
      </p>
    ));
}
