import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A line between a site and the cloud's HTTP API; its effect on pictures can be changed at any time. */
export interface PictureLine {
  readonly url: string;
  /** Answers pictures in place of the cloud. */
  answer(status: number): void;
  /** Takes pictures half, and goes on with none of them. */
  hold(): void;
  /** How many are held. */
  held(): number;
  /** Breaks off all that is held. */
  cutOff(): void;
  heal(): void;
  /** How many requests with a picture came here at all. */
  asked(): number;
  /** The path of each picture that the cloud has answered as stored, once for each answer. */
  stored(): readonly string[];
  stop(): Promise<void>;
}

export async function startPictureLine(cloudUrl: string): Promise<PictureLine> {
  /** A number: answers with that status in place of the cloud. */
  let does: 'pass' | 'hold' | number = 'pass';
  const held = new Set<IncomingMessage>();
  let asked = 0;
  const stored: string[] = [];

  const server = http.createServer((request, response) => {
    const isPicture = request.method === 'PUT';
    if (isPicture) asked++;
    if (!isPicture || does === 'pass') {
      pass(request, response, isPicture);
      return;
    }
    if (does === 'hold') {
      held.add(request);
      request.once('close', () => held.delete(request));
      return;
    }
    const status = does;
    request
      .resume()
      .on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end('{}'));
  });

  function pass(request: IncomingMessage, response: ServerResponse, isPicture: boolean): void {
    const { method, headers } = request;
    const onward = http.request(new URL(request.url ?? '/', cloudUrl), { method, headers }, (answer) => {
      if (isPicture && answer.statusCode === 204) stored.push(request.url ?? '');
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    answer: (status) => {
      does = status;
    },
    hold: () => {
      does = 'hold';
    },
    held: () => held.size,
    cutOff() {
      for (const request of held) request.socket.destroy();
    },
    heal: () => {
      does = 'pass';
    },
    asked: () => asked,
    stored: () => stored,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
