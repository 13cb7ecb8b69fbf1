import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { LanguageSchema } from '@hlid/protocol/base/language';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { LetterSchema, ReasonSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { IdSchema, MomentSchema } from '../../platform/http/input-fields.ts';
import {
  DISPUTE_CHANNELS,
  DISPUTE_GIFTS,
  DISPUTE_SOURCES,
  DISPUTE_STATES,
  ENTERED_CHANNELS,
  MESSAGE_SIDES,
} from '../../records/disputes/dispute-table.ts';
import { DisputeActionsSchema } from './dispute-actions.ts';
import { DisputeEvidenceSchema } from './dispute-evidence.ts';
import { DisputeWaySchema } from './dispute-ways.ts';

export const DisputeStateSchema = z.enum(DISPUTE_STATES).meta({ id: 'DisputeState' });

export const NewDisputeSchema = z
  .strictObject({
    text: LetterSchema.describe('Why the stay or the invoice is contested.'),
    email: MailAddressSchema.optional().describe(
      'The address to which the answer is mailed. Default: the customer’s, or else that of the caller’s login.',
    ),
    language: LanguageSchema.optional().describe('The language of the mail. Default: the customer’s.'),
    channel: z
      .enum(ENTERED_CHANNELS)
      .optional()
      .describe('How it arrived, for an operator who enters it for somebody. Default: `telephone`.'),
  })
  .meta({
    id: 'NewDispute',
    example: { text: 'The car was in Akureyri that day.', email: 'jon@example.is' },
  });
export type NewDispute = z.infer<typeof NewDisputeSchema>;

/** The same with what is contested. */
export const NewDisputeAboutSchema = z
  .strictObject({
    visitId: IdSchema.optional().describe('The contested visit. Either this or `invoiceId`.'),
    invoiceId: IdSchema.optional().describe('The contested invoice.'),
    ...NewDisputeSchema.shape,
  })
  .meta({
    id: 'NewDisputeAbout',
    example: {
      visitId: '7c1a7d52-8a0f-4c58-9c8e-55c3f5ed9b02',
      text: 'The car was in Akureyri that day.',
      channel: 'letter',
    },
  });
export type NewDisputeAbout = z.infer<typeof NewDisputeAboutSchema>;

const AmountSchema = z.int().min(1);
const GiftSchema = z.strictObject({
  invoiceId: IdSchema.optional().describe(
    'The invoice or receipt; absent: the newest that can be given back.',
  ),
  amount: AmountSchema.optional().describe('In the currency’s minor unit; absent: all that is left.'),
});

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
        'With `upheld`, of a visit: it is voided in the same step, which a session has to be stepped up for, as for `waive`, ' +
          '`refund` and `credit`. At most one of the four; `ways` of the dispute has what is possible.',
      ),
    waive: AmountSchema.optional().describe('The part of what the visit owes that is given up.'),
    refund: GiftSchema.optional().describe('A payment goes back by the way on which it came.'),
    credit: GiftSchema.optional().describe('A credit note for an invoice, or for a part of it.'),
  })
  .meta({
    id: 'DisputeAnswer',
    example: { outcome: 'upheld', answer: 'You are right: the camera read another plate.', void: true },
  });
export type DisputeAnswer = z.infer<typeof DisputeAnswerSchema>;

/** What an office changes of an open dispute. */
export const DisputeEditSchema = z
  .strictObject({
    answerBy: MomentSchema.optional().describe('Another deadline, with the reason.'),
    reason: ReasonSchema.optional().describe('Why the deadline changes; it goes into the audit log.'),
    email: MailAddressSchema.nullable().optional().describe('Null: the answer is not mailed.'),
    language: LanguageSchema.optional(),
  })
  .meta({
    id: 'DisputeEdit',
    example: { answerBy: '2026-12-05T12:00:00.000Z', reason: 'The driver sends a receipt.' },
  });
export type DisputeEdit = z.infer<typeof DisputeEditSchema>;

export const DisputeMessageSchema = z
  .strictObject({ text: LetterSchema })
  .meta({ id: 'NewDisputeMessage', example: { text: 'Do you have the receipt of that day?' } });

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
    channel: z.enum(DISPUTE_CHANNELS).describe('`link`: by the link of a letter or a mail.'),
    answerBy: UtcTimeSchema.describe('The deadline, by the setting `disputeDays` of its site.'),
    lastMessage: z
      .enum(MESSAGE_SIDES)
      .nullable()
      .describe('Who wrote the last message; null: there is none beside the objection.'),
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
        given: z
          .strictObject({ way: z.enum(DISPUTE_GIFTS), amount: z.int(), currency: CurrencySchema })
          .nullable()
          .describe('What it gave up or back; null: nothing.'),
      })
      .nullable()
      .describe('Null: it is open, or was withdrawn.'),
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
      channel: 'pay-page',
      answerBy: '2026-12-05T12:00:00.000Z',
      lastMessage: null,
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

/** One dispute, with all of it. */
export const WholeDisputeSchema = z
  .strictObject({
    ...ShownDisputeSchema.shape,
    messages: z.array(
      z.strictObject({
        side: z.enum(MESSAGE_SIDES),
        by: z.string().nullable().describe('The name of the account; null: it is none.'),
        text: z.string(),
        on: UtcTimeSchema,
      }),
    ),
    evidence: DisputeEvidenceSchema.nullable().describe(
      'As it was when it was opened, for operators. Null: an invoice is contested.',
    ),
    ways: z
      .array(DisputeWaySchema)
      .describe('What the answer can give up or back now; for operators, while it is open.'),
  })
  .meta({ id: 'WholeDispute' });
export type WholeDispute = z.infer<typeof WholeDisputeSchema>;
