import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { argv } from 'node:process';
import Database from 'better-sqlite3';

/**
 * The floor under a snapshot, the sender's half: a bare node:http server that sends the permits of the cloud's lists, an
 * item a line. Argument: the cloud's database.
 */
const LINES_A_PIECE = 500;

const db = new Database(argv[2] ?? '', { readonly: true });
const all = db
  .prepare<[], string>("SELECT item FROM feed_item WHERE scope = '*' AND kind = 'permit'")
  .pluck();

const server = http.createServer(async (_request, response) => {
  let piece: string[] = [];
  const send = async () => {
    const drained = response.write(`${piece.join('\n')}\n`);
    piece = [];
    if (!drained) await new Promise((resolve) => response.once('drain', resolve));
  };
  for (const item of all.iterate()) {
    piece.push(item);
    if (piece.length === LINES_A_PIECE) await send();
  }
  if (piece.length > 0) await send();
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ event: 'floor.ready', port: (server.address() as AddressInfo).port }));
});
