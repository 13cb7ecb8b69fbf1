import { isIP } from 'node:net';
import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { LanguageSchema } from '@hlid/protocol/base/language';
import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { NameSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { InvoiceStatusSchema } from '@hlid/protocol/records/invoice';
import { CardBrandSchema, PaymentStateSchema } from '@hlid/protocol/records/payment';
import { z } from '@hono/zod-openapi';
import { GatewayKindNameSchema } from '../../platform/card-gateways/gateway-kinds.ts';
import { IdSchema, PlateSchema } from '../../platform/http/input-fields.ts';

const VehicleSchema = z
  .union([
    PlateSchema,
    z.strictObject({ plate: PlateSchema }),
    z.strictObject({ id: IdSchema.describe('The id of the vehicle.') }),
    z.strictObject({ visit: IdSchema.describe('Id of a visit.') }),
  ])
  .describe('A plate, a vehicle or a visit: inside now, or the latest one that left without paying.');

const SoldSchema = z
  .union([IdSchema, z.strictObject({ id: IdSchema, quantity: z.int().min(1).max(365).optional() })])
  .describe(
    'A product by its id. With `quantity`: a number of units of 24 hours; without: the amount due ' + 'now.',
  );

const CustomerSchema = z
  .union([
    IdSchema,
    z.strictObject({
      id: IdSchema.optional(),
      name: NameSchema.optional(),
      email: MailAddressSchema.optional(),
      language: LanguageSchema.optional(),
    }),
  ])
  .describe('The payer: a customer by its id, or the name for the invoice.');

/** Unknown fields are dropped: a mistake in a card is never repeated in an answer. */
export const CardInputSchema = z
  .object({
    number: z.string().max(40),
    ccv: z.string().max(10).optional().describe('The security code.'),
    expire: z.string().max(10).describe('Month and year: `12/30`.'),
  })
  .describe('The card is in memory for this request only, and never stored. Prefer `encryptedCard`.')
  .meta({ id: 'Card' });
export type CardInput = z.infer<typeof CardInputSchema>;

const BrowserSchema = z
  .strictObject({
    ip: z
      .string()
      .max(45)
      .refine((text) => isIP(text) !== 0, wrong('no-ip-address'))
      .optional()
      .describe('The driver’s, if a server pays for a driver.'),
    userAgent: z.string().max(500).optional(),
    acceptHeader: z.string().max(500).optional(),
    language: z.string().max(20).optional(),
    screenWidth: z.int().min(0).max(100_000).optional(),
    screenHeight: z.int().min(0).max(100_000).optional(),
    colorDepth: z.int().min(1).max(64).optional(),
    timeZoneOffset: z.int().min(-1000).max(1000).optional().describe('Minutes, as `Date.getTimezoneOffset`.'),
  })
  .describe("The driver's browser, for 3-D Secure; missing fields are read from the request.")
  .meta({ id: 'PaymentBrowser' });
export type BrowserInput = z.infer<typeof BrowserSchema>;

const about = {
  customer: CustomerSchema.optional(),
  card: CardInputSchema.optional(),
  browser: BrowserSchema.optional(),
};

export const InitSchema = z
  .strictObject({
    ...about,
    vehicle: VehicleSchema.optional(),
    product: SoldSchema.optional(),
    invoice: IdSchema.optional().describe(
      'In place of a vehicle: an issued invoice that is not paid, by its id. All that is open of it is paid.',
    ),
    provider: GatewayKindNameSchema.optional().describe("Default: the site's own."),
  })
  .meta({
    id: 'PaymentInit',
    example: {
      vehicle: 'ABX12',
      product: { id: '5b8f…', quantity: 1 },
      provider: 'valitor-pay',
      customer: { email: 'jon@example.is', language: 'is' },
      card: { number: '…', ccv: '…', expire: '12/30' },
    },
  });

export const PurchaseSchema = z
  .strictObject({
    ...about,
    vehicle: VehicleSchema,
    product: SoldSchema.optional(),
    provider: z.enum(['borgun', 'valitor-pay', 'testing', 'testing2']),
  })
  .meta({
    id: 'ProductPurchase',
    example: {
      vehicle: { plate: 'ABX12' },
      product: '5b8f…',
      provider: 'borgun',
      card: { number: '…', ccv: '…', expire: '12/30' },
    },
  });
export type PurchaseInput = z.infer<typeof InitSchema> | z.infer<typeof PurchaseSchema>;

const MAX_SECURE_DATA = 50;
const ReferenceSchema = z.string().min(1).max(100).describe('The `reference` of `POST /payments/init`.');
const encrypted = {
  encryptedCard: z
    .string()
    .min(1)
    .max(8000)
    .describe('The card as the provider’s script encrypted it in the browser.'),
  publicKeyAlias: z.string().min(1).max(200),
};

export const AuthenticateSchema = z
  .strictObject({
    context: z.strictObject({
      reference: ReferenceSchema,
      ...encrypted,
      sessionId: z.string().min(1).max(200).optional().describe('The session of the provider’s script.'),
    }),
    browser: BrowserSchema.optional(),
  })
  .meta({
    id: 'PaymentAuthentication',
    example: {
      context: { reference: 'p.…', encryptedCard: '…', publicKeyAlias: '…', sessionId: '…' },
    },
  });

export const FinalizeSchema = z
  .strictObject({
    context: z.strictObject({
      reference: ReferenceSchema,
      encryptedCard: encrypted.encryptedCard.optional(),
      publicKeyAlias: encrypted.publicKeyAlias.optional(),
      sessionId: z.string().max(200).optional(),
      card: CardInputSchema.optional().describe('The card again, because it is not stored.'),
    }),
    secureData: z
      .record(z.string().max(100), z.unknown())
      .refine(
        (data) => Object.keys(data).length <= MAX_SECURE_DATA,
        wrong('too-many', { maximum: MAX_SECURE_DATA }),
      )
      .openapi({ maxProperties: MAX_SECURE_DATA })
      .optional()
      .describe('Not needed, and ignored: the cloud reads the bank’s answer itself.'),
    threedsToken: z
      .string()
      .max(8000)
      .optional()
      .describe('The token of the provider’s script, after a challenge.'),
  })
  .meta({
    id: 'PaymentFinalization',
    example: { context: { reference: 'p.…', card: { number: '…', ccv: '…', expire: '12/30' } } },
  });

const PriceSchema = z.strictObject({
  amount: z.int().describe('The amount in the currency’s minor unit.'),
  currency: CurrencySchema,
});

/** How far a payment is. */
export const OnlinePaymentSchema = z
  .strictObject({
    paymentId: z.string(),
    invoiceId: z.string().describe('The invoice that it pays; of a stay, made with it, with the same id.'),
    reference: z.string().describe('The reference for the following calls; valid for 15 minutes.'),
    state: PaymentStateSchema.describe(
      '`created`: not charged yet. `settled`: paid. `unknown`: the outcome is not known yet; the cloud ' +
        'finds it out. Do not pay again.',
    ),
    status: InvoiceStatusSchema.describe('The status of the invoice.'),
    reason: z.string().nullable().describe('The reason code if it is declined, cancelled or reversed.'),
    price: PriceSchema,
    payment: z
      .strictObject({
        ...PriceSchema.shape,
        transactionId: z.string(),
        authorizationId: z.string().nullable(),
      })
      .nullable()
      .describe('Null: nothing was booked.'),
    receipt: z.strictObject({ type: CardBrandSchema, last_four: z.string().nullable() }).nullable(),
    receiptUrl: z.string().nullable().describe('Present when it is settled.'),
    expiresOn: UtcTimeSchema.describe('The time until which it can be charged.'),
    tokens: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'For the provider’s script, which encrypts the card; then call `/payments/process/3dSecure`.',
      ),
    form: z
      .strictObject({
        html: z.string().nullable().describe('A whole page that does the same.'),
        url: z.string(),
        fields: z.array(z.strictObject({ name: z.string(), value: z.string() })),
        scripts: z.array(z.string()),
      })
      .optional()
      .describe('A form that the browser posts to the bank; then call `/payments/process/finalize`.'),
    challenge: z
      .strictObject({ acsUrl: z.string(), payload: z.string(), transactionId: z.string() })
      .optional()
      .describe(
        'For the provider’s script, which returns the `threedsToken` for `/payments/process/finalize`.',
      ),
  })
  .meta({ id: 'OnlinePayment' });
export type OnlinePaymentJson = z.infer<typeof OnlinePaymentSchema>;
