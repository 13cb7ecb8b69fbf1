import type { Writable } from 'node:stream';
import { type Clock, nowUtc } from '@hlid/node/clock';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { AccessPoints } from '../access-points/access-points.ts';
import type { Banks } from '../banks/banks.ts';
import type { CommandSender } from '../broker/command-sender.ts';
import type { SiteBoards } from '../broker/site-boards.ts';
import type { CardGateways } from '../card-gateways/card-gateways.ts';
import type { RetentionConfig } from '../config.ts';
import type { Db } from '../db/db.ts';
import type { Scans } from '../db/scans.ts';
import type { ElectronicId } from '../electronic-id/electronic-id.ts';
import type { TrustedProxies } from '../ip-address.ts';
import type { Instance } from '../jobs/cloud-instance.ts';
import type { ObjectStorage } from '../storage/object-storage.ts';
import type { Trainer } from '../trainer.ts';
import type { VehicleRegistry } from '../vehicle-registry/vehicle-registry.ts';
import type { Actor, Caller } from './caller.ts';

/** The context of the routes. */
export interface CloudContext {
  db: Db;
  /** Long reads of the database, which run apart from requests. */
  scans: Scans;
  log: Logger;
  clock: Clock;
  /** This process; absent: others wait for the end of its leases. */
  instance?: Instance | undefined;
  pictures: ObjectStorage;
  /** Packages of the edge, by their file names. */
  packages: ObjectStorage;
  /** Moves gates. */
  commands: CommandSender;
  /** The boards of the lanes of sites. */
  boards: SiteBoards;
  /** Providers of online payments. */
  cardGateways: CardGateways;
  /** Providers that bring electronic invoices into their network. */
  accessPoints: AccessPoints;
  /** Banks that collect claims. */
  banks: Banks;
  /** Null: there is none to ask. */
  vehicleRegistry: VehicleRegistry | null;
  /** The address at which people reach the cloud, without a slash at the end. */
  publicUrl: () => string;
  /**
   * The address at which sites reach the broker; without a configured one, at the host at which one reached
   * the cloud.
   */
  siteMqttUrl: (host: string) => string;
  /** The authority of the broker's certificate, in PEM, for sites that enrol; null: they know it. */
  siteMqttCa: () => string | null;
  /** How long the one-time code of a site is good. */
  enrolmentMinutes: number;
  retention: RetentionConfig;
  /** Proxies before the cloud, which report the address of a request. */
  trustedProxies: TrustedProxies;
  /** Webhooks may lead to internal networks, without TLS. */
  allowInternalWebhooks: boolean;
  /** Null: there is no login by electronic identity. */
  electronicId: ElectronicId | null;
  /** The national ids of made-up people count. Never in production. */
  testElectronicId: boolean;
  /** Operators cannot do without a second factor in a browser. */
  operatorsNeedSecondFactor: boolean;
  /** The parts that the configuration has set up, beside those that people set up here. */
  installation: { sendsMail: boolean; makesBackups: boolean; hasDatabaseServer: boolean };
  /** Makes the situations of lessons in a training installation; null: the car parks are real. */
  trainer: Trainer | null;
}

/** The part of the context that is enough for most routes. */
export type CoreContext = Pick<CloudContext, 'db' | 'log' | 'clock'>;

/** Hono's environment in every route: `c.get('caller')` is set by the time a route runs. */
export interface CloudEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** The address of the request's client; see address-of.ts. */
    address: string;
    /** Null on routes that anyone may call. */
    caller: Caller | null;
    /** Writes the body of a response that stays open. */
    openStream?: OpenStream;
  };
}

/** The caller of a route that has one; which kinds may come stands in route-access.ts. */
export function callerOf<Kind extends Caller['kind']>(
  c: Context<CloudEnv>,
  ...kinds: Kind[]
): Extract<Caller, { kind: Kind }> {
  const caller = c.get('caller');
  if (caller !== null && isOneOf(caller, kinds)) return caller;
  throw new Error(`route-access.ts lets others than ${kinds.join(', ')} call ${c.req.method} ${c.req.path}`);
}

/** The person or device behind a request that changes something. */
export function actorOf(c: Context<CloudEnv>, clock: Clock): Actor {
  return {
    caller: callerOf(c, 'account', 'role'),
    at: nowUtc(clock),
    requestId: c.get('requestId'),
    ifMatch: c.req.header('If-Match'),
  };
}

function isOneOf<Kind extends Caller['kind']>(
  caller: Caller,
  kinds: readonly Kind[],
): caller is Extract<Caller, { kind: Kind }> {
  return kinds.some((kind) => kind === caller.kind);
}

/** @param out the body of the response; it is destroyed when the reader goes */
export type OpenStream = (out: Writable) => void;
