import type { CameraPost, SimulatedCamera } from './camera.ts';
import { cameraWallClock } from './camera-wall-clock.ts';
import { TINY_JPEG } from './jpeg.ts';

export interface DahuaCameraOptions {
  deviceId: string;
  /** The time zone of its wall clock, which it writes without an offset. */
  timeZone?: string;
  /** Some sites see several posts of one car, a frame apart. */
  postsPerCar?: number;
}

/** A Dahua camera with ITSAPI. */
export interface DahuaCamera extends SimulatedCamera {
  /** The document that it posts when it starts. */
  deviceInfo(): CameraPost;
}

const FRAME_MS = 400;

/**
 * A Dahua camera that pushes by ITSAPI: `TollgateInfo` for each vehicle, `KeepAlive` and `DeviceInfo`. Documents as in
 * `tests/fixtures/cameras/dahua`.
 */
export function createDahuaCamera(options: DahuaCameraOptions): DahuaCamera {
  const { deviceId, timeZone = 'UTC', postsPerCar = 1 } = options;
  const post = (message: object): CameraPost => ({ body: JSON.stringify(message), headers: {} });
  return {
    see({ plate, score, at, direction, zone = '1' }) {
      return Array.from({ length: postsPerCar }, (_unused, frame) => {
        const time = cameraWallClock(new Date(at.getTime() + frame * FRAME_MS), timeZone);
        const picture = (name: string) => ({ PicName: `${name}-${time}.jpg`, Content: TINY_JPEG });
        return post({
          Picture: {
            CutoutPic: picture('cutout'),
            NormalPic: picture('normal'),
            VehiclePic: picture('vehicle'),
            Plate: {
              IsExist: plate !== null,
              PlateNumber: plate ?? '',
              PlateColor: 'White',
              PlateType: 'Normal',
              Confidence: plate === null ? 0 : Math.round(score * 100),
              BoundingBox: [3024, 5120, 4096, 5632],
              Channel: 0,
              ...(plate !== null && { Region: 'ISL' }),
            },
            Vehicle: { VehicleColor: 'Black', VehicleType: 'SUV', VehicleSign: 'Toyota' },
            SnapInfo: {
              AccurateTime: time,
              SnapTime: time.slice(0, 19),
              TimeZone: 0,
              DSTTune: 0,
              LanNo: Number(zone),
              Direction: direction === 'leaving' ? 'Reverse' : 'Obverse',
              AllowUser: false,
              BlockUser: false,
              OpenStrobe: false,
              DefenceCode: 'wPjk2cTZ',
              DeviceID: deviceId,
            },
          },
        });
      });
    },
    afterwards: () => [],
    heartbeat: () => post({ Active: 'keepAlive', DeviceID: deviceId }),
    deviceInfo: () =>
      post({
        DeviceName: 'ITC',
        DeviceModel: 'DHI-ITC413-PW4D-IZ1',
        DeviceType: 'Tollgate',
        Manufacturer: 'Dahua',
        IPAddress: '192.0.2.65',
        DeviceID: deviceId,
      }),
  };
}
