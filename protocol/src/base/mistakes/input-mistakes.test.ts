import { expect, it } from 'vitest';
import { z } from 'zod';
import { inputMistakes } from './input-mistakes.ts';
import { REFUSALS_EN } from './refusals/refusals-en.ts';
import { refusalLine } from './say-refusal.ts';

function lines(schema: z.ZodType, value: unknown): string[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : inputMistakes(parsed.error).map((found) => refusalLine(found, REFUSALS_EN));
}

const DayOrMomentSchema = z.union([z.iso.date(), z.iso.datetime()]);

const PeriodSchema = z.strictObject({ from: DayOrMomentSchema, to: DayOrMomentSchema, name: z.string() });

it('names what is missing, whatever forms it may have', () => {
  expect(lines(PeriodSchema, {})).toEqual(['from: is required', 'to: is required', 'name: is required']);
});

it('says of what has several forms what is wrong by each', () => {
  const value = { from: 'yesterday', to: '2026-11-21', name: 'x', colour: 1 };
  expect(lines(PeriodSchema, value)).toEqual([
    'from: must be a date such as 2026-11-21, or must be a moment such as 2026-11-21T08:30:00.000Z',
    'There is no field “colour”.',
  ]);
});

it('says what is wrong by the form that comes nearest', () => {
  const OrderSchema = z.union([
    z.strictObject({ visit: z.string(), language: z.string() }),
    z.strictObject({ plate: z.string(), product: z.string(), quantity: z.int(), language: z.string() }),
  ]);
  expect(lines(OrderSchema, { visit: 'v', plate: 'ABX12' })).toEqual([
    'language: is required',
    'There is no field “plate”.',
  ]);
  expect(lines(OrderSchema, { plate: 'ABX12', product: 'p', quantity: 'two', language: 'is' })).toEqual([
    'quantity: must be a number',
  ]);
});
