import type { CameraPost, Sighting, SimulatedCamera } from './camera.ts';
import { cameraWallClock } from './camera-wall-clock.ts';
import { TINY_JPEG } from './jpeg.ts';
import { multipartBody } from './multipart-body.ts';

export interface AxisCameraOptions {
  /** Twelve hexadecimal digits: its hardware address. */
  serial: string;
  /** The number of the first car after a start; absent: 1. */
  firstCarId?: number;
  /** The time zone of its wall clock. */
  timeZone?: string;
  /** `use_multipart`: the picture beside the event, not in it. */
  multipart?: boolean;
}

const UPDATE_AFTER_MS = 300;
const LOST_AFTER_MS = 10_000;

/**
 * An Axis camera with License Plate Verifier: `new` for a car, `update` once it knows the direction, and `lost` ten
 * seconds after it has gone. Documents as in `tests/fixtures/cameras/axis`.
 */
export function createAxisCamera(options: AxisCameraOptions): SimulatedCamera {
  const { serial, timeZone = 'UTC', multipart = false } = options;
  let nextCarId = options.firstCarId ?? 1;
  let packets = 8_104_954;
  const passed: { sighting: Sighting; carId: number }[] = [];

  function event(
    sighting: Sighting,
    carId: number,
    state: 'new' | 'update' | 'lost',
    at: number,
  ): CameraPost {
    const { plate, score, direction, zone = '1' } = sighting;
    const text = plate ?? '';
    packets++;
    const moved = direction === 'leaving' ? 'out' : 'in';
    const message = {
      packetCounter: String(packets),
      capture_timestamp: String(at),
      frame_timestamp: `${at}980`,
      capture_ts: `${at}000000`,
      datetime: cameraWallClock(new Date(at), timeZone).replace(/[-:.]/g, ''),
      plateText: text,
      plateUnicode: text,
      plateUTF8: text,
      plateASCII: text.normalize('NFD').replace(/[^ -~]/g, ''),
      plateCountry: plate === null ? '' : 'ISL',
      'plateISO3166-2': '',
      plateRegion: '',
      plateRegionCode: '',
      plateList: '',
      plateListMode: '',
      plateListDescription: '',
      plateConfidence: (plate === null ? 0 : score).toFixed(6),
      carState: state,
      roiID: zone,
      geotag: { lat: 64.14678, lon: -21.9408 },
      imageType: 'plate',
      plateImageType: 'jpeg',
      plateImageSize: '0',
      // The first event of a car never has a direction.
      carMoveDirection: state === 'new' ? 'unknown' : moved,
      timeProcessing: '0',
      plateCoordinates: [670, 496, 276, 44],
      plateCoordinatesRelative: [670, 496, 276, 44],
      carID: String(carId),
      GEOtarget: 'Camera',
      imagesURI: [`/local/fflprapp/tools.cgi?action=getImage&name=67/${at}lp_${packets}.jpg`],
      ...(!multipart && {
        ImageArray: [
          { ImageType: 'plate', ImageFormat: 'jpg', BinaryImage: TINY_JPEG },
          { ImageType: 'vehicle', ImageFormat: 'jpg', BinaryImage: TINY_JPEG },
        ],
      }),
      profileID: '1',
      vehicle_info: { view: 'front', type: 'CAR', color: 'BLUE' },
      camera_info: { SerialNumber: serial, ProdShortName: 'AXIS P1455-LE', MACAddress: serial },
      sensorProviderID: 'defaultID',
    };
    return multipart ? withPicture(JSON.stringify(message)) : { body: JSON.stringify(message), headers: {} };
  }

  return {
    see(sighting) {
      const carId = nextCarId++;
      const at = sighting.at.getTime();
      passed.push({ sighting, carId });
      return [event(sighting, carId, 'new', at), event(sighting, carId, 'update', at + UPDATE_AFTER_MS)];
    },
    afterwards() {
      return passed
        .splice(0)
        .map(({ sighting, carId }) => event(sighting, carId, 'lost', sighting.at.getTime() + LOST_AFTER_MS));
    },
    // The maker prints it with quotes that JSON does not have.
    heartbeat: (at) => ({
      body: `{'system': {'timestamp': '${at.toISOString()}'}, 'identify': {'platform': 'AXIS P1455-LE', 'version': '11.1.72', 'macAddress': '${serial}', 'anprVersion': '2.7.1'}, 'ALPV': {'device_ID': 'defaultID', 'version': '2.7.1', 'numFrames': '2476', 'numberOfReads': '51'}}`,
      headers: {},
    }),
  };
}

function withPicture(event: string): CameraPost {
  const boundary = '------------------------8f1d2c3b4a596877';
  return {
    body: multipartBody(
      [
        {
          headers: ['Content-Disposition: form-data; name="event"', 'Content-Type: application/json'],
          content: event,
        },
        {
          headers: [
            'Content-Disposition: form-data; name="image"; filename="image.jpg"',
            'Content-Type: image/jpeg',
          ],
          content: Buffer.from(TINY_JPEG, 'base64'),
        },
      ],
      boundary,
    ),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
