import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { LanguageSchema } from '@hlid/protocol/base/language';
import { LetterSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { DISPUTE_SOURCES, DISPUTE_STATES } from '../../records/disputes/dispute-table.ts';
import { DisputeActionsSchema } from './dispute-actions.ts';

export const DisputeStateSchema = z.enum(DISPUTE_STATES).meta({ id: 'DisputeState' });

export const NewDisputeSchema = z
  .strictObject({
    text: LetterSchema.describe('Why the stay or the invoice is contested.'),
    email: MailAddressSchema.optional().describe(
      'The address to which the answer is mailed. Default: the customer’s, or else that of the caller’s login.',
    ),
    language: LanguageSchema.optional().describe('The language of the mail. Default: the customer’s.'),
  })
  .meta({
    id: 'NewDispute',
    example: { text: 'The car was in Akureyri that day.', email: 'jon@example.is' },
  });
export type NewDispute = z.infer<typeof NewDisputeSchema>;

export const DisputeAnswerSchema = z
  .strictObject({
    outcome: z
      .enum(['upheld', 'rejected'])
      .describe('`upheld`: the person who contests is right. `rejected`: what is due stays due.'),
    answer: LetterSchema.describe('Shown and mailed to the person who contests.'),
    void: z
      .literal(true)
      .optional()
      .describe(
        'With `upheld`, of a visit: it is voided in the same step, which a session has to be stepped up for. ' +
          'Corrections, credits and refunds are made before, by their own calls.',
      ),
  })
  .meta({
    id: 'DisputeAnswer',
    example: { outcome: 'upheld', answer: 'You are right: the camera read another plate.', void: true },
  });
export type DisputeAnswer = z.infer<typeof DisputeAnswerSchema>;

export const DisputeSchema = z
  .strictObject({
    id: z.string(),
    visitId: z.string().nullable().describe('The contested visit; null: an invoice is contested.'),
    invoiceId: z.string().nullable().describe('The contested invoice; null: a visit is contested.'),
    siteId: z.string().nullable().describe('Null: an invoice of several sites.'),
    plate: z
      .string()
      .nullable()
      .describe('The plate of the visit. Null: it has none, or an invoice is contested.'),
    invoiceNumber: z.int().nullable(),
    customer: z
      .strictObject({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .describe('The customer of the visit or invoice; null: none.'),
    source: z
      .enum(DISPUTE_SOURCES)
      .describe('`driver`: on the payment page, with a proved stay. `operator`: for a caller.'),
    openedBy: z.string().nullable().describe('The name of the account; null: it came from the payment page.'),
    openedOn: UtcTimeSchema,
    text: z.string(),
    email: z.string().nullable(),
    picture: z
      .string()
      .nullable()
      .describe('The path of the picture of the entry. Null: there is none, or an invoice is contested.'),
    state: DisputeStateSchema,
    answer: z
      .strictObject({
        text: z.string(),
        on: UtcTimeSchema,
        voided: z.boolean().describe('The visit was voided with it.'),
      })
      .nullable()
      .describe('Null: it is open.'),
  })
  .meta({
    id: 'Dispute',
    example: {
      id: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
      visitId: '7c1a7d52-8a0f-4c58-9c8e-55c3f5ed9b02',
      invoiceId: null,
      siteId: 'a2d24a1b-2f94-4f8a-9a35-52b1a0e0b3a1',
      plate: 'ABX12',
      invoiceNumber: null,
      customer: null,
      source: 'driver',
      openedBy: null,
      openedOn: '2026-11-21T12:00:00.000Z',
      text: 'The car was in Akureyri that day.',
      email: 'jon@example.is',
      picture: '/photo/5f1d2c9a-7d0e-4f53-8a57-0c8e0d8a7f11/picture',
      state: 'open',
      answer: null,
    },
  });
export type Dispute = z.infer<typeof DisputeSchema>;

/** A dispute with what its reader can do with it. */
export const ShownDisputeSchema = z
  .strictObject({ ...DisputeSchema.shape, actions: DisputeActionsSchema })
  .meta({ id: 'DisputeWithActions' });
export type ShownDispute = z.infer<typeof ShownDisputeSchema>;
