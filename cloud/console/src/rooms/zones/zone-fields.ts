import type { zoneRoutes } from '@hlid/cloud/zones/zone-routes';
import { apiOf } from '../../calls/api.ts';
import type { FieldSpec } from '../../ui/fields.tsx';
import { WORDS } from './zone-words.ts';

export const zoneApi = apiOf<typeof zoneRoutes>();

export type ZoneDraft = { name: string; capacity: number | null; lanes: readonly string[] };

export const NEW_ZONE: ZoneDraft = { name: '', capacity: null, lanes: [] };

export const ZONE_FIELDS: readonly FieldSpec<ZoneDraft>[] = [
  { kind: 'text', name: 'name', label: WORDS.name, isRequired: true },
  { kind: 'number', name: 'capacity', label: WORDS.capacity, hint: WORDS.capacityHint, min: 0 },
  { kind: 'lines', name: 'lanes', label: WORDS.lanes, hint: WORDS.lanesHint },
];

/** As calls take it. Settings that have no field here stay. */
export function zoneInput({ name, capacity, lanes }: ZoneDraft) {
  return {
    name,
    settings: { capacity, lanes: lanes.map((lane) => lane.trim()).filter((lane) => lane !== '') },
  };
}
