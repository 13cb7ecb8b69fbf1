import { expect, it } from 'vitest';
import { z } from 'zod';
import { randomUuid } from './random-uuid.ts';

it('makes another UUID of version 4 each time', () => {
  const made = Array.from({ length: 50 }, randomUuid);
  for (const id of made) expect(z.uuidv4().safeParse(id).success).toBe(true);
  expect(new Set(made).size).toBe(50);
});
