import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '@hlid/node/clock';
import { dataDirOf } from '@hlid/node/configuration';
import { readTls } from '@hlid/node/tls-files';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import {
  defineCommand,
  EXIT,
  type ExitCode,
  flag,
  operand,
  option,
  textOption,
} from '@hlid/protocol/command-line/command';
import { type Enrolment, readEnrolmentCode } from '@hlid/protocol/site-link/enrolment';
import { pino } from 'pino';
import { z } from 'zod';
import { CloudTls } from '../cloud-access/cloud-tls.ts';
import { PinSchema } from '../config/config.ts';
import {
  type Enrolled,
  type EnrolmentRequest,
  enrolledPath,
  readEnrolled,
  readRequest,
  removeRequest,
  writeAuthority,
  writeEnrolled,
  writeRequest,
} from '../config/enrolment-file.ts';
import { configPath, findWrittenCloud } from '../config/read-config.ts';
import { siteDbPath } from '../db/site-db.ts';
import { type EnrolAnswer, requestEnrolment } from '../enrol/request-enrolment.ts';
import { readTechnicianKey } from '../local-api/technician-key.ts';
import type { Shell } from './shell.ts';

/** A larger difference makes logs and lists hard to read, and certificates invalid. */
const CLOCK_OFF_MS = 2 * MINUTE_MS;

const AddressSchema = z.string().regex(/^https?:\/\/./, 'is an address such as https://parking.example');

const PinsSchema = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(PinSchema));

export const enrol = defineCommand({
  name: 'enrol',
  operand: operand('CODE', ', which an operator creates'),
  summary: 'Make this machine the edge of a site, with a one-time code from the cloud',
  about: `An operator creates the code (POST /sites/{id}/enrolment); it is valid for an hour, once. The credentials are stored in
the data folder, and used if the configuration has no cloud section. If the answer is lost, run the same command again.`,
  options: {
    cloud: option('URL', 'address of the cloud’s API; required the first time', AddressSchema),
    ca: textOption('FILE', 'the authority of the cloud’s certificate, in PEM, if it is the operator’s own'),
    pin: option(
      'PINS',
      'the cloud’s public key, sha256//…; several with commas (see deploy/TLS.md)',
      PinsSchema,
    ),
    cert: textOption(
      'FILE',
      'the site’s own certificate, in PEM, if the broker wants one; it stays where it is',
    ),
    key: textOption('FILE', 'its private key'),
    replace: flag('replace the present credentials'),
  },
  examples: [
    'enrol K7QF-3M2X --cloud https://parking.example',
    'enrol K7QF-3M2X --cloud https://parking.example --ca ca.pem --pin sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=',
    'enrol K7QF-3M2X --replace',
  ],
  run: ({ operand: code, options, json }, shell: Shell) => enrolSite({ code, ...options, json }, shell),
});

/** Whom to trust, as the technician gives it. */
interface Trust {
  ca: string | null;
  cert: string | null;
  key: string | null;
  pin: string[] | null;
}

/**
 * Exchanges a one-time code for the credentials of a site. The secret is created here, and is on the disk before it is
 * sent, so that after a lost answer or a power cut the same command succeeds.
 */
async function enrolSite(
  {
    code: typed,
    cloud,
    replace,
    json,
    ...given
  }: { code: string; cloud: string | null; replace: boolean; json: boolean } & Trust,
  shell: Shell,
): Promise<ExitCode> {
  const { environment } = shell;
  const dataDir = dataDirOf(environment);
  const code = readEnrolmentCode(typed);
  if (code === null) {
    return fail(shell, `${typed} is not a code: a code looks like K7QF-3M2X.`);
  }
  const before = readEnrolled(dataDir);
  const pending = readRequest(dataDir);
  const httpUrl = addressOf(cloud ?? pending?.httpUrl ?? before?.httpUrl ?? null);
  if (httpUrl === null) {
    return fail(shell, 'Set the address of the cloud’s API: --cloud https://parking.example');
  }
  const trust = trustOf(given, before?.httpUrl === httpUrl ? before : null, dataDir);
  if (trust.pin !== null && !httpUrl.startsWith('https:')) {
    return fail(shell, '--pin needs an address with https://: without TLS there is no key to check.');
  }
  if ((trust.cert === null) !== (trust.key === null)) return fail(shell, '--cert and --key go together.');
  const authority = readAuthority(trust);
  if (!authority.ok) return fail(shell, authority.message);
  const isSame = pending?.code === code && pending.httpUrl === httpUrl;
  if (before && !isSame && !replace) {
    return fail(shell, `${enrolledWords(dataDir, before)} Use --replace to replace it.`);
  }
  const request = isSame ? pending : { httpUrl, code, secret: randomBytes(32).toString('base64url') };
  writeRequest(dataDir, request);
  if (isUnencrypted(httpUrl))
    shell.complain(`Not encrypted: the secret is sent to ${httpUrl} in plain text.`);

  const answer = await requestWith(trust, { httpUrl, code, secret: request.secret });
  if (!answer.ok) {
    if (!answer.retry) removeRequest(dataDir);
    shell.complain(answer.message);
    if (answer.retry) shell.complain('Run the same command again: the code is still valid.');
    return EXIT.failed;
  }
  const { enrolment, clockAheadMs } = answer;
  if (before && before.siteId !== enrolment.siteId && existsSync(siteDbPath(dataDir))) {
    return fail(shell, otherSite(dataDir, before, enrolment));
  }
  if (trust.pin !== null && !/^(?:mqtts|wss):/.test(enrolment.mqttUrl)) {
    return fail(
      shell,
      `The link to ${enrolment.mqttUrl} is not encrypted, so --pin cannot be kept: set siteMqttUrl of the cloud.`,
    );
  }
  writeEnrolled(dataDir, {
    ...enrolledAs(request, enrolment),
    ...(authority.pem !== null && { ca: writeAuthority(dataDir, 'ca', authority.pem) }),
    ...(enrolment.mqttCa !== undefined && { mqttCa: writeAuthority(dataDir, 'mqttCa', enrolment.mqttCa) }),
    ...ownOf(trust),
    ...(trust.pin !== null && { pin: trust.pin }),
  });
  removeRequest(dataDir);
  printEnrolled(shell, { json, dataDir, httpUrl, enrolment });
  if (isUnencrypted(enrolment.mqttUrl)) {
    shell.complain(
      `Not encrypted: the link to ${enrolment.mqttUrl} (siteMqttUrl of the cloud sets another).`,
    );
  }
  if (clockAheadMs !== null && Math.abs(clockAheadMs) > CLOCK_OFF_MS) {
    const minutes = Math.round(Math.abs(clockAheadMs) / MINUTE_MS);
    const how = clockAheadMs > 0 ? 'ahead of' : 'behind';
    shell.complain(`The clock of this machine is ${minutes} minutes ${how} the cloud’s: correct it (NTP).`);
  }
  return EXIT.done;
}

/** Options that are not given stay as they are at the same cloud: a new code must not remove a pin. */
function trustOf(given: Trust, before: Enrolled | null, dataDir: string): Trust {
  const kept = (path: string | undefined) => (path === undefined ? null : resolve(dataDir, path));
  return {
    ca: given.ca ?? kept(before?.ca),
    cert: given.cert ?? kept(before?.cert),
    key: given.key ?? kept(before?.key),
    pin: given.pin ?? before?.pin ?? null,
  };
}

/** Reads the authority, and checks the site's own certificate. */
function readAuthority(trust: Trust): { ok: true; pem: string | null } | { ok: false; message: string } {
  const paths = { ...ownOf(trust), ...(trust.ca !== null && { ca: resolve(trust.ca) }) };
  const read = readTls(paths);
  if (!read.ok) return { ok: false, message: read.mistakes.map(({ message }) => message).join('\n') };
  return { ok: true, pem: read.options.ca ?? null };
}

/** The site's own certificate, which is renewed where it is. */
function ownOf({ cert, key }: Trust): { cert?: string; key?: string } {
  return cert === null || key === null ? {} : { cert: resolve(cert), key: resolve(key) };
}

async function requestWith(
  trust: Trust,
  { httpUrl, ...body }: { httpUrl: string; code: string; secret: string },
): Promise<EnrolAnswer> {
  const { ca, pin } = trust;
  const settings = { ...(ca !== null && { ca: resolve(ca) }), ...ownOf(trust), ...(pin !== null && { pin }) };
  const tls = new CloudTls(settings, { log: pino({ enabled: false }) });
  tls.start();
  try {
    return await requestEnrolment(httpUrl, body, tls);
  } finally {
    tls.stop();
  }
}

function enrolledAs({ httpUrl, secret }: EnrolmentRequest, { siteId, mqttUrl, site }: Enrolment): Enrolled {
  const enrolledAt = utcTime(systemClock.now());
  return { httpUrl, mqttUrl, siteId, secret, name: site.name, enrolledAt };
}

function printEnrolled(
  shell: Shell,
  result: { json: boolean; dataDir: string; httpUrl: string; enrolment: Enrolment },
): void {
  const { json, dataDir, httpUrl, enrolment } = result;
  const { siteId, mqttUrl, site, cameras } = enrolment;
  const { environment } = shell;
  const credentials = enrolledPath(dataDir);
  const isRunning = readTechnicianKey(dataDir) !== null;
  const config = configPath(environment);
  const written = findWrittenCloud(environment);
  if (json) {
    const what = { siteId, ...site, httpUrl, mqttUrl, credentials, cameras, restart: isRunning };
    shell.print(JSON.stringify({ ok: true, ...what }));
  } else {
    shell.print(`This machine is now the edge of ${site.name} (site ${siteId}).`);
    shell.print(`  cloud        ${httpUrl}, ${mqttUrl}`);
    shell.print(`  credentials  ${credentials}`);
    for (const { id, name, location } of cameras) {
      shell.print(`  camera       ${id} (${name}, ${location === 'exit' ? 'exit' : 'entrance'})`);
    }
    if (written === 'no-file') {
      const { name, timeZone, currency } = site;
      shell.print(
        `Next: run setup, or write ${config} (as in deploy/edge/edge.yaml), with lanes and cameras, and with`,
      );
      shell.print(`  site: ${JSON.stringify({ name, timeZone, currency })}`);
    } else if (isRunning) shell.print('The daemon runs: restart it to use the new credentials.');
    else shell.print('The daemon uses the new credentials when it starts.');
  }
  if (written === 'yes') {
    shell.complain(`But ${config} has a cloud section, which takes precedence: remove it.`);
  }
}

function fail(shell: Shell, message: string): ExitCode {
  shell.complain(message);
  return EXIT.failed;
}

function enrolledWords(dataDir: string, { name, siteId, httpUrl }: Enrolled): string {
  return `${dataDir} is already enrolled: ${name} (site ${siteId}) at ${httpUrl}.`;
}

function otherSite(dataDir: string, before: Enrolled, { site }: Enrolment): string {
  const database = siteDbPath(dataDir);
  return (
    `This code is for ${site.name}, but ${database} holds the visits of ${before.name}: they must not be sent to another ` +
    'site. Stop the daemon, move the database away, and run the same command again: the code is still valid.'
  );
}

/** The address without its path; null: the text is no address. */
function addressOf(given: string | null): string | null {
  if (given === null || !URL.canParse(given)) return null;
  const { protocol, origin } = new URL(given);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}

function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    ['http:', 'mqtt:', 'ws:'].includes(protocol) &&
    !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  );
}
