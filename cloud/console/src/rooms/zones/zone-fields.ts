import type { zoneRoutes } from '@hlid/cloud/sites/zones/zone-routes';
import { SITE_LIMITS } from '@hlid/protocol/records/site-limits';
import { apiOf } from '../../calls/api.ts';
import type { KnownLane } from '../../live/known-lanes.ts';
import type { FieldSpec } from '../../ui/fields.tsx';
import { WORDS } from './zone-words.ts';

export const zoneApi = apiOf<typeof zoneRoutes>();

export type ZoneDraft = { name: string; capacity: number | null; lanes: readonly string[] };

export const NEW_ZONE: ZoneDraft = { name: '', capacity: null, lanes: [] };

/** @param lanes of the zone's site; none: its computer has not named them yet, and their ids are typed */
export function zoneFields(lanes: readonly KnownLane[]): readonly FieldSpec<ZoneDraft>[] {
  const entrances = lanes.filter(({ direction }) => direction === 'entry');
  return [
    { kind: 'text', name: 'name', label: WORDS.name, isRequired: true },
    {
      kind: 'number',
      name: 'capacity',
      label: WORDS.capacity,
      hint: WORDS.capacityHint,
      ...SITE_LIMITS.capacity,
    },
    entrances.length === 0
      ? { kind: 'lines', name: 'lanes', label: WORDS.lanes, hint: WORDS.lanesHint }
      : {
          kind: 'several',
          name: 'lanes',
          label: WORDS.lanes,
          hint: WORDS.lanesChoiceHint,
          choices: entrances.map(({ id, name }) => [id, name] as const),
        },
  ];
}

/** The zone in the form that calls accept. Settings without a field here stay. */
export function zoneInput({ name, capacity, lanes }: ZoneDraft) {
  return {
    name,
    settings: { capacity, lanes: lanes.map((lane) => lane.trim()).filter((lane) => lane !== '') },
  };
}
