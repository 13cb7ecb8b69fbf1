import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The floor under the cloud's streams of events: bare `node:http`, responses that stay open, and nothing else. */
const server = createServer((_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.write('event: ready\ndata: {}\n\n');
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ event: 'floor.ready', port: (server.address() as AddressInfo).port }));
});
