import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '@hlid/protocol/base/fault';
import { TestAuthority } from '@hlid/protocol/test/certificates';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-config-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** The files that the example names. */
function writeTls(): { own: string; other: string } {
  const authority = new TestAuthority();
  const [own, other] = [authority.issue({ name: 'cloud' }), authority.issue({ name: 'other' })];
  mkdirSync(join(folder, 'tls'));
  for (const name of ['cert', 'cloud']) writeFileSync(join(folder, 'tls', `${name}.pem`), own.cert);
  for (const name of ['key', 'cloud-key']) writeFileSync(join(folder, 'tls', `${name}.pem`), own.key);
  for (const name of ['ca', 'sites-ca']) writeFileSync(join(folder, 'tls', `${name}.pem`), authority.cert);
  return { own: own.key, other: other.key };
}

const file = (text: string) => writeFileSync(join(folder, 'cloud.yaml'), text);
const read = (environment: Record<string, string> = {}) =>
  readConfig({ HLID_DATA_DIR: folder, ...environment });

function mistakes(environment: Record<string, string> = {}): unknown {
  try {
    read(environment);
  } catch (error) {
    if (isFault(error, 'config-invalid')) return error.details['mistakes'];
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  it('needs nothing', () => {
    expect(read()).toEqual({
      dataDir: folder,
      configPath: join(folder, 'cloud.yaml'),
      logLevel: 'info',
      http: { host: '0.0.0.0', port: 8080, tls: null },
      mqtt: { host: '0.0.0.0', port: 1883, tls: null },
      monitor: null,
      operator: null,
      apiKey: null,
      publicUrl: null,
      siteMqttUrl: null,
      enrolmentMinutes: 60,
      smtp: null,
      alarmMail: null,
      s3: null,
      vehicleRegistry: null,
      retention: {
        pictureDays: 30,
        looseReadDays: 7,
        visitDays: 180,
        invoiceYears: 7,
        auditDays: 730,
        mailDays: 90,
      },
      backup: null,
      database: null,
      brokerUrl: null,
      brokerTls: null,
      siteMqttCa: null,
      trustedProxies: [],
      allowInternalWebhooks: false,
      cardGateways: [],
      cardGateway: null,
      accessPoints: [],
      accessPoint: null,
      banks: [],
      electronicId: null,
      testElectronicId: false,
      operatorsNeedSecondFactor: false,
      trainerUrl: null,
    });
  });

  it('takes the token of an access point from the environment, and the only one is the usual one', () => {
    file('accessPoints: [{ kind: http, url: "https://ap.example/v1/" }]');
    const { accessPoints, accessPoint } = read({ HLID_ACCESS_POINT_TOKEN: 'fuglafit' });
    expect(accessPoint).toBe('http');
    expect(accessPoints).toEqual([
      {
        id: 'http',
        config: { kind: 'http', url: 'https://ap.example/v1', token: 'fuglafit', timeoutMs: 20_000 },
      },
    ]);
    const point = (id: string) => `{ kind: http, id: ${id}, url: "https://ap.example", token: x }`;
    for (const text of [
      'accessPoints: [{ kind: http, url: "https://ap.example" }]',
      `accessPoints: [${point('a')}, ${point('a')}]`,
      `accessPoints: [${point('a')}]\naccessPoint: b`,
      `accessPoints: [${point('A b')}]`,
    ]) {
      file(text);
      expect(mistakes(), text).toHaveLength(1);
    }
  });

  it('has a complete example that it takes once each secret in it is another', () => {
    const text = readFileSync(new URL('../../../deploy/cloud.yaml', import.meta.url), 'utf8');
    file(text);
    writeTls();
    const left = text.split('\n').flatMap((line, at) => (/^[^#]*change-me/.test(line) ? [at + 1] : []));
    expect(left).toHaveLength(11);
    const mistake = '`change-me` is the example’s secret: put one of your own there';
    expect(mistakes()).toEqual(left.map((line) => `line ${line}: ${mistake}`));
    expect(mistakes({ HLID_API_KEY: 'change-me-0123456789' })).toContain(`HLID_API_KEY: ${mistake}`);
    file(text.replaceAll('change-me', 'fuglafit'));
    const { smtp, s3, trainerUrl, ...config } = read();
    // A copy of the example is no training installation.
    expect(trainerUrl).toBeNull();
    expect(text).toContain('#trainerUrl: http://127.0.0.1:7171');
    for (const [key, value] of Object.entries({ smtp, s3, ...config })) {
      expect(value, `${key} is in the example`).not.toBeNull();
    }
    expect(config.database).toEqual({
      url: 'libsql://parking.example',
      token: 'fuglafit',
      replicaUrl: 'libsql://replica.parking.example',
    });
    expect(smtp).toEqual({
      url: 'smtps://user:fuglafit@mail.example:465',
      from: 'Parking <parking@example.is>',
    });
  });

  it('names each mistake in the files of TLS, beside its key', () => {
    const { other } = writeTls();
    writeFileSync(join(folder, 'tls', 'key.pem'), other);
    writeFileSync(join(folder, 'tls', 'text.pem'), 'no certificate');
    file(
      [
        'http: { tls: { cert: tls/cert.pem, key: tls/key.pem } }',
        'mqtt:',
        '  tls:',
        '    cert: tls/missing.pem',
        '    key: tls/cert.pem',
        '    clientCa: tls/text.pem',
        'brokerTls: { cert: tls/cloud.pem }',
      ].join('\n'),
    );
    const at = (name: string) => join(folder, 'tls', name);
    expect(mistakes()).toEqual([
      `line 1: http.tls.key: ${at('key.pem')} is not the key of ${at('cert.pem')}`,
      expect.stringMatching(/^line 4: mqtt\.tls\.cert: .*missing\.pem cannot be used: ENOENT/),
      expect.stringMatching(/^line 5: mqtt\.tls\.key: .*cert\.pem cannot be used: /),
      expect.stringMatching(/^line 6: mqtt\.tls\.clientCa: .*no certificate in it/),
      'line 7: brokerTls.key: cert and key go together',
    ]);
    file('mqtt: { tls: { cert: tls/cloud.pem, key: tls/cloud-key.pem } }');
    expect(read().mqtt).toEqual({
      host: '0.0.0.0',
      port: 8883,
      tls: { paths: { cert: at('cloud.pem'), key: at('cloud-key.pem') }, clientCertificates: 'none' },
    });
  });

  it('takes addresses without the slash at their end', () => {
    file('s3: { endpoint: "https://s3.example/", bucket: b, accessKeyId: k, secretAccessKey: s }');
    const { publicUrl, s3 } = read({ HLID_PUBLIC_URL: 'https://parking.example/hlid//' });
    expect([publicUrl, s3?.endpoint]).toEqual(['https://parking.example/hlid', 'https://s3.example']);
  });

  it('finds a file of vehicles beside itself', () => {
    file('vehicleRegistry: { file: vehicles.json }\n');
    expect(read().vehicleRegistry).toEqual({ file: join(folder, 'vehicles.json') });
    file('vehicleRegistry: { file: /srv/vehicles.json }\n');
    expect(read().vehicleRegistry).toEqual({ file: '/srv/vehicles.json' });
  });

  it('is the file, and the environment over it', () => {
    file('http: { host: 127.0.0.1, port: 9000 }\nmqtt: { port: 9001 }\nlogLevel: debug\n');
    expect(read({ HLID_CLOUD_PORT: '0', HLID_LOG_LEVEL: 'warn', HLID_MQTT_PORT: '' })).toMatchObject({
      logLevel: 'warn',
      http: { host: '127.0.0.1', port: 0 },
      mqtt: { host: '0.0.0.0', port: 9001 },
    });
  });

  it('takes the first operator and the API key', () => {
    const operator = { HLID_OPERATOR_ID: 'ops', HLID_OPERATOR_PASSWORD: 'long enough' };
    expect(read({ ...operator, HLID_API_KEY: '0123456789abcdef' })).toMatchObject({
      operator: { id: 'ops', password: 'long enough' },
      apiKey: '0123456789abcdef',
    });
  });

  it('names every mistake, with its key and line', () => {
    file('http:\n  port: eighty\n  hosts: x\nlogLevel: loud\noperator: { id: ops }\n');
    expect(mistakes({ HLID_MQTT_PORT: '70000', HLID_OPERATOR_ID: 'ops' })).toEqual([
      'HLID_MQTT_PORT: a port: 0 (any free one) to 65535 (written: “70000”)',
      'HLID_OPERATOR_PASSWORD: goes with the other of the two',
      'line 2: http.port: must be a number (written: “eighty”)',
      'line 3: http.hosts: there is no such setting; did you mean host?',
      expect.stringMatching(/^line 4: logLevel: must be one of fatal, .*\(written: “loud”\)$/),
      'line 5: operator.password: is required',
    ]);
  });

  it('shows no secret that is written wrong, and names the form that was meant', () => {
    file(
      'operator: { id: ops, password: swordfi }\napiKey: swordfish\nvehicleRegistry: { fil: x.json }\nbrokerUrl: http://me:swordfish@broker\n',
    );
    const named = mistakes();
    expect(JSON.stringify(named)).not.toContain('swordf');
    expect(named).toEqual([
      'line 1: operator.password: at least 8 characters',
      'line 2: apiKey: at least 16 characters',
      'line 3: vehicleRegistry.file: is required',
      'line 3: vehicleRegistry.fil: there is no such setting; did you mean file?',
      'line 4: brokerUrl: an address such as mqtts://broker.example:8883 (written: “…@broker”)',
    ]);
  });

  it('says where YAML itself is wrong, and that a named file is missing', () => {
    file('http: {\n');
    expect(mistakes()).toEqual([expect.stringMatching(/^line \d+: /)]);
    expect(mistakes({ HLID_CLOUD_CONFIG: join(folder, 'other.yaml') })).toEqual([
      expect.stringMatching(/^there is no such file: .*deploy\/cloud\.yaml.* HLID_CLOUD_CONFIG$/),
    ]);
  });
});

describe('card gateways', () => {
  it('are known by their kind or an id, and the only one is for all sites', () => {
    file('cardGateways: [{ kind: testing2 }]\ntestGateways: true\n');
    expect(read()).toMatchObject({
      cardGateways: [{ id: 'testing2', config: { kind: 'testing2', cardInput: 'card' } }],
      cardGateway: 'testing2',
    });
    file('cardGateways: [{ kind: testing }, { kind: testing, id: harbour }]\ntestGateways: true\n');
    expect(read()).toMatchObject({ cardGateways: [{ id: 'testing' }, { id: 'harbour' }], cardGateway: null });
  });

  it('that move no money are refused unless they are allowed, and where drivers pay', () => {
    const gateways = 'cardGateways: [{ kind: testing }]\n';
    file(gateways);
    expect(mistakes()).toEqual([expect.stringContaining('it moves no money: it needs testGateways: true')]);
    file(`${gateways}testGateways: true\npublicUrl: https://parking.is\n`);
    expect(mistakes()).toEqual([expect.stringContaining('testGateways: refused where drivers pay')]);
    for (const url of ['https://parking.test', 'https://localhost:8080', 'http://parking.is']) {
      file(`${gateways}testGateways: true\npublicUrl: ${url}\n`);
      expect(mistakes()).toEqual([]);
    }
  });

  it('that move money, access points and banks are refused in a training installation', () => {
    const trainer = { HLID_TRAINER_URL: 'http://127.0.0.1:7171/' };
    const money = 'cardGateways: [{ kind: stripe, publishableKey: pk_live_1 }]\n';
    const secrets = { HLID_STRIPE_SECRET_KEY: 'sk_live_1' };
    file(money);
    expect(mistakes(secrets)).toEqual([]);
    expect(mistakes({ ...secrets, ...trainer })).toEqual([
      expect.stringContaining('trainerUrl: refused beside a card gateway that moves money'),
    ]);
    file('accessPoints: [{ kind: http, url: "https://ap.example/v1/" }]\n');
    const token = { HLID_ACCESS_POINT_TOKEN: 'fuglafit' };
    expect(mistakes(token)).toEqual([]);
    expect(mistakes({ ...token, ...trainer })).toEqual([
      expect.stringContaining('trainerUrl: refused beside an access point'),
    ]);
    file('banks: [{ kind: iobws, url: "https://bank.example/v1/" }]\n');
    const bank = { HLID_BANK_TOKEN: 'fuglafit' };
    expect(mistakes(bank)).toEqual([]);
    expect(mistakes({ ...bank, ...trainer })).toEqual([
      expect.stringContaining('trainerUrl: refused beside a bank'),
    ]);
    file('cardGateways: [{ kind: testing2 }]\ntestGateways: true\n');
    expect(read(trainer).trainerUrl).toBe('http://127.0.0.1:7171');
    expect(mistakes({ HLID_TRAINER_URL: 'ftp://127.0.0.1' })).toEqual([
      expect.stringContaining('HLID_TRAINER_URL'),
    ]);
  });

  it.each([
    ['[{ kind: visa }]', 'cardGateways[0].kind'],
    ['[{ kind: testing, key: 1 }]', 'cardGateways[0]'],
    ['[{ kind: testing }, { kind: testing }]', 'another gateway has the id testing'],
    ['[{ kind: testing }]\ncardGateway: harbour', 'cardGateway: there is no gateway with this id'],
  ])('%s is a mistake', (gateways, mistake) => {
    file(`testGateways: true\ncardGateways: ${gateways}\n`);
    expect(mistakes()).toEqual([expect.stringContaining(mistake)]);
  });
});
