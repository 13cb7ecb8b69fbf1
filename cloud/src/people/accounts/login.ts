import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { MomentSchema, SsnSchema } from '../../platform/http/input-fields.ts';
import type { LoginRow } from '../../records/accounts/find-logins.ts';
import { loginName } from '../../records/accounts/login-store.ts';
import { NewPasswordSchema } from '../auth/password-rules.ts';

/** An email address as it is kept: in lower case. */
export const EmailSchema = MailAddressSchema.overwrite(loginName);

const LoginSsnSchema = SsnSchema.describe(
  'National id (kennitala), with or without a dash; stored as ten digits. Its holder may log in by ' +
    'electronic identity. A national id has one login. Without `email` and `password` this is the ' +
    'only way to log in.',
);

const ExpireSchema = MomentSchema.nullable().describe(
  'The login is refused from then on; null: valid for ever.',
);

export const NewLoginSchema = z
  .strictObject({
    email: EmailSchema.optional(),
    password: NewPasswordSchema.optional(),
    ssn: LoginSsnSchema.nullable().optional(),
    expire: ExpireSchema.optional(),
    invite: OfficeLanguageSchema.optional().describe(
      'In place of `password`: a mail in this language, with a link by which its holder chooses one. Good for seven days.',
    ),
  })
  .superRefine(({ email, password, ssn, invite }, context) => {
    if (invite !== undefined) {
      if (email === undefined)
        context.addIssue({ code: 'custom', path: ['email'], message: wrong('required') });
      if (password !== undefined) {
        context.addIssue({ code: 'custom', path: ['password'], message: wrong('not-beside-invitation') });
      }
      return;
    }
    const byIdentityOnly = (ssn ?? null) !== null && email === undefined && password === undefined;
    if (byIdentityOnly) return;
    for (const [field, given] of Object.entries({ email, password })) {
      if (given === undefined)
        context.addIssue({ code: 'custom', path: [field], message: wrong('required') });
    }
  })
  .meta({ id: 'NewLogin', example: { email: 'anna@example.is', password: 'þrjár gular kýr' } });
export type NewLogin = z.infer<typeof NewLoginSchema>;

/** The name of a login of an account: its email address or its national id. */
const naming = { email: z.string().min(1).max(320).optional(), ssn: SsnSchema.optional() };

const ONE_OF_TWO = wrong('email-or-ssn');

export const LoginNameQuerySchema = z.strictObject(naming).refine(namesOne, ONE_OF_TWO);

export const LoginMoveSchema = z
  .strictObject({ ...naming, newAccountId: z.string().min(1).max(100) })
  .refine(namesOne, ONE_OF_TWO)
  .meta({ id: 'LoginMove', example: { email: 'anna@example.is', newAccountId: 'b6f0c5…' } });
export type LoginMove = z.infer<typeof LoginMoveSchema>;

/** A login as the API shows it; never its password. */
export const LoginSchema = z
  .strictObject({
    tokenId: z.string().describe('The id of the login, needed to change its password.'),
    accountId: z.string(),
    email: z.string().nullable().describe('The `id` at login; null: electronic identity only.'),
    ssn: z.string().nullable(),
    expire: UtcTimeSchema.nullable(),
    hasPassword: z.boolean().describe('`false`: invited and not followed yet, or electronic identity only.'),
    createdOn: UtcTimeSchema,
  })
  .meta({ id: 'Login' });
export type Login = z.infer<typeof LoginSchema>;

export function loginFrom(row: LoginRow): Login {
  const { id, accountId, name, ssn, passwordHash, expiresAt, createdAt } = row;
  return {
    tokenId: id,
    accountId,
    email: name,
    ssn,
    expire: expiresAt,
    hasPassword: passwordHash !== null,
    createdOn: createdAt,
  };
}

function namesOne({ email, ssn }: { email?: string | undefined; ssn?: string | undefined }): boolean {
  return (email === undefined) !== (ssn === undefined);
}
