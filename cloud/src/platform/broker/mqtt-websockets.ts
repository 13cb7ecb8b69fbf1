import type { IncomingMessage, Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';
import { addressList, clientOf, type TrustedProxies } from '../ip-address.ts';
import { MAX_PACKET_BYTES } from './frame-guard.ts';

/**
 * The path of MQTT over WebSocket for sites (MQTT 3.1.1 section 6): at the address of the API, through any
 * proxy with TLS.
 */
export const MQTT_PATH = '/mqtt';

/** A frame has one packet as a rule, and the type and length before it. */
const MAX_FRAME_BYTES = MAX_PACKET_BYTES + 5;

/** Upgrades requests of an HTTP server to WebSocket: only for sites, and for MQTT. */
export class MqttWebsockets {
  readonly #server: Server | HttpsServer;
  readonly #accept: (stream: Duplex, address: string) => void;
  readonly #proxies: ReturnType<typeof addressList>;
  readonly #websockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false),
  });

  /** @param accept receives each connection, and the address of its client */
  constructor(
    server: Server | HttpsServer,
    trustedProxies: TrustedProxies,
    accept: (stream: Duplex, address: string) => void,
  ) {
    this.#server = server;
    this.#accept = accept;
    this.#proxies = addressList(trustedProxies);
  }

  start(): void {
    this.#server.on('upgrade', this.#upgrade);
  }

  /** Ends every connection: an HTTP server that closes waits for them. */
  stop(): void {
    this.#server.off('upgrade', this.#upgrade);
    for (const websocket of this.#websockets.clients) websocket.terminate();
  }

  readonly #upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // No other listener receives its errors until it is a WebSocket.
    socket.on('error', () => socket.destroy());
    if (request.url?.split('?')[0] !== MQTT_PATH) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const { remoteAddress = '' } = request.socket;
    const forwarded = request.headers['x-forwarded-for'];
    const address = clientOf(remoteAddress, forwarded?.toString(), this.#proxies);
    this.#websockets.handleUpgrade(request, socket, head, (websocket: WebSocket) => {
      this.#accept(createWebSocketStream(websocket), address);
    });
  };
}
