import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { DriverVehicleSchema } from '@hlid/protocol/pages/driver-api';
import { PaymentStateSchema, ReceiptCardSchema } from '@hlid/protocol/records/payment';
import { z } from '@hono/zod-openapi';

const text = z.string().nullable();
const moment = UtcTimeSchema.nullable();

/** Everything about one plate, as the vehicle's owner gets it. */
export const PlateExportSchema = z
  .strictObject({
    plate: z.string(),
    visits: z.array(
      z.strictObject({
        id: z.string(),
        siteId: z.string(),
        startedOn: UtcTimeSchema,
        endedOn: moment,
        status: z.string(),
        paymentStatus: text,
        amount: z.int().nullable(),
        currency: CurrencySchema.nullable(),
        flags: z.array(z.string()),
      }),
    ),
    photos: z.array(
      z.strictObject({
        id: z.string(),
        siteId: z.string(),
        cameraId: z.string(),
        plate: text,
        score: z.number(),
        country: text,
        capturedOn: UtcTimeSchema,
        picture: text,
      }),
    ),
    passages: z.array(
      z.strictObject({
        siteId: z.string(),
        laneId: z.string(),
        direction: z.string(),
        open: z.boolean(),
        reason: z.string(),
        on: UtcTimeSchema,
      }),
    ),
    alerts: z.array(
      z.strictObject({ siteId: z.string(), laneId: z.string(), alert: z.string(), on: UtcTimeSchema }),
    ),
    whitelist: z.array(
      z.strictObject({
        id: z.string(),
        reason: z.string(),
        objectType: z.string(),
        status: z.string(),
        activeFrom: moment,
        expireOn: moment,
        createdOn: UtcTimeSchema,
      }),
    ),
    vehicles: z.array(
      z.strictObject({
        id: z.string(),
        make: text,
        model: text,
        modelYear: z.int().nullable(),
        color: text,
        category: text,
        country: text,
        source: text,
      }),
    ),
    custody: z.array(
      z.strictObject({
        id: z.string(),
        customerId: z.string(),
        dateFrom: UtcTimeSchema,
        dateTo: moment,
        status: z.string(),
      }),
    ),
    /** A driver's stored card pays for the vehicle by itself. */
    automaticPayments: z.array(
      z.strictObject({ proof: DriverVehicleSchema.shape.proof, since: UtcTimeSchema }),
    ),
    payments: z.array(
      z.strictObject({
        id: z.string(),
        state: PaymentStateSchema,
        amount: z.int(),
        currency: CurrencySchema,
        card: ReceiptCardSchema.nullable(),
        createdOn: UtcTimeSchema,
      }),
    ),
    invoices: z.array(
      z.strictObject({
        id: z.string(),
        number: z.int().nullable(),
        status: z.string(),
        amount: z.int(),
        currency: CurrencySchema,
        createdOn: UtcTimeSchema,
      }),
    ),
  })
  .meta({ id: 'PlateExport' });
export type PlateExport = z.infer<typeof PlateExportSchema>;
