import { readTls } from '@hlid/node/tls-files';
import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { isAlarm } from '@hlid/protocol/records/device';
import { z } from 'zod';
import { splitWords } from '../config/camera-lanes.ts';
import type { CameraConfig, EdgeConfig } from '../config/config.ts';
import { enrolledPath } from '../config/enrolment-file.ts';
import { configPath, findWrittenCloud, readConfig } from '../config/read-config.ts';
import { callDaemon } from './call-daemon.ts';
import { configWarnings } from './config-warnings.ts';
import { deviceLines, readDevices } from './reported-device.ts';
import type { Shell } from './shell.ts';

export const configCheck = defineCommand({
  name: 'config check',
  summary: 'Check the configuration; show every mistake with its key and line',
  about:
    'Warns of what is probably not meant, and, where the daemon runs, of ways to pay that do not work now. Starts nothing, and shows no secrets.',
  examples: ['config check', 'config check --json'],
  run: ({ json }, shell: Shell) => showConfig(json, shell),
});

/** Throws the Fault that lists the mistakes. */
export async function showConfig(json: boolean, shell: Shell): Promise<ExitCode> {
  const { environment, print } = shell;
  const config = readConfig(environment);
  const { site, cloud, lanes, cameras, dataDir } = config;
  const file = configPath(environment);
  const warnings = [...configWarnings(config), ...(await waysToPayNow(shell))];
  const cloudFrom = cloud && (findWrittenCloud(environment) === 'yes' ? file : enrolledPath(dataDir));
  if (json) {
    const seen = { config: file, dataDir, site: site.name, cloud: cloud?.httpUrl ?? null, cloudFrom };
    const ids = { lanes: lanes.map(({ id }) => id), cameras: cameras.map(({ id }) => id) };
    const mistakes = tlsMistakes(config);
    const ok = mistakes.length === 0;
    print(
      JSON.stringify({
        ok,
        ...seen,
        ...ids,
        terminal: config.terminal?.id ?? null,
        warnings,
        ...(!ok && { mistakes }),
      }),
    );
    return ok ? EXIT.done : EXIT.failed;
  }
  print(`${file} is valid: ${site.name}, ${site.timeZone}, ${site.currency}.`);
  print(`  data      ${dataDir}`);
  print(`  cloud     ${cloud ? `${cloud.httpUrl}, site ${cloud.siteId} (from ${cloudFrom})` : ALONE}`);
  for (const { id, direction, name, gate } of lanes) {
    print(`  lane      ${id} (${direction}, ${name}): gate by ${gate.kind}`);
  }
  for (const camera of cameras) {
    const places = camera.lanes?.map(splitWords).join(', ') ?? camera.lane;
    print(`  camera    ${camera.id} at ${places}: ${connectionOf(camera, config)}`);
  }
  print(`  terminal  ${config.terminal ? lineOf(config.terminal) : 'none: drivers cannot pay by card'}`);
  for (const warning of warnings) shell.complain(warning);
  const mistakes = tlsMistakes(config);
  for (const mistake of mistakes) shell.complain(mistake);
  return mistakes.length > 0 ? EXIT.failed : EXIT.done;
}

/** The ways to pay that do not work, by the running daemon; nothing if none runs: `status` reports that. */
async function waysToPayNow(shell: Shell): Promise<string[]> {
  const quiet = { ...shell, complain: () => undefined };
  const answer = HealthSchema.safeParse(await callDaemon(quiet, '/health', { accepts: [503] })).data;
  return readDevices(answer?.devices ?? [])
    .filter(({ kind, state }) => kind === 'payment' && isAlarm(state))
    .map((device) =>
      deviceLines(device)
        .map((line) => line.trim())
        .join('. '),
    );
}

/** The fields that are read: the daemon may have another version than this tool. */
const HealthSchema = z.looseObject({ devices: z.array(z.unknown()).default([]) });

/** Mistakes in the files of TLS. The daemon starts with them, since gates need none of the files, and reports them. */
function tlsMistakes({ cloud, cameraTls }: EdgeConfig): string[] {
  const { ca, mqttCa, cert, key } = cloud ?? {};
  const groups = [
    { section: 'cloud', ca: 'ca', paths: { ca, cert, key } },
    { section: 'cloud', ca: 'mqttCa', paths: { ca: mqttCa } },
    { section: 'cameraTls', ca: 'ca', paths: { cert: cameraTls?.cert, key: cameraTls?.key } },
  ];
  return groups.flatMap(({ section, ca: caName, paths }) => {
    const read = readTls(paths);
    if (read.ok) return [];
    return read.mistakes.map(
      ({ setting, message }) => `${section}.${setting === 'ca' ? caName : setting}: ${message}`,
    );
  });
}

const ALONE = 'none: the site runs alone (enrol CODE connects it to a cloud)';

/** How its reads arrive; for a posting camera the address to set in it, without its secret. */
function connectionOf({ id, onvif }: CameraConfig, { cameraPort, cameraTls }: EdgeConfig): string {
  const secure = cameraTls ? ` (or https:, port ${cameraTls.port})` : '';
  return onvif
    ? `events from ${onvif.url}`
    : `posts to http://<this machine>:${cameraPort}/cameras/${id}/<format>?token=…${secure}`;
}

function lineOf(terminal: NonNullable<EdgeConfig['terminal']>): string {
  const { id, kind } = terminal;
  if (kind === 'locallink') return `${id}: LocalLink at ${terminal.host}:${terminal.port}`;
  const { serial, tcp } = terminal;
  return `${id}: ZVT at ${serial ? serial.path : `${tcp?.host}:${tcp?.port}`}`;
}
