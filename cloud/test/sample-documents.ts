import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';

/** Documents as cameras post them, for tests: of the form of those in tests/fixtures/cameras. */

/** The smallest JPEG there is: one grey pixel. */
export const TINY_JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////' +
  'wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=';

/** A live frame with one plate. */
export function frame(plate: string, at: UtcTime, fields: { uuid?: string; confidence?: number } = {}) {
  const { uuid = `frame-${plate}-${at}`, confidence = 93 } = fields;
  return {
    data_type: 'alpr_results',
    version: 2,
    epoch_time: millis(at),
    uuid,
    camera_id: 1,
    country: 'eu',
    results: [{ plate, confidence, plate_index: 0, region: 'eu-is', plate_crop_jpeg: TINY_JPEG }],
  };
}

/** The group of a vehicle, sent when it has passed. */
export function group(
  plate: string,
  at: UtcTime,
  fields: { uuids?: string[]; confidence?: number; preview?: boolean; parked?: boolean } = {},
) {
  const { uuids = [`group-${plate}-${at}`], confidence = 93, preview = false, parked = false } = fields;
  return {
    data_type: 'alpr_group',
    version: 3,
    epoch_start: millis(at),
    camera_id: 1,
    country: 'eu',
    best_uuid: uuids.at(-1),
    uuids,
    plate_indexes: uuids.map(() => 0),
    best_plate_number: plate,
    best_confidence: confidence,
    best_region: 'eu-is',
    is_preview: preview,
    is_parked: parked,
    overview_jpeg: TINY_JPEG,
  };
}

/** A decision of a Survision camera. */
export function survision(plate: string, at: UtcTime, id = '1') {
  return {
    anpr: {
      '@date': String(millis(at)),
      '@session': '7',
      '@id': id,
      decision: { '@plate': plate, '@reliability': '91', '@direction': 'front', jpeg: TINY_JPEG },
    },
  };
}
