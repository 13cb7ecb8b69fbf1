import { CAMERA_FORMATS, CameraFormatSchema } from '@hlid/protocol/camera/camera-formats';

/** What `camera parse` reads: what cameras post, and what the daemon pulls from them. */
export const PARSED_FORMATS = [...CameraFormatSchema.options, 'onvif'] as const;
export type ParsedFormat = (typeof PARSED_FORMATS)[number];

/** As the technician knows it. */
export function makerOf(format: ParsedFormat): string {
  return format === 'onvif'
    ? 'notifications that an ONVIF device was asked for'
    : CAMERA_FORMATS[format].maker;
}
