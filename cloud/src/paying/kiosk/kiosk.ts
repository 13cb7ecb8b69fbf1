import { LanguageSchema } from '@hlid/protocol/base/language';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { TerminalViewSchema } from '@hlid/protocol/pages/kiosk-api';
import { InvoiceStatusSchema } from '@hlid/protocol/records/invoice';
import { PaymentStateSchema } from '@hlid/protocol/records/payment';
import { z } from '@hono/zod-openapi';
import { IdSchema, PlateSchema } from '../../platform/http/input-fields.ts';

const QuantitySchema = z.int().min(1).max(365).describe('Units of 24 hours.');

/** A payment that a kiosk has taken by its own means. */
export const KioskPaymentSchema = z
  .strictObject({
    plate: PlateSchema,
    quantity: QuantitySchema,
    product: IdSchema.describe('The id of the product; its price is the price of each unit.'),
    language: LanguageSchema.describe('The language of the receipt.'),
  })
  .meta({
    id: 'KioskPaymentTaken',
    example: { plate: 'ABX12', quantity: 1, product: '5b8f…', language: 'is' },
  });
export type KioskPaymentTaken = z.infer<typeof KioskPaymentSchema>;

const terminal = IdSchema.describe(
  'Its name at its site. If several sites have a terminal of that name: `<site id>:<name>`.',
);

/** A card payment to begin: of a visit, or of a plate that is inside at the terminal's site. */
export const PosOrderSchema = z
  .union([
    z.strictObject({ visit: IdSchema, language: LanguageSchema, terminal }),
    z.strictObject({
      plate: PlateSchema,
      product: IdSchema.describe('The product that prices its visit.'),
      quantity: QuantitySchema,
      language: LanguageSchema,
      terminal,
    }),
  ])
  .meta({
    id: 'PosOrder',
    example: { visit: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11', language: 'is', terminal: 'kiosk-1' },
  });
export type PosOrder = z.infer<typeof PosOrderSchema>;

/** The invoice that a payment is to be. */
export const PosInvoiceSchema = z
  .strictObject({
    id: z.string(),
    status: InvoiceStatusSchema,
    price: z.strictObject({
      amount: z.int().describe('The amount in the currency’s minor unit.'),
      currency: CurrencySchema,
    }),
  })
  .meta({ id: 'PosInvoice' });

export const FoundVisitSchema = z
  .strictObject({
    id: z.string(),
    plate: z.string().describe('The typed part; the rest is dots.'),
    startedOn: UtcTimeSchema,
    picture: z.string().nullable().describe("The path of its entry's picture; null: none."),
    site: z.strictObject({ id: z.string(), name: z.string() }),
    price: z
      .strictObject({ amount: z.int(), currency: CurrencySchema })
      .nullable()
      .describe('The amount due now; null: the site has no price.'),
    doubtful: z
      .literal(true)
      .optional()
      .describe(
        'A car waits at an exit that requires payment for this visit, but it may be another car: show ' +
          'the visit to the driver. If it is not his car, call `POST /kiosk/visits/{id}/not-mine`.',
      ),
  })
  .meta({ id: 'KioskVisitFound' });
export type FoundVisit = z.infer<typeof FoundVisitSchema>;

export const PosStatusSchema = z
  .strictObject({
    receiptUrl: z.url().nullable().describe('Present when it is settled and its site has made a receipt.'),
    receipt: z.strictObject({
      provider: z.literal('terminal'),
      data: z.strictObject({
        posStatus: PaymentStateSchema.describe(
          '`unknown`: the outcome is not known yet; do not pay again. `settled`: paid.',
        ),
        posError: z.string().nullable().describe('A code.'),
        posErrorMessage: z
          .string()
          .nullable()
          .describe('What happened and what to do, in the payment’s language.'),
      }),
    }),
    invoice: PosInvoiceSchema.nullable().describe('Null: not begun.'),
  })
  .meta({ id: 'PosStatus' });
export type PosStatus = z.infer<typeof PosStatusSchema>;

const { connection } = TerminalViewSchema.shape;

export const PoiStatusSchema = z
  .strictObject({
    poiStatus: connection.describe('The status of the terminal, as reported by its site.'),
    posStatus: connection.describe('Whether the site accepts orders.'),
  })
  .meta({ id: 'PoiStatus', example: { poiStatus: 'CONNECTED', posStatus: 'CONNECTED' } });
export type PoiStatus = z.infer<typeof PoiStatusSchema>;
