import type { Server } from 'node:http';
import { type ListenAt, listen, listenPatiently, stopListening } from '@hlid/node/listen';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { createAdaptorServer } from '@hono/node-server';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import type { OnSiteConfig } from '../config/config.ts';
import type { Metrics } from '../health/metrics.ts';
import { healthRoutes } from './health-routes.ts';
import type { KioskApi } from './kiosk-api.ts';
import { type BoardSources, LiveEvents, laneRoutes } from './lane-routes.ts';
import { createApp } from './local-app.ts';
import { type AccessPoint, accessPoints } from './on-site-access.ts';
import { type OnSiteParts, onSiteRoutes } from './on-site-routes.ts';
import { serveLanePage, servePages } from './pages.ts';
import { type TechnicianParts, technicianRoutes } from './technician-routes.ts';

type SiteKiosk = Pick<KioskApi, 'routes' | 'acceptCode' | 'start' | 'stop'>;

type LocalApiParts = Omit<BoardSources, 'health'> & {
  port: number;
  health: BoardSources['health'] & TechnicianParts['health'];
  commands: TechnicianParts['commands'] & OnSiteParts['commands'];
  pictures: OnSiteParts['pictures'];
  onSite: OnSiteConfig;
  payments: TechnicianParts['payments'];
  beginPause: TechnicianParts['beginPause'];
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** Absent: drivers cannot pay here. */
  kiosk?: SiteKiosk;
  /** The technician's key. */
  secret: string;
  /** Writes to the database as passages do; rejects where that fails. */
  checkStorage: () => Promise<unknown>;
  log: Logger;
  beatMs?: number;
};

/**
 * The daemon's own small server, for people and programs on this machine: on the loopback interface, since
 * plates are personal data. The lanes page alone is also served to the site's network, behind a PIN, if the
 * configuration sets it. `route-access.ts` lists its routes, and who may call them.
 */
export class LocalApi {
  readonly #port: number;
  readonly #live: LiveEvents;
  readonly #kiosk: SiteKiosk | undefined;
  readonly #server: Server;
  readonly #network: { at: ListenAt; server: Server } | null;
  readonly #log: Logger;

  constructor(parts: LocalApiParts) {
    const { port, kiosk, secret, log, metrics, checkStorage, clock, onSite } = parts;
    this.#port = port;
    this.#kiosk = kiosk;
    this.#log = log;
    this.#live = new LiveEvents(parts, parts.beatMs);
    const live = this.#live;
    const points = accessPoints(onSite);
    const state = () => live.state();
    const isTraining = () => parts.site().training === true;
    const lanePages = (accessPoint: AccessPoint) => [
      laneRoutes(parts, { live, accessPoint }),
      onSiteRoutes(parts, accessPoint),
    ];
    const app = createApp(
      [
        healthRoutes({ state, metrics, checkStorage, startedAt: utcTime(clock.now()) }),
        ...lanePages(points.loopback),
        technicianRoutes(parts),
        ...(kiosk?.routes ?? []),
      ],
      { secret, accessPoint: points.loopback, pages: servePages(), isTraining, log },
    );
    this.#server = serverOf(app);
    const accessPoint = points.network;
    this.#network = null;
    if (onSite.network && accessPoint) {
      const page = createApp(lanePages(accessPoint), {
        secret,
        accessPoint,
        pages: serveLanePage(),
        isTraining,
        log,
      });
      this.#network = { at: onSite.network, server: serverOf(page) };
    }
  }

  /** @returns where it listens, on this machine; the site's network is served as soon as that is there */
  async start(): Promise<{ url: string }> {
    const at = { host: '127.0.0.1', port: this.#port };
    const url = `http://${await listen(this.#server, at, 'HLID_EDGE_PORT')}`;
    this.#live.start();
    this.#kiosk?.start();
    await this.#listenToNetwork();
    return { url };
  }

  /** The address of the lanes page in the site's network; null: it is not served there. */
  networkUrl(): string | null {
    const address = this.#network?.server.address();
    if (typeof address !== 'object' || !address) return null;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#live.stop();
    this.#kiosk?.stop();
    await Promise.all([stopListening(this.#server), this.#network && stopListening(this.#network.server)]);
  }

  /** Listens to the network; a failure must not keep the daemon from starting. */
  async #listenToNetwork(): Promise<void> {
    if (!this.#network) return;
    const { at, server } = this.#network;
    await listenPatiently(server, at, {
      hostSetBy: 'onSite.network.host',
      portSetBy: 'onSite.network.port',
      retries: 'every-failure',
      onWaiting: (reason) => this.#log.error({ event: LOG_EVENTS.notListening, reason }),
      onListening: (address) => this.#log.info({ event: LOG_EVENTS.listening, address }),
    });
  }
}

function serverOf(app: { fetch: Parameters<typeof createAdaptorServer>[0]['fetch'] }): Server {
  // Other parts of the daemon use the global objects too.
  return createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
}
