import type { Duplex } from 'node:stream';
import { TlsFiles } from '@hlid/node/tls-files';
import type { Logger } from 'pino';
import { SharedBroker } from '../../platform/broker/shared-broker.ts';
import { SiteBroker } from '../../platform/broker/site-broker.ts';
import type { SiteBus } from '../../platform/broker/site-bus.ts';
import type { CloudConfig } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import { checkSiteSecret, isAdmitted, SITE_LOCKED_OUT } from './site-credentials.ts';

/** A broker that can be started; it carries messages to and from the sites. */
export interface Broker extends SiteBus {
  start(): Promise<{ mqttUrl: string }>;
  stop(): Promise<void>;
  /** Takes a client that came another way; absent: the broker is outside. */
  accept?(connection: Duplex, address: string): void;
}

/** The files of the broker's TLS; null: there are none. */
export function brokerTlsFiles(
  { mqtt, brokerUrl, brokerTls }: Pick<CloudConfig, 'mqtt' | 'brokerUrl' | 'brokerTls'>,
  log: Logger,
): TlsFiles | null {
  const paths = brokerUrl === null ? (mqtt.tls?.paths ?? null) : brokerTls;
  return paths && new TlsFiles(paths, { log });
}

/** The broker inside, or the one outside that clouds on the same database share. Locked-out sites are dropped. */
export function openBroker(
  config: Pick<CloudConfig, 'mqtt' | 'brokerUrl'>,
  { db, log, tls }: { db: Db; log: Logger; tls: TlsFiles | null },
): Broker {
  const { mqtt, brokerUrl } = config;
  const broker =
    brokerUrl === null ? ownBroker(mqtt, { db, log, tls }) : sharedBroker(brokerUrl, { db, log, tls });
  db.onAnnounced((names) => {
    for (const name of names) {
      if (name.startsWith(SITE_LOCKED_OUT)) broker.disconnect(name.slice(SITE_LOCKED_OUT.length));
    }
  });
  return broker;
}

interface BrokerParts {
  db: Db;
  log: Logger;
  tls: TlsFiles | null;
}

function ownBroker(
  { host, port, tls: config }: CloudConfig['mqtt'],
  { db, log, tls }: BrokerParts,
): SiteBroker {
  const admits = (siteId: string, secret: string | null) =>
    db.read((q) => (secret === null ? isAdmitted(q, siteId) : checkSiteSecret(q, siteId, secret)));
  const { clientCertificates = 'none' } = config ?? {};
  return new SiteBroker({ host, port, log, admits, ...(tls && { tls: { files: tls, clientCertificates } }) });
}

function sharedBroker(url: string, { db, log, tls }: BrokerParts): SharedBroker {
  const broker = new SharedBroker({ url, log, tls });
  db.onAnnounced((names, from) => {
    if (from === 'here') broker.announce(names);
  });
  broker.onAnnounced((names) => db.announced(names));
  return broker;
}
