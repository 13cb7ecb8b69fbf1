import { configPath, readConfig } from '../read-config.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

/** Says what the configuration comes to; throws the Fault that names its mistakes. No secrets. */
export function configCheck(terminal: Terminal): ExitCode {
  const { site, cloud, lanes, cameras, dataDir } = readConfig(terminal.environment);
  terminal.print(
    JSON.stringify({
      ok: true,
      config: configPath(terminal.environment),
      dataDir,
      site: site.name,
      cloud: cloud?.httpUrl ?? null,
      lanes: lanes.map(({ id }) => id),
      cameras: cameras.map(({ id }) => id),
    }),
  );
  return 0;
}
