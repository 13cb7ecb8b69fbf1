import { expect, it } from 'vitest';
import { readConfig } from '../../platform/config.ts';
import { configWarnings } from './config-warnings.ts';

const LOCAL = { HLID_DATA_DIR: '/nowhere' };
const localHosts = {
  http: { host: '127.0.0.1', port: 8080, tls: null },
  mqtt: { host: '127.0.0.1', port: 1883, tls: null },
};
const warningsOf = (change: Partial<ReturnType<typeof readConfig>>) =>
  configWarnings({ ...readConfig(LOCAL), ...localHosts, ...change });

it('has nothing against what the package installs', () => {
  const monitor = { host: '127.0.0.1', port: 8081 };
  expect(
    warningsOf({ publicUrl: 'https://parking.example', trustedProxies: ['127.0.0.1'], monitor }),
  ).toEqual([]);
  expect(warningsOf({ publicUrl: 'http://127.0.0.1:8080' })).toEqual([]);
  expect(
    warningsOf({ mqtt: { host: '0.0.0.0', port: 1883, tls: null }, brokerUrl: 'mqtts://b.example' }),
  ).toEqual([]);
});

it.each([
  [
    { publicUrl: 'https://parking.example/hlid', trustedProxies: ['127.0.0.1'] },
    /^publicUrl: .*write https:\/\/parking\.example\.$/,
  ],
  [
    { publicUrl: 'https://me:swordfish@parking.example', trustedProxies: ['127.0.0.1'] },
    /^publicUrl: has a user or password .*write https:\/\/parking\.example\.$/,
  ],
  [{ publicUrl: 'http://parking.example' }, /^publicUrl: is http/],
  [{ publicUrl: 'https://parking.example' }, /^trustedProxies: is empty/],
  [{ mqtt: { host: '0.0.0.0', port: 1883, tls: null } }, /^mqtt\.host: .*without TLS/],
  [
    { monitor: { host: '0.0.0.0', port: 8080 } },
    /^HLID_MONITOR_PORT: port 8080 is that of HLID_CLOUD_PORT too/,
  ],
])('warns of %j', (change, warning) => {
  expect(warningsOf(change)).toEqual([expect.stringMatching(warning)]);
});

it('counts no free port as taken, nor one of another address', () => {
  expect(warningsOf({ monitor: { host: '127.0.0.2', port: 8080 } })).toEqual([]);
  const free = { host: '127.0.0.1', port: 0 };
  expect(warningsOf({ monitor: free, http: { ...free, tls: null }, mqtt: { ...free, tls: null } })).toEqual(
    [],
  );
});
