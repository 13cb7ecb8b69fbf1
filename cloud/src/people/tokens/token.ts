import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { NameSchema } from '@hlid/protocol/base/typed-text';
import { type UtcTime, UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { TOKEN_ROLES } from '../../platform/http/caller.ts';
import { LOGIN_METHODS } from '../../records/auth/token-table.ts';
import { PermitLimitsOfTokenSchema } from '../accounts/account.ts';
import type { TokenRow } from './token-list-store.ts';

export const NewRoleTokenSchema = z
  .strictObject({
    name: NameSchema,
    role: z.enum(TOKEN_ROLES),
    options: PermitLimitsOfTokenSchema.optional().describe(
      'The limits of the entries, for the role `whitelist`.',
    ),
    siteId: z.string().min(1).max(100).optional().describe('The site of the kiosk, for the role `kiosk`.'),
  })
  .refine(({ role, siteId }) => role === 'kiosk' || siteId === undefined, {
    path: ['siteId'],
    message: wrong('site-of-kiosks'),
  })
  .refine(({ role, options }) => role === 'whitelist' || options === undefined, {
    path: ['options'],
    message: wrong('options-of-whitelists'),
  })
  .meta({ id: 'NewRoleToken', example: { name: 'Kiosk at the harbour', role: 'kiosk' } });
export type NewRoleToken = z.infer<typeof NewRoleTokenSchema>;

export const NewPhotoTokenSchema = z
  .strictObject({ cameraId: z.string().min(1).max(100), name: NameSchema })
  .meta({ id: 'NewPhotoToken', example: { cameraId: '0b9f6c7e…', name: 'Camera at the entrance' } });
export type NewPhotoToken = z.infer<typeof NewPhotoTokenSchema>;

const issued = {
  id: z.string().describe('The id for revoking it.'),
  access_token: z.string().describe('Shown only now; the cloud stores its hash.'),
};

export const IssuedTokenSchema = z.strictObject(issued).meta({ id: 'IssuedToken' });

export const IssuedPhotoTokenSchema = z
  .strictObject({
    ...issued,
    url: z
      .string()
      .describe('The address to which the camera posts its reads; `{type}` as in POST /photos/{type}.'),
  })
  .meta({ id: 'IssuedPhotoToken' });

/** A machine's token as the API shows it; never the secret. */
export const MachineTokenSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    role: z.enum([...TOKEN_ROLES, 'photo']),
    siteId: z.string().nullable().describe('The location of the kiosk, for a kiosk token.'),
    options: PermitLimitsOfTokenSchema.nullable().describe(
      'The limits of the entries, for a whitelist token.',
    ),
    cameraId: z.string().nullable().describe('The camera whose reads are accepted, for a photo token.'),
    createdOn: UtcTimeSchema,
    usedOn: z.iso.date().nullable().describe('The day (UTC) of the last use.'),
  })
  .meta({ id: 'MachineToken' });
export type MachineToken = z.infer<typeof MachineTokenSchema>;

/** A token of an account as the API shows it. */
export const AccountTokenSchema = z
  .strictObject({
    id: z.string(),
    deviceUuid: z.string().nullable(),
    tokenId: z.string().nullable().describe('The login that created it.'),
    forPasswordOnly: z.boolean().describe('Only valid for setting a new password.'),
    isSession: z
      .boolean()
      .describe('Whether it is a session in the cookie of a browser; else it is a bearer token.'),
    method: z.enum(LOGIN_METHODS).nullable().describe('How its holder logged in.'),
    address: z.string().nullable().describe('The address of the login.'),
    agent: z.string().nullable().describe('The `User-Agent` of the login.'),
    createdOn: UtcTimeSchema,
    usedOn: z.iso.date().nullable().describe('The day (UTC) of the last use.'),
    lastSeenOn: UtcTimeSchema.nullable().describe(
      'The last use: to the minute for a session, else the first use of that day.',
    ),
    expiresOn: UtcTimeSchema.nullable(),
    current: z.boolean().describe('The token of this call.'),
  })
  .meta({ id: 'AccountToken' });
export type AccountToken = z.infer<typeof AccountTokenSchema>;

export function machineTokenFrom(row: TokenRow): MachineToken {
  const { name, role, createdAt } = row;
  const { id, siteId, options, cameraId } = row;
  const shown = { id, siteId, options, cameraId, usedOn: dayOf(row.usedAt) };
  return { ...shown, name: name ?? '', role: role ?? 'photo', createdOn: createdAt };
}

export function accountTokenFrom(row: TokenRow, currentId: string): AccountToken {
  const { id, deviceUuid, loginId, scope, createdAt, usedAt, expiresAt } = row;
  const { isSession, method, address, agent } = row;
  return {
    id,
    deviceUuid,
    tokenId: loginId,
    forPasswordOnly: scope === 'password',
    isSession,
    method,
    address,
    agent,
    createdOn: createdAt,
    usedOn: dayOf(usedAt),
    lastSeenOn: usedAt,
    expiresOn: expiresAt,
    current: id === currentId,
  };
}

function dayOf(at: UtcTime | null): string | null {
  return at?.slice(0, 'YYYY-MM-DD'.length) ?? null;
}
