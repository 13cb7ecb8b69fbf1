import { afterEach, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import { createTestApi, type Json, type TestApi } from './api.ts';
import { frame } from './sample-documents.ts';

const PhotoSchema = z.looseObject({
  id: z.string(),
  visitId: z.string().nullable(),
  status: z.string(),
  standing: z.string(),
  decision: z.strictObject({ open: z.boolean(), reason: z.string() }).nullable(),
});

/** A site without an edge daemon, new for each test of the file that calls this: a camera each way, and a price. */
export function useLanes() {
  const lanes = {
    api: undefined as unknown as TestApi,
    /** The cameras. */
    entrance: '',
    exit: '',

    async post(camera: string, document: unknown, type = 'open-alpr') {
      const answer = await lanes.api.call('POST', `/photos/${type}?camera.id=${camera}`, { body: document });
      expect(answer.status, JSON.stringify(answer.body)).toBe(303);
      return PhotoSchema.parse(answer.body);
    },
    drivesIn: (plate: string) => lanes.post(lanes.entrance, frame(plate, lanes.api.now())),
    drivesOut: (plate: string) => lanes.post(lanes.exit, frame(plate, lanes.api.now())),
    visit: async (id: string | null): Promise<Json> => (await lanes.api.call('GET', `/visit/${id}`)).body,
  };

  beforeEach(async () => {
    lanes.api = await createTestApi();
    const camera = (remoteId: string, location: string) =>
      lanes.api.made('/cameras', { name: remoteId, location, remoteId, config: { minimumOcrScore: 0.7 } });
    lanes.entrance = (await camera('cam-in', 'entrance')).id;
    lanes.exit = (await camera('cam-out', 'exit')).id;
    await lanes.api.made('/products', {
      type: 'default',
      price: 500,
      currency: 'ISK',
      vehicleCategory: 'light',
      productCode: 'day',
      name: { is: 'Dagur' },
    });
  });
  afterEach(async () => await lanes.api.close());
  return lanes;
}
