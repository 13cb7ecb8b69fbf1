import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { serverSentEvents, watchBoard } from './board-watch.ts';

it("the board's client reads events that arrive in pieces", async () => {
  const pieces = [
    'retry: 2000\n\nevent: a\nda',
    'ta: {"n":1}\n\n: beat\n\ndata: x\r\ndata: y\r\n\r\nevent: cut\nda',
  ];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const events = [];
  for await (const event of serverSentEvents(body)) events.push(event);
  expect(events).toEqual([
    { name: 'a', data: '{"n":1}' },
    { name: 'message', data: 'x\ny' },
  ]);
});

it("the board's client connects again after the edge was offline, until it is stopped", async () => {
  const open: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: state\ndata: {"lanes":[]}\n\n`);
    open.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stopping = new AbortController();
  let states = 0;
  const watching = watchBoard(url, { state: () => states++ }, stopping.signal);
  await expect.poll(() => states).toBe(1);
  open[0]?.destroy();
  await expect.poll(() => states).toBe(2);
  stopping.abort();
  await watching;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
