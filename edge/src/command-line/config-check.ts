import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { lanesOf, splitWords } from '../camera/camera-lanes.ts';
import type { CameraConfig, EdgeConfig } from '../config.ts';
import { enrolledPath } from '../enrol/enrolment-file.ts';
import { configPath, findWrittenCloud, readConfig } from '../read-config.ts';
import type { Shell } from './shell.ts';

export const configCheck = defineCommand({
  name: 'config check',
  summary: 'Read the configuration as the daemon would, and name every mistake with its key and line',
  about: 'It starts nothing and shows no secret.',
  examples: ['config check', 'config check --json'],
  run: ({ json }, shell: Shell) => showConfig(json, shell),
});

/** Throws the Fault that names the mistakes. */
function showConfig(json: boolean, shell: Shell): ExitCode {
  const { environment, print } = shell;
  const config = readConfig(environment);
  const { site, cloud, lanes, cameras, dataDir } = config;
  const file = configPath(environment);
  const cloudFrom = cloud && (findWrittenCloud(environment) === 'yes' ? file : enrolledPath(dataDir));
  if (json) {
    const seen = { config: file, dataDir, site: site.name, cloud: cloud?.httpUrl ?? null, cloudFrom };
    const ids = { lanes: lanes.map(({ id }) => id), cameras: cameras.map(({ id }) => id) };
    print(JSON.stringify({ ok: true, ...seen, ...ids, terminal: config.terminal?.id ?? null }));
    return EXIT.done;
  }
  print(`${file} is right: ${site.name}, ${site.timeZone}, ${site.currency}.`);
  print(`  data      ${dataDir}`);
  print(`  cloud     ${cloud ? `${cloud.httpUrl}, site ${cloud.siteId} (from ${cloudFrom})` : ALONE}`);
  for (const { id, direction, name, gate } of lanes) {
    print(`  lane      ${id} (${direction}, ${name}): gate by ${gate.kind}`);
  }
  for (const camera of cameras) {
    const places = camera.lanes?.map(splitWords).join(', ') ?? camera.lane;
    print(`  camera    ${camera.id} at ${places}: ${waysOf(camera, config)}`);
  }
  print(`  terminal  ${config.terminal ? lineOf(config.terminal) : 'none: nobody can pay with a card here'}`);
  const blind = lanes.filter(({ id }) => !cameras.some((camera) => lanesOf(camera).includes(id)));
  for (const { id } of blind) shell.complain(`Lane ${id} has no camera: its gate is moved by hand only.`);
  return EXIT.done;
}

const ALONE = 'none: the site runs alone (enrol CODE makes it one of the cloud’s)';

/** How its reads come; the address that the technician types into it, less its secret. */
function waysOf({ id, onvif }: CameraConfig, { cameraPort }: EdgeConfig): string {
  return onvif
    ? `asked at ${onvif.url}`
    : `posts to http://<this machine>:${cameraPort}/cameras/${id}/<format>?token=…`;
}

function lineOf(terminal: NonNullable<EdgeConfig['terminal']>): string {
  const { id, kind } = terminal;
  if (kind === 'locallink') return `${id}: LocalLink at ${terminal.host}:${terminal.port}`;
  const { serial, tcp } = terminal;
  return `${id}: ZVT at ${serial ? serial.path : `${tcp?.host}:${tcp?.port}`}`;
}
