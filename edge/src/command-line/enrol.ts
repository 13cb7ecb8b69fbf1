import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { systemClock } from '@hlid/node/clock';
import { dataDirOf } from '@hlid/node/configuration';
import {
  defineCommand,
  EXIT,
  type ExitCode,
  flag,
  operand,
  option,
} from '@hlid/protocol/command-line/command';
import { type Enrolment, readEnrolmentCode } from '@hlid/protocol/enrolment';
import { MINUTE_MS, utcTime } from '@hlid/protocol/utc-time';
import { z } from 'zod';
import { siteDbPath } from '../db/site-db.ts';
import { askEnrolment } from '../enrol/ask-enrolment.ts';
import {
  type Asked,
  type Enrolled,
  enrolledPath,
  forgetAsked,
  readAsked,
  readEnrolled,
  writeAsked,
  writeEnrolled,
} from '../enrol/enrolment-file.ts';
import { readTechnicianKey } from '../local-api/technician-key.ts';
import { configPath, findWrittenCloud } from '../read-config.ts';
import type { Shell } from './shell.ts';

/** A clock that is further off makes logs and lists hard to read, and certificates invalid. */
const CLOCK_OFF_MS = 2 * MINUTE_MS;

const AddressSchema = z.string().regex(/^https?:\/\/./, 'is an address such as https://parking.example');

export const enrol = defineCommand({
  name: 'enrol',
  operand: operand('CODE', ' that an operator has made'),
  summary: 'Make this machine the edge of a site, by a one-time code of the cloud',
  about: `An operator makes the code (POST /sites/{id}/enrolment); it is good for an hour, once. The credentials go into the
data folder, and count where the configuration has no cloud section. If the answer is lost, give the same command
again.`,
  options: {
    cloud: option('URL', 'where the cloud’s API is; needed the first time', AddressSchema),
    replace: flag('in place of the credentials that are there'),
  },
  examples: ['enrol K7QF-3M2X --cloud https://parking.example', 'enrol K7QF-3M2X --replace'],
  run: ({ operand: code, options, json }, shell: Shell) => enrolSite({ code, ...options, json }, shell),
});

/**
 * Turns a one-time code of the cloud into the credentials of a site, in the data folder. The secret is made here and
 * is on the disk before the cloud hears of it, so that a lost answer, or a cut of power, is mended by the same command.
 */
async function enrolSite(
  {
    code: typed,
    cloud,
    replace,
    json,
  }: { code: string; cloud: string | null; replace: boolean; json: boolean },
  shell: Shell,
): Promise<ExitCode> {
  const { environment } = shell;
  const dataDir = dataDirOf(environment);
  const code = readEnrolmentCode(typed);
  if (code === null) {
    return fail(shell, `${typed} is no code: they are like K7QF-3M2X.`);
  }
  const before = readEnrolled(dataDir);
  const pending = readAsked(dataDir);
  const httpUrl = addressOf(cloud ?? pending?.httpUrl ?? before?.httpUrl ?? null);
  if (httpUrl === null) {
    return fail(shell, 'Where is the cloud? --cloud https://parking.example (the address of its API)');
  }
  const isSame = pending?.code === code && pending.httpUrl === httpUrl;
  if (before && !isSame && !replace) {
    return fail(shell, `${whose(dataDir, before)} With --replace this one takes its place.`);
  }
  const asked = isSame ? pending : { httpUrl, code, secret: randomBytes(32).toString('base64url') };
  writeAsked(dataDir, asked);
  if (isInTheOpen(httpUrl)) shell.complain(`Not encrypted: the secret goes to ${httpUrl} in the open.`);

  const answer = await askEnrolment(httpUrl, { code, secret: asked.secret });
  if (!answer.ok) {
    if (!answer.again) forgetAsked(dataDir);
    shell.complain(answer.message);
    if (answer.again) shell.complain('Give the same command again: the code is still good for it.');
    return EXIT.failed;
  }
  const { enrolment, clockAheadMs } = answer;
  if (before && before.siteId !== enrolment.siteId && existsSync(siteDbPath(dataDir))) {
    return fail(shell, otherSite(dataDir, before, enrolment));
  }
  writeEnrolled(dataDir, enrolledAs(asked, enrolment));
  forgetAsked(dataDir);
  tellWell(shell, { json, dataDir, asked, enrolment });
  if (isInTheOpen(enrolment.mqttUrl)) {
    shell.complain(
      `Not encrypted: the link to ${enrolment.mqttUrl} (siteMqttUrl of the cloud names another).`,
    );
  }
  if (clockAheadMs !== null && Math.abs(clockAheadMs) > CLOCK_OFF_MS) {
    const minutes = Math.round(Math.abs(clockAheadMs) / MINUTE_MS);
    const how = clockAheadMs > 0 ? 'ahead of' : 'behind';
    shell.complain(`The clock of this machine is ${minutes} minutes ${how} the cloud’s: set it (NTP).`);
  }
  return EXIT.done;
}

function enrolledAs({ httpUrl, secret }: Asked, { siteId, mqttUrl, site }: Enrolment): Enrolled {
  const enrolledAt = utcTime(systemClock.now());
  return { httpUrl, mqttUrl, siteId, secret, name: site.name, enrolledAt };
}

function tellWell(
  shell: Shell,
  told: { json: boolean; dataDir: string; asked: Asked; enrolment: Enrolment },
): void {
  const { json, dataDir, asked, enrolment } = told;
  const { siteId, mqttUrl, site, cameras } = enrolment;
  const { environment } = shell;
  const credentials = enrolledPath(dataDir);
  const runs = readTechnicianKey(dataDir) !== null;
  const { httpUrl } = asked;
  const config = configPath(environment);
  const written = findWrittenCloud(environment);
  if (json) {
    const what = { siteId, ...site, httpUrl, mqttUrl, credentials, cameras, restart: runs };
    shell.print(JSON.stringify({ ok: true, ...what }));
  } else {
    shell.print(`This is ${site.name} now (site ${siteId}).`);
    shell.print(`  cloud        ${httpUrl}, ${mqttUrl}`);
    shell.print(`  credentials  ${credentials}`);
    for (const { id, name, location } of cameras) {
      shell.print(`  camera       ${id} (${name}, ${location === 'exit' ? 'exit' : 'entrance'})`);
    }
    if (written === 'no-file') {
      const { name, timeZone, currency } = site;
      shell.print(`Next: write ${config} (as in deploy/edge/edge.yaml), with lanes and cameras, and with`);
      shell.print(`  site: ${JSON.stringify({ name, timeZone, currency })}`);
    } else if (runs) shell.print('The daemon runs: start it again, so that it logs in with this.');
    else shell.print('The daemon logs in with this when it starts.');
  }
  if (written === 'yes') {
    shell.complain(`But ${config} has a cloud section, which goes before: take it out.`);
  }
}

function fail(shell: Shell, message: string): ExitCode {
  shell.complain(message);
  return EXIT.failed;
}

function whose(dataDir: string, { name, siteId, httpUrl }: Enrolled): string {
  return `${dataDir} is enrolled already: ${name} (site ${siteId}) at ${httpUrl}.`;
}

function otherSite(dataDir: string, before: Enrolled, { site }: Enrolment): string {
  const database = siteDbPath(dataDir);
  return (
    `This code is for ${site.name}, but ${database} holds the visits of ${before.name}: they must not be told to another ` +
    'site. Stop the daemon, move the database away, and give the same command again: the code is still good for it.'
  );
}

/** Without a path or a slash at its end; null where it is no address. */
function addressOf(given: string | null): string | null {
  if (given === null || !URL.canParse(given)) return null;
  const { protocol, origin } = new URL(given);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}

function isInTheOpen(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    ['http:', 'mqtt:', 'ws:'].includes(protocol) &&
    !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  );
}
