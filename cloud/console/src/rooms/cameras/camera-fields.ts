import type { cameraRoutes } from '@hlid/cloud/sites/cameras/camera-routes';
import { NUMBER_LOCALES } from '@hlid/protocol/base/language';
import { apiOf } from '../../calls/api.ts';
import type { FieldSpec } from '../../ui/fields.tsx';
import { LANGUAGE } from '../../words/words.ts';
import { WORDS } from './camera-words.ts';

export const cameraApi = apiOf<typeof cameraRoutes>();

export const SCORE = new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

export type CameraDraft = {
  name: string;
  location: 'entrance' | 'exit';
  remoteId: string;
  brand: string;
  status: 'active' | 'inactive';
  minimumOcrScore: number;
  filters: readonly string[];
};

export const NEW_CAMERA: CameraDraft = {
  name: '',
  location: 'entrance',
  remoteId: '',
  brand: '',
  status: 'active',
  minimumOcrScore: 0.7,
  filters: [],
};

export const CAMERA_FIELDS: readonly FieldSpec<CameraDraft>[] = [
  { kind: 'text', name: 'name', label: WORDS.name, isRequired: true },
  {
    kind: 'choice',
    name: 'location',
    label: WORDS.lane,
    choices: [
      ['entrance', WORDS.locations.entrance],
      ['exit', WORDS.locations.exit],
    ],
  },
  { kind: 'text', name: 'remoteId', label: WORDS.remoteId, hint: WORDS.remoteIdHint, isRequired: true },
  { kind: 'text', name: 'brand', label: WORDS.brand },
  {
    kind: 'choice',
    name: 'status',
    label: WORDS.status,
    choices: [
      ['active', WORDS.statuses.active],
      ['inactive', WORDS.statuses.inactive],
    ],
  },
];

export const READ_FIELDS: readonly FieldSpec<CameraDraft>[] = [
  {
    kind: 'number',
    name: 'minimumOcrScore',
    label: WORDS.score,
    hint: WORDS.scoreHint,
    min: 0,
    max: 1,
    digits: 2,
    isRequired: true,
  },
  { kind: 'lines', name: 'filters', label: WORDS.filters, hint: WORDS.filtersHint },
];

/** The camera in the form that calls accept. */
export function cameraInput({ minimumOcrScore, filters, brand, ...same }: CameraDraft) {
  return {
    ...same,
    brand: brand === '' ? null : brand,
    config: { minimumOcrScore, filters: filters.map((one) => one.trim()).filter((one) => one !== '') },
  };
}
