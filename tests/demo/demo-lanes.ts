import type { LanePlan } from '../harness/edge-document.ts';
import type { EdgeProgram } from '../harness/edge-program.ts';
import { cameraOf } from '../harness/lane-camera.ts';
import type { SimulatedCamera } from '../sim/camera.ts';
import { carPicture } from '../sim/car-picture.ts';
import type { SimulatedLane } from '../sim/lane-approach.ts';
import { createOnvifCamera } from '../sim/onvif-camera.ts';
import type { OnvifDeviceSim } from '../sim/onvif-device.ts';
import { picturedCamera } from '../sim/pictured-camera.ts';
import type { Relay } from '../sim/relay.ts';

/** The plate that each camera saw last, by the camera's id. */
export type LastCars = Map<string, string>;

interface LaneParts {
  device: OnvifDeviceSim;
  edge: EdgeProgram;
  relay: Relay;
  lastCars: LastCars;
}

/** A lane of the demo, as cars see it. */
export function demoLane(plan: LanePlan, { device, edge, relay, lastCars }: LaneParts): SimulatedLane {
  const lane = plan.isPolled ? polledLane(plan, device) : pushingLane(plan, edge, relay);
  return { ...lane, camera: remembering(lane.camera, (plate) => lastCars.set(plan.cameraId, plate)) };
}

/**
 * The picture that a camera sends on request: its last car. The ONVIF device's own address names no camera.
 */
export function pictureAt(target: string, lanes: readonly LanePlan[], lastCars: LastCars): Buffer {
  const named = new URL(target, 'http://camera').searchParams.get('camera');
  const camera = named ?? lanes.find(({ isPolled }) => isPolled)?.cameraId ?? '';
  return carPicture(lastCars.get(camera) ?? 'KZD82', new Date());
}

export function pushUrl(edge: EdgeProgram, lane: LanePlan, format: string): string {
  return `${edge.cameraUrl()}/cameras/${lane.cameraId}/${format}?token=${lane.token}`;
}

function polledLane({ id, direction }: LanePlan, device: OnvifDeviceSim): SimulatedLane {
  const onOpening = (listener: () => void) => device.onOpening(() => listener());
  return { id, direction, ...createOnvifCamera(device), pushUrl: '', onOpening };
}

function pushingLane(lane: LanePlan, edge: EdgeProgram, relay: Relay): SimulatedLane {
  return {
    id: lane.id,
    direction: lane.direction,
    camera: picturedCamera(cameraOf(lane)),
    pushUrl: pushUrl(edge, lane, lane.format),
    onOpening: (listener: () => void) =>
      relay.onOpening((output) => {
        if (output === lane.output) listener();
      }),
  };
}

function remembering(camera: SimulatedCamera, remember: (plate: string) => void): SimulatedCamera {
  return {
    ...camera,
    see(sighting) {
      remember(sighting.carPlate ?? sighting.plate ?? '');
      return camera.see(sighting);
    },
  };
}
