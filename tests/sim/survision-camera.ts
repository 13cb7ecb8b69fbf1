import type { CameraPost, SimulatedCamera } from './camera.ts';
import { TINY_JPEG } from './jpeg.ts';

export interface SurvisionCameraOptions {
  /** Goes in the header `survision-serial-number`. */
  serial: string;
  /** Counts the camera's starts: a camera that was restarted numbers its reads from 1 again. */
  session: number;
  /** The number of its next read. */
  firstId?: number;
}

/**
 * A Survision camera with HTTP Push: one `anpr` document for each vehicle, attributes as `@name` and all values text.
 * Documents as in `tests/fixtures/cameras/survision`.
 */
export function createSurvisionCamera(options: SurvisionCameraOptions): SimulatedCamera {
  let nextId = options.firstId ?? 1;

  function push(message: object): CameraPost {
    return {
      body: JSON.stringify({ anpr: message }),
      headers: { 'survision-serial-number': options.serial },
    };
  }

  return {
    see(sighting) {
      const head = {
        '@date': String(sighting.at.getTime()),
        '@synchronized': '0',
        '@session': String(options.session),
        '@id': String(nextId++),
      };
      const place = { '@x': '728', '@y': '695', '@width': '222', '@height': '50', '@sinus': '0.037716' };
      const nationality = {
        '@context': 'IS',
        '@context_isoAlpha3': 'ISL',
        '@context_isoAlpha2': 'IS',
      };
      return [
        push({
          ...head,
          decision: {
            ...place,
            '@plate': sighting.plate ?? '',
            ...(sighting.plate !== null && nationality),
            '@reliability': String(Math.round((sighting.plate === null ? 0 : sighting.score) * 100)),
            '@plateOccurences': sighting.plate === null ? '0' : '15',
            '@direction': 'unknown',
            '@squarePlate': '0',
            jpeg: TINY_JPEG,
          },
        }),
      ];
    },
    afterwards: () => [],
    heartbeat: () => null,
  };
}
