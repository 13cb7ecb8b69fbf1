import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import {
  DAYS_AFTER_WARNING,
  MAX_LETTER_CHARGE,
  MAX_LETTERS,
  MAX_WARNING_CHARGE,
  REMINDER_STEPS,
} from '@hlid/protocol/records/collection-law';
import { z } from '@hono/zod-openapi';
import { MomentSchema } from '../../platform/http/input-fields.ts';
import { NO_REMINDER_REASONS } from './next-reminder.ts';

export const REMINDER_STATES = ['waiting', 'delivered', 'failed', 'paper'] as const;
export type ReminderState = (typeof REMINDER_STATES)[number];

const MAX_DAYS = 90;

export const ReminderTermsSchema = z
  .strictObject({
    isOn: z.boolean().describe('Off: no reminder is written. Those that were written still count.'),
    warningDays: z
      .int()
      .min(1)
      .max(MAX_DAYS)
      .describe('Days from the last day to pay in time until the warning.'),
    warningCharge: z
      .int()
      .min(0)
      .max(MAX_WARNING_CHARGE)
      .describe('The charge for the warning, in krónur before VAT; 0: none.'),
    letters: z.int().min(0).max(MAX_LETTERS).describe('The number of letters after the warning.'),
    letterDays: z
      .int()
      .min(DAYS_AFTER_WARNING)
      .max(MAX_DAYS)
      .describe('Whole days between two steps, from the delivery of the first.'),
    letterCharge: z
      .int()
      .min(0)
      .max(MAX_LETTER_CHARGE)
      .describe(
        'The most that a letter costs, in krónur before VAT: never more than the law has for what is open.',
      ),
  })
  .meta({
    id: 'ReminderTerms',
    example: {
      isOn: true,
      warningDays: 7,
      warningCharge: 950,
      letters: 1,
      letterDays: 10,
      letterCharge: 5900,
    },
  });
export type ReminderTermsBody = z.infer<typeof ReminderTermsSchema>;

/** The terms of a site that has never set any. */
export const NO_TERMS: ReminderTermsBody = {
  isOn: false,
  warningDays: 7,
  warningCharge: 0,
  letters: 1,
  letterDays: DAYS_AFTER_WARNING,
  letterCharge: 0,
};

export const SiteRemindersSchema = z
  .strictObject({
    ...ReminderTermsSchema.shape,
    fromDay: z.iso
      .date()
      .nullable()
      .describe('Invoices that were due before are not reminded of. Null: off.'),
  })
  .meta({ id: 'SiteReminders' });

const StepSchema = z
  .enum(REMINDER_STEPS)
  .describe('In the order of regulation 37/2009: a warning, a letter of collection and its two repetitions.')
  .meta({ id: 'ReminderStep' });

export const ReminderStateSchema = z
  .enum(REMINDER_STATES)
  .describe('`failed`: the mail came back. `paper`: there is no address, and a person delivers it.')
  .meta({ id: 'ReminderState' });

const LetterSchema = z.strictObject({ subject: z.string(), text: z.string() });

export const ReminderSchema = z
  .strictObject({
    id: z.string(),
    invoiceId: z.string(),
    step: StepSchema,
    open: z.int().describe('What was open of the invoice, in the currency’s minor unit.'),
    charge: z.int().describe('The charge that it names, VAT included.'),
    currency: CurrencySchema,
    writtenOn: UtcTimeSchema,
    state: ReminderStateSchema,
    deliveredOn: UtcTimeSchema.nullable().describe('It counts from then.'),
    chargeInvoice: z
      .strictObject({ id: z.string(), number: z.int().nullable() })
      .nullable()
      .describe('The invoice for its charge; null: none was made.'),
  })
  .meta({ id: 'Reminder' });

export const WholeReminderSchema = z
  .strictObject({
    ...ReminderSchema.shape,
    letter: LetterSchema.nullable().describe('Null: its invoice is gone.'),
  })
  .meta({ id: 'WholeReminder' });

const NextSchema = z.strictObject({
  step: StepSchema,
  on: z.iso.date().describe('Not before that day.'),
  charge: z.int().describe('In krónur before VAT, by what is open now.'),
});
const StoppedSchema = z.enum(NO_REMINDER_REASONS).nullable().describe('Why there is no next step.');

export const InvoiceRemindersSchema = z
  .strictObject({ next: NextSchema.nullable(), stopped: StoppedSchema, reminders: z.array(ReminderSchema) })
  .meta({ id: 'InvoiceReminders' });

export const ListedReminderSchema = z
  .strictObject({
    ...ReminderSchema.shape,
    siteId: z.string().nullable().describe('Null: an invoice of several sites.'),
    invoiceNumber: z.int().nullable(),
    customer: z.strictObject({ id: z.string(), name: z.string().nullable() }).nullable(),
    payerName: z.string().nullable(),
    next: NextSchema.nullable().describe('The next step of its invoice.'),
    stopped: StoppedSchema,
    collectableOn: z.iso
      .date()
      .nullable()
      .describe('After the last step: the day from which the invoice may be handed to a collector.'),
  })
  .meta({ id: 'ListedReminder' });
export type ListedReminder = z.infer<typeof ListedReminderSchema>;

export const DeliverySchema = z
  .strictObject({ deliveredOn: MomentSchema.describe('After it was written, and not in the future.') })
  .meta({ id: 'ReminderDelivery', example: { deliveredOn: '2026-11-21T11:00:00.000Z' } });
