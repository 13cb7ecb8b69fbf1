import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '@hlid/protocol/base/fault';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-eid-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const REST = `electronicId:
  kind: audkenni-rest
  url: https://idp.audkenni.example/
  clientId: hlid
  redirectUrl: https://parking.example/eid
`;
const CIBA = `electronicId:
  kind: audkenni-ciba
  url: https://idp.audkenni.example
  clientId: hlid
  clientSecret: from-the-file
`;
const TESTING = `electronicId:
  kind: testing
  people: [{ ssn: "1201603389", phone: "6123456", name: Anna }]
`;
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

function read(yaml: string, environment: Record<string, string> = {}) {
  writeFileSync(join(folder, 'cloud.yaml'), yaml);
  return readConfig({ HLID_DATA_DIR: folder, ...environment }).electronicId;
}

function mistakeOf(yaml: string, environment: Record<string, string> = {}): unknown {
  try {
    return read(yaml, environment);
  } catch (error) {
    if (!isFault(error, 'config-invalid')) throw error;
    return (error.details['mistakes'] as string[])[0];
  }
}

it('has its secret from the file, or from the environment', () => {
  const environment = { HLID_ELECTRONIC_ID_SECRET: 'from-outside', HLID_ELECTRONIC_ID_KEY: privateKey };
  expect(read(REST, environment)).toEqual({
    kind: 'audkenni-rest',
    url: 'https://idp.audkenni.example',
    clientId: 'hlid',
    relatedParty: '',
    clientSecret: 'from-outside',
    redirectUrl: 'https://parking.example/eid',
    apiVersion: 'api_v202',
  });
  expect(read(CIBA, { HLID_ELECTRONIC_ID_KEY: privateKey })).toMatchObject({ clientSecret: 'from-the-file' });
  expect(read(CIBA, environment)).toMatchObject({ clientSecret: 'from-outside', privateKey });
});

it('has its key from a file beside it', () => {
  writeFileSync(join(folder, 'audkenni.pem'), privateKey);
  expect(read(`${CIBA}  privateKeyFile: audkenni.pem\n`)).toMatchObject({ privateKey });
});

it('has simulated phones that accept by default', () => {
  expect(read(`${TESTING}testElectronicId: true\npublicUrl: https://demo.example\n`)).toEqual({
    kind: 'testing',
    people: [{ ssn: '1201603389', phone: '6123456', name: 'Anna', does: 'accept' }],
  });
});

it.each([
  ['no secret', REST, {}, 'electronicId.clientSecret: is required'],
  [
    'the secret of the example',
    REST,
    { HLID_ELECTRONIC_ID_SECRET: 'change-me' },
    'HLID_ELECTRONIC_ID_SECRET',
  ],
  ['no key', CIBA, {}, 'electronicId.privateKeyFile: is required'],
  ['a key file that is not there', `${CIBA}  privateKeyFile: none.pem\n`, {}, 'no private key can be read'],
  ['a key of another kind', CIBA, { HLID_ELECTRONIC_ID_KEY: other }, 'is no private RSA key'],
  [
    'a line that anybody reads',
    REST.replace('https:', 'http:'),
    {},
    'electronicId.url: an address with https',
  ],
  ['simulated phones', TESTING, {}, 'electronicId.kind: simulated phones need testElectronicId'],
  [
    'tests where drivers log in',
    `${TESTING}testElectronicId: true\npublicUrl: https://parking.is\n`,
    {},
    'testElectronicId: refused at https://parking.is',
  ],
])('is refused with %s', (_what, yaml, environment, mistake) => {
  expect(mistakeOf(yaml, environment)).toContain(mistake);
});
