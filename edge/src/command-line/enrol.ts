import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Enrolment, readEnrolmentCode } from '@hlid/protocol/enrolment';
import { MINUTE_MS, utcTime } from '@hlid/protocol/utc-time';
import { systemClock } from '../clock.ts';
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
import type { Command } from './command.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

/** A clock that is further off makes logs and lists hard to read, and certificates invalid. */
const CLOCK_OFF_MS = 2 * MINUTE_MS;

/**
 * Turns a one-time code of the cloud into the credentials of a site, in the data folder. The secret is made here and
 * is on the disk before the cloud hears of it, so that a lost answer, or a cut of power, is mended by the same command.
 */
export async function enrol(
  { code: typed, cloud, replace, json }: Extract<Command, { kind: 'enrol' }>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { environment } = terminal;
  const dataDir = resolve(environment['HLID_DATA_DIR'] || './data');
  const code = readEnrolmentCode(typed);
  if (code === null) {
    return fail(terminal, `${typed} is no code: they are like K7QF-3M2X.`);
  }
  const before = readEnrolled(dataDir);
  const pending = readAsked(dataDir);
  const httpUrl = addressOf(cloud ?? pending?.httpUrl ?? before?.httpUrl ?? null);
  if (httpUrl === null) {
    return fail(terminal, 'Where is the cloud? --cloud https://parking.example (the address of its API)');
  }
  const isSame = pending?.code === code && pending.httpUrl === httpUrl;
  if (before && !isSame && !replace) {
    return fail(terminal, `${whose(dataDir, before)} With --replace this one takes its place.`);
  }
  const asked = isSame ? pending : { httpUrl, code, secret: randomBytes(32).toString('base64url') };
  writeAsked(dataDir, asked);
  if (isInTheOpen(httpUrl)) terminal.complain(`Not encrypted: the secret goes to ${httpUrl} in the open.`);

  const answer = await askEnrolment(httpUrl, { code, secret: asked.secret });
  if (!answer.ok) {
    if (!answer.again) forgetAsked(dataDir);
    terminal.complain(answer.message);
    if (answer.again) terminal.complain('Give the same command again: the code is still good for it.');
    return 1;
  }
  const { enrolment, clockAheadMs } = answer;
  if (before && before.siteId !== enrolment.siteId && existsSync(join(dataDir, 'site.sqlite'))) {
    return fail(terminal, otherSite(dataDir, before, enrolment));
  }
  writeEnrolled(dataDir, enrolledAs(asked, enrolment));
  forgetAsked(dataDir);
  tellWell(terminal, { json, dataDir, asked, enrolment });
  if (isInTheOpen(enrolment.mqttUrl)) {
    terminal.complain(
      `Not encrypted: the link to ${enrolment.mqttUrl} (siteMqttUrl of the cloud names another).`,
    );
  }
  if (clockAheadMs !== null && Math.abs(clockAheadMs) > CLOCK_OFF_MS) {
    const minutes = Math.round(Math.abs(clockAheadMs) / MINUTE_MS);
    const how = clockAheadMs > 0 ? 'ahead of' : 'behind';
    terminal.complain(`The clock of this machine is ${minutes} minutes ${how} the cloud’s: set it (NTP).`);
  }
  return 0;
}

function enrolledAs({ httpUrl, secret }: Asked, { siteId, mqttUrl, site }: Enrolment): Enrolled {
  const enrolledAt = utcTime(systemClock.now());
  return { httpUrl, mqttUrl, siteId, secret, name: site.name, enrolledAt };
}

function tellWell(
  terminal: Terminal,
  told: { json: boolean; dataDir: string; asked: Asked; enrolment: Enrolment },
): void {
  const { json, dataDir, asked, enrolment } = told;
  const { siteId, mqttUrl, site, cameras } = enrolment;
  const { environment } = terminal;
  const credentials = enrolledPath(dataDir);
  const runs = readTechnicianKey(dataDir) !== null;
  const { httpUrl } = asked;
  const config = configPath(environment);
  const written = findWrittenCloud(environment);
  if (json) {
    const what = { siteId, ...site, httpUrl, mqttUrl, credentials, cameras, restart: runs };
    terminal.print(JSON.stringify({ ok: true, ...what }));
  } else {
    terminal.print(`This is ${site.name} now (site ${siteId}).`);
    terminal.print(`  cloud        ${httpUrl}, ${mqttUrl}`);
    terminal.print(`  credentials  ${credentials}`);
    for (const { id, name, location } of cameras) {
      terminal.print(`  camera       ${id} (${name}, ${location === 'exit' ? 'exit' : 'entrance'})`);
    }
    if (written === 'no-file') {
      const { name, timeZone, currency } = site;
      terminal.print(`Next: write ${config}, with lanes and cameras, and with`);
      terminal.print(`  site: ${JSON.stringify({ name, timeZone, currency })}`);
    } else if (runs) terminal.print('The daemon runs: start it again, so that it logs in with this.');
    else terminal.print('The daemon logs in with this when it starts.');
  }
  if (written === 'yes') {
    terminal.complain(`But ${config} has a cloud section, which goes before: take it out.`);
  }
}

function fail(terminal: Terminal, message: string): ExitCode {
  terminal.complain(message);
  return 1;
}

function whose(dataDir: string, { name, siteId, httpUrl }: Enrolled): string {
  return `${dataDir} is enrolled already: ${name} (site ${siteId}) at ${httpUrl}.`;
}

function otherSite(dataDir: string, before: Enrolled, { site }: Enrolment): string {
  const database = join(dataDir, 'site.sqlite');
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
