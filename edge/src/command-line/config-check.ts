import { enrolledPath } from '../enrol/enrolment-file.ts';
import { configPath, findWrittenCloud, readConfig } from '../read-config.ts';
import type { Command } from './command.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

/** Says what the configuration comes to; throws the Fault that names its mistakes. No secrets. */
export function configCheck(
  { json }: Extract<Command, { kind: 'config-check' }>,
  terminal: Terminal,
): ExitCode {
  const { environment, print } = terminal;
  const { site, cloud, lanes, cameras, dataDir } = readConfig(environment);
  const config = configPath(environment);
  const cloudFrom = cloud && (findWrittenCloud(environment) === 'yes' ? config : enrolledPath(dataDir));
  if (json) {
    const seen = { config, dataDir, site: site.name, cloud: cloud?.httpUrl ?? null, cloudFrom };
    const ids = { lanes: lanes.map(({ id }) => id), cameras: cameras.map(({ id }) => id) };
    print(JSON.stringify({ ok: true, ...seen, ...ids }));
    return 0;
  }
  print(`${config} is right: ${site.name}, ${site.timeZone}, ${site.currency}.`);
  print(`  data     ${dataDir}`);
  print(`  cloud    ${cloud ? `${cloud.httpUrl}, site ${cloud.siteId} (from ${cloudFrom})` : ALONE}`);
  for (const { id, direction, name, gate } of lanes) {
    print(`  lane     ${id} (${direction}, ${name}): gate by ${gate.kind}`);
  }
  for (const { id, lane, onvif } of cameras) {
    print(`  camera   ${id} at ${lane}: ${onvif ? `asked at ${onvif.url}` : 'posts by itself'}`);
  }
  const blind = lanes.filter(({ id }) => !cameras.some(({ lane }) => lane === id));
  for (const { id } of blind) terminal.complain(`Lane ${id} has no camera: its gate is moved by hand only.`);
  return 0;
}

const ALONE = 'none: the site runs alone (enrol CODE makes it one of the cloud’s)';
