import type { CameraPost, SimulatedCamera } from './camera.ts';
import type { OnvifDeviceSim } from './onvif-device.ts';

/** An ONVIF camera as cars see it: what it sees waits in the device until it is pulled. */
export function createOnvifCamera(device: Pick<OnvifDeviceSim, 'tellPlate'>): {
  camera: SimulatedCamera;
  keep: (document: CameraPost) => void;
} {
  const seen = new Map<string, () => void>();
  let sightings = 0;
  return {
    camera: {
      see({ plate, score, direction }) {
        sightings++;
        const [body, objectId] = [`sighting ${sightings}`, sightings];
        const likelihood = plate === null ? 0 : score;
        seen.set(body, () =>
          device.tellPlate({
            plate: plate ?? 'unknown',
            likelihood,
            objectId,
            ...(direction && { direction }),
          }),
        );
        return [{ body, headers: {} }];
      },
      afterwards: () => [],
      heartbeat: () => null,
    },
    keep({ body }) {
      seen.get(String(body))?.();
      seen.delete(String(body));
    },
  };
}
