import type { SimulatedCamera } from './camera.ts';
import { cameraWallClock } from './camera-wall-clock.ts';
import { TINY_JPEG } from './jpeg.ts';

export interface MilesightCameraOptions {
  /** The owner's name for the camera. */
  device: string;
  /** The time zone of its wall clock, which it writes without an offset. */
  timeZone?: string;
  /** Whether it reports its confidence: not every firmware does. */
  saysConfidence?: boolean;
}

/**
 * A Milesight LPR camera: one recognition for each vehicle, all values text, `-` for what it does not know. Documents as
 * in `tests/fixtures/cameras/milesight`.
 */
export function createMilesightCamera(options: MilesightCameraOptions): SimulatedCamera {
  const { device, timeZone = 'UTC', saysConfidence = true } = options;
  return {
    see({ plate, score, at, direction, zone = '1' }) {
      const time = cameraWallClock(at, timeZone);
      const message = {
        device,
        time,
        time_msec: time,
        plate: plate ?? 'unknown',
        type: 'Visitor',
        speed: '-',
        direction: direction === undefined ? '-' : direction === 'leaving' ? 'Away' : 'Approach',
        detection_region: zone,
        region: plate === null ? '-' : 'ISL',
        resolution_width: '1920',
        resolution_height: '1080',
        coordinate_x1: '1014',
        coordinate_y1: '624',
        coordinate_x2: '1110',
        coordinate_y2: '666',
        confidence: saysConfidence && plate !== null ? String(Math.round(score * 100)) : '-',
        plate_color: 'White',
        vehicle_type: 'Car',
        vehicle_color: 'Blue',
        'Vehicle Brand': '-',
        plate_image: TINY_JPEG,
        full_image: TINY_JPEG,
      };
      return [{ body: JSON.stringify(message), headers: {} }];
    },
    afterwards: () => [],
    heartbeat: () => null,
  };
}
