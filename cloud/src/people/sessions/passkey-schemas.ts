import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { z } from '@hono/zod-openapi';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isTransport } from '../second-factors/passkeys.ts';

const MAX_BASE64 = 20_000;
const Base64UrlSchema = z
  .string()
  .min(1)
  .max(MAX_BASE64)
  .regex(/^[A-Za-z0-9_-]+$/, wrong('base64url-form'));

const credential = {
  id: Base64UrlSchema,
  rawId: Base64UrlSchema,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).default({}),
};

const EXAMPLE = {
  id: 'kO3cX1Yw',
  rawId: 'kO3cX1Yw',
  type: 'public-key',
  clientExtensionResults: {},
} as const;

export const NEW_PASSKEY_EXAMPLE = {
  ...EXAMPLE,
  response: { clientDataJSON: 'eyJ0eXBl', attestationObject: 'o2NmbXRk', transports: ['internal'] },
};

/** The result of `navigator.credentials.create`, as `toJSON()` writes it; other fields are ignored. */
export const NewPasskeyResponseSchema = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: Base64UrlSchema,
      attestationObject: Base64UrlSchema,
      transports: z.array(z.string().max(30)).max(10).optional(),
    }),
  })
  .meta({
    id: 'NewPasskeyResponse',
    example: NEW_PASSKEY_EXAMPLE,
    description: 'A PublicKeyCredential of `navigator.credentials.create`, by its `toJSON()`.',
  });

/** The result of `navigator.credentials.get`, as `toJSON()` writes it. */
export const PasskeyProofSchema = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: Base64UrlSchema,
      authenticatorData: Base64UrlSchema,
      signature: Base64UrlSchema,
      userHandle: Base64UrlSchema.optional(),
    }),
  })
  .meta({
    id: 'PasskeyProof',
    example: {
      ...EXAMPLE,
      response: { clientDataJSON: 'eyJ0eXBl', authenticatorData: 'SZYN5YgO', signature: 'MEUCIQDx' },
    },
    description: 'A PublicKeyCredential of `navigator.credentials.get`, by its `toJSON()`.',
  });

/** The input of `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const NewPasskeyOptionsSchema = z
  .custom<PublicKeyCredentialCreationOptionsJSON>()
  .openapi('NewPasskeyOptions', { type: 'object', description: 'As WebAuthn has it, in JSON.' });

/** The input of `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const PasskeyOptionsSchema = z
  .custom<PublicKeyCredentialRequestOptionsJSON>()
  .openapi('PasskeyOptions', { type: 'object', description: 'As WebAuthn has it, in JSON.' });

export function newPasskeyResponse({
  response,
  ...rest
}: z.infer<typeof NewPasskeyResponseSchema>): RegistrationResponseJSON {
  const { transports = [], ...others } = response;
  return { ...rest, response: { ...others, transports: transports.filter(isTransport) } };
}

export function passkeyProof({
  response,
  ...rest
}: z.infer<typeof PasskeyProofSchema>): AuthenticationResponseJSON {
  const { userHandle, ...others } = response;
  return { ...rest, response: { ...others, ...(userHandle !== undefined && { userHandle }) } };
}
