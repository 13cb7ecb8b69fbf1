import { z } from '@hono/zod-openapi';

/** A vehicle's operator or owner as the API shows it. */
export const HolderSchema = z
  .strictObject({
    ssn: z.string().nullable(),
    name: z.string().nullable(),
    insuranceCode: z.string().nullable(),
    registrationDate: z.string().nullable(),
    purchaseDate: z.string().nullable(),
  })
  .meta({
    id: 'VehicleHolder',
    example: {
      ssn: '5305750209',
      name: 'Bílaleigan ehf.',
      insuranceCode: '6090',
      registrationDate: '2018-04-11',
      purchaseDate: '2018-04-11',
    },
  });
