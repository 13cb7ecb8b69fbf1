import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type RunningMosquitto, runMosquitto } from './mosquitto.ts';

/** The folder deploy/broker. */
export const BROKER_EXAMPLE = fileURLToPath(new URL('../../deploy/broker/', import.meta.url));

interface Login {
  user: string;
  password: string;
}

/** Mosquitto with the configuration of deploy/broker as it stands, in a folder and at ports of our own. */
export interface DeployedBroker extends RunningMosquitto {
  ports: { sites: number; clouds: number };
  sitesUrl: string;
  /** The URL with the clouds' login. */
  cloudsUrl: string;
  setPassword(file: 'sites' | 'clouds', login: Login): void;
}

export async function startDeployedBroker(folder: string, clouds: Login): Promise<DeployedBroker> {
  const ports = { sites: await freePort(), clouds: await freePort() };
  const at = (name: string) => join(folder, name);
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost'.split(' ');
  const names = ['-addext', 'subjectAltName=DNS:localhost'];
  run('openssl', [...request, ...names, '-keyout', at('privkey.pem'), '-out', at('fullchain.pem')]);
  const readExample = (name: string) => readFileSync(join(BROKER_EXAMPLE, name), 'utf8');
  for (const name of ['sites.acl', 'clouds.acl']) writeFileSync(at(name), readExample(name));
  for (const name of ['sites', 'clouds']) writeFileSync(at(name), '');
  const setPassword = (file: 'sites' | 'clouds', { user, password }: Login) =>
    run('mosquitto_passwd', ['-b', at(file), user, password]);
  setPassword('clouds', clouds);
  const config = readExample('mosquitto.conf')
    .replaceAll('/etc/mosquitto/hlid/', `${folder}/`)
    .replace('listener 8883', `listener ${ports.sites}`)
    .replace('listener 8884', `listener ${ports.clouds}`);
  const running = await runMosquitto(config);
  return {
    ...running,
    ports,
    sitesUrl: `mqtts://localhost:${ports.sites}`,
    cloudsUrl: `mqtts://${clouds.user}:${clouds.password}@localhost:${ports.clouds}`,
    setPassword,
  };
}

function run(command: string, words: readonly string[]): void {
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} has failed: ${stderr}`);
}
