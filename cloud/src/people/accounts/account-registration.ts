import { z } from '@hono/zod-openapi';
import { NewCustomerSchema } from '../customers/customer.ts';
import { NewAccountSchema } from './account.ts';
import { NewLoginSchema } from './login.ts';

/** The body of POST /accounts. */
export const AccountRegistrationSchema = z
  .strictObject({
    account: NewAccountSchema,
    customer: NewCustomerSchema.optional().describe('A new customer for the account.'),
    authentication: NewLoginSchema.optional().describe('Its first login.'),
  })
  .meta({
    id: 'AccountRegistration',
    example: {
      account: { role: 'customer', status: 'active', name: 'Anna Jónsdóttir' },
      customer: { ssn: '120160-3389', name: 'Anna Jónsdóttir', language: 'is' },
      authentication: { email: 'anna@example.is', password: 'þrjár gular kýr' },
    },
  });
export type AccountRegistration = z.infer<typeof AccountRegistrationSchema>;
