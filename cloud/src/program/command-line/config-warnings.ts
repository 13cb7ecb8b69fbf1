import { isIP } from 'node:net';
import { sharedPorts } from '@hlid/node/shared-ports';
import type { CloudConfig } from '../../platform/config.ts';

/**
 * Settings that are valid and yet probably a mistake, each with its key. The cloud starts with all of them.
 */
export function configWarnings(config: CloudConfig): string[] {
  return [...publicUrlWarnings(config), ...openBroker(config), ...sharedPorts(listenersOf(config))];
}

function publicUrlWarnings({ publicUrl, http, trustedProxies }: CloudConfig): string[] {
  if (publicUrl === null) return [];
  const { protocol, origin, pathname, search, hash, hostname, username, password } = new URL(publicUrl);
  const warnings: string[] = [];
  if (pathname !== '/' || search !== '' || hash !== '') {
    warnings.push(`publicUrl: the cloud answers at the root of its name only: write ${origin}.`);
  }
  if (username !== '' || password !== '') {
    warnings.push(
      `publicUrl: has a user or password in it, which the cloud leaves out of its links: write ${origin}.`,
    );
  }
  if (protocol === 'http:' && !isLoopback(hostname)) {
    warnings.push(
      'publicUrl: is http: passwords and plates travel unencrypted, and passkeys and cards do not work.',
    );
  }
  if (protocol === 'https:' && http.tls === null && trustedProxies.length === 0) {
    warnings.push(
      'trustedProxies: is empty, and publicUrl is https by a proxy: all people count as one address where attempts are limited.',
    );
  }
  return warnings;
}

function openBroker({ mqtt, brokerUrl }: CloudConfig): string[] {
  if (brokerUrl !== null || mqtt.tls !== null || isLoopback(mqtt.host)) return [];
  return [
    `mqtt.host: listens on ${mqtt.host} without TLS: secrets of sites and plates travel unencrypted. Use 127.0.0.1 behind the proxy, or mqtt.tls.`,
  ];
}

function listenersOf({ http, mqtt, brokerUrl, monitor }: CloudConfig) {
  return [
    { setting: 'HLID_CLOUD_PORT', ...http },
    ...(brokerUrl === null ? [{ setting: 'HLID_MQTT_PORT', ...mqtt }] : []),
    ...(monitor === null ? [] : [{ setting: 'HLID_MONITOR_PORT', ...monitor }]),
  ];
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host === '[::1]' ||
    host === '::1' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  );
}
