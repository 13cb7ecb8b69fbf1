import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { argv } from 'node:process';
import Database from 'better-sqlite3';
import mqtt from 'mqtt';

/**
 * The floor under the edge's decision: the least that the same promise takes, with nothing of the edge in it. A bare
 * node:http server looks the plate up, writes one row to an outbox in a group commit with `synchronous=FULL`, asks
 * the relay, answers, and publishes the row over MQTT.
 *
 * Arguments: database with a table `permit (plate TEXT PRIMARY KEY)`, relay URL, MQTT URL.
 */
const [, , path = '', relayUrl = '', mqttUrl = ''] = argv;
const db = new Database(path);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)');
const lookup = db.prepare('SELECT 1 FROM permit WHERE plate = ?').pluck();
const insert = db.prepare('INSERT INTO outbox (body) VALUES (?)');
const broker = await mqtt.connectAsync(mqttUrl, { protocolVersion: 4 });

let waiting: { plate: string; lane: string; done: () => void }[] = [];
const commit = db.transaction((group: typeof waiting) => {
  for (const { plate } of group) insert.run(JSON.stringify({ plate, permit: lookup.get(plate) === 1 }));
});

function flush(): void {
  const group = waiting;
  waiting = [];
  commit(group);
  for (const { plate, lane, done } of group) {
    http
      .request(`${relayUrl}/${lane}`, { method: 'POST', agent: false }, (response) => response.resume())
      .end();
    broker.publish('floor/up', JSON.stringify({ plate }), { qos: 1 });
    done();
  }
}

const server = http.createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const document: { results: { plate: string }[] } = JSON.parse(Buffer.concat(pieces).toString());
    if (waiting.length === 0) setImmediate(flush);
    const lane = /\/cameras\/cam-([^/]+)\//.exec(request.url ?? '')?.[1] ?? '';
    waiting.push({ plate: document.results[0]?.plate ?? '', lane, done: () => response.end('{"stored":1}') });
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ event: 'floor.ready', port: (server.address() as AddressInfo).port }));
});
