import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import { z } from 'zod';

/** Auðkenni's server, and who we are there. */
const audkenni = {
  /** Its origin, such as `https://idp.audkenni.is`. */
  url: z.url().transform((url) => url.replace(/\/+$/, '')),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  /** The party in the name of which we identify people, if it is another. */
  relatedParty: z.string().max(100).default(''),
};

/** A person with a simulated phone; see testing-electronic-id.ts. */
const TestPersonSchema = z.strictObject({
  ssn: z.string().regex(/^\d{10}$/, 'ten digits'),
  phone: z.string().regex(/^\d{7}$/, 'seven digits'),
  name: z.string().min(1),
  does: z.enum(['accept', 'cancel', 'timeout', 'blocked', 'wait']).default('accept'),
});

/** `electronicId` in cloud.yaml. */
export const ElectronicIdSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('audkenni-rest'),
    ...audkenni,
    /** The address that is registered at Auðkenni. No client follows it. */
    redirectUrl: z.url(),
    apiVersion: z.enum(['api_v200', 'api_v202']).default('api_v202'),
  }),
  z.strictObject({
    kind: z.literal('audkenni-ciba'),
    ...audkenni,
    /** A file in PEM beside this one: the private key of the public part that Auðkenni has. */
    privateKeyFile: z.string().min(1).optional(),
  }),
  z.strictObject({ kind: z.literal('testing'), people: z.array(TestPersonSchema).min(1).max(100) }),
]);
type ElectronicIdFile = z.infer<typeof ElectronicIdSchema>;
type WithSecret<Kind> = Omit<Kind, 'clientSecret' | 'privateKeyFile'> & { clientSecret: string };

/** The provider of electronic identities, with its secrets. */
export type ElectronicIdConfig =
  | WithSecret<Extract<ElectronicIdFile, { kind: 'audkenni-rest' }>>
  | (WithSecret<Extract<ElectronicIdFile, { kind: 'audkenni-ciba' }>> & { privateKey: string })
  | Extract<ElectronicIdFile, { kind: 'testing' }>;

interface Secrets {
  HLID_ELECTRONIC_ID_SECRET?: string | undefined;
  HLID_ELECTRONIC_ID_KEY?: string | undefined;
}

interface Settings {
  electronicId?: ElectronicIdFile | undefined;
  /** Simulated phones and national ids of made-up people count. */
  testElectronicId: boolean;
  publicUrl: string | null;
}

/** Hosts at which only testers are. */
const TEST_HOST = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.(localhost|test|example|invalid))$/;

/**
 * The provider with its secrets. Throws Fault 'config-invalid' where something is missing, and where a test setting
 * would let anybody in.
 *
 * @param folder of the file: what it names is beside it
 */
export function completeElectronicId(
  env: Secrets,
  { electronicId, testElectronicId, publicUrl }: Settings,
  folder: string,
): ElectronicIdConfig | null {
  if (testElectronicId && publicUrl !== null && isForDrivers(publicUrl)) {
    throw mistake('testElectronicId', `refused at ${publicUrl}: with it, anybody can log in as anybody`);
  }
  if (electronicId === undefined) return null;
  if (electronicId.kind === 'testing') {
    if (testElectronicId) return electronicId;
    throw mistake('electronicId.kind', 'simulated phones need testElectronicId: true, for trials only');
  }
  if (!electronicId.url.startsWith('https:') && !testElectronicId) {
    throw mistake('electronicId.url', 'an address with https');
  }
  const { clientSecret: inFile, ...settings } = electronicId;
  const clientSecret = env.HLID_ELECTRONIC_ID_SECRET ?? inFile;
  if (clientSecret === undefined) {
    throw mistake('electronicId.clientSecret', 'is required, here or in HLID_ELECTRONIC_ID_SECRET');
  }
  if (settings.kind === 'audkenni-rest') return { ...settings, clientSecret };
  const { privateKeyFile, ...rest } = settings;
  return { ...rest, clientSecret, privateKey: privateKeyOf(env, privateKeyFile, folder) };
}

/** A cloud that people reach by TLS under a name of the internet. */
export function isForDrivers(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' && !TEST_HOST.test(hostname);
}

function privateKeyOf(env: Secrets, file: string | undefined, folder: string): string {
  const place = 'electronicId.privateKeyFile';
  if (env.HLID_ELECTRONIC_ID_KEY === undefined && file === undefined) {
    throw mistake(place, 'is required, or HLID_ELECTRONIC_ID_KEY');
  }
  try {
    const key = env.HLID_ELECTRONIC_ID_KEY ?? readFileSync(resolve(folder, file ?? ''), 'utf8');
    if (createPrivateKey(key).asymmetricKeyType === 'rsa') return key;
  } catch (error) {
    throw mistake(place, `no private key can be read from it: ${messageOf(error)}`);
  }
  throw mistake(place, 'is no private RSA key');
}

function mistake(place: string, what: string): Fault {
  const text = `${place}: ${what}`;
  return new Fault('config-invalid', `The configuration is not right:\n  ${text}`, {
    details: { mistakes: [text] },
  });
}
