import type { Logger } from 'pino';
import { SharedBroker } from '../broker/shared-broker.ts';
import { SiteBroker } from '../broker/site-broker.ts';
import type { SiteBus } from '../broker/site-bus.ts';
import type { CloudConfig } from '../config.ts';
import type { Db } from '../db/db.ts';
import { checkSiteSecret, SITE_LOCKED_OUT } from './site-credentials.ts';

/** A broker that can be started; it carries messages to and from the sites. */
export type Broker = SiteBus & { start(): Promise<{ mqttUrl: string }>; stop(): Promise<void> };

/** The broker inside, or the one outside that clouds on the same database share. Locked-out sites are dropped. */
export function openBroker(config: Pick<CloudConfig, 'mqtt' | 'brokerUrl'>, db: Db, log: Logger): Broker {
  const broker =
    config.brokerUrl === null ? ownBroker(config, db, log) : sharedBroker(config.brokerUrl, db, log);
  db.onAnnounced((names) => {
    for (const name of names) {
      if (name.startsWith(SITE_LOCKED_OUT)) broker.disconnect(name.slice(SITE_LOCKED_OUT.length));
    }
  });
  return broker;
}

function ownBroker({ mqtt }: Pick<CloudConfig, 'mqtt'>, db: Db, log: Logger): SiteBroker {
  const checkSecret = (siteId: string, secret: string) => db.read((q) => checkSiteSecret(q, siteId, secret));
  return new SiteBroker({ ...mqtt, log, checkSecret });
}

function sharedBroker(url: string, db: Db, log: Logger): SharedBroker {
  const broker = new SharedBroker({ url, log });
  db.onAnnounced((names, from) => {
    if (from === 'here') broker.announce(names);
  });
  broker.onAnnounced((names) => db.announced(names));
  return broker;
}
