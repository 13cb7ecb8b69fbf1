import Database from 'better-sqlite3';
import { startFloorProgram } from './floor-program.ts';

const ROWS_A_COMMIT = 1000;

/**
 * The floor under a snapshot. The permits of the cloud's lists go over HTTP from one process to this one, and
 * into a table with an index by id and one by plate. Nothing else is done with them. @returns seconds
 */
export async function copyBare(cloudPath: string, path: string): Promise<number> {
  const sender = await startFloorProgram('floor-lists.ts', [cloudPath]);
  const db = new Database(path);
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.exec('CREATE TABLE permit (id TEXT NOT NULL UNIQUE, plate TEXT NOT NULL, body TEXT NOT NULL)');
    const insert = db.prepare('INSERT INTO permit VALUES (?, ?, ?)');
    const write = db.transaction((bodies: string[]) => {
      for (const body of bodies) {
        const { id, plate } = JSON.parse(body);
        insert.run(id, plate, body);
      }
    });
    const from = performance.now();
    const response = await fetch(sender.url);
    const decoder = new TextDecoder();
    let waiting: string[] = [];
    let rest = '';
    for await (const piece of response.body ?? []) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      waiting.push(...lines);
      if (waiting.length < ROWS_A_COMMIT) continue;
      write(waiting);
      waiting = [];
    }
    write(waiting);
    db.exec('CREATE INDEX permit_plate ON permit (plate)');
    return (performance.now() - from) / 1000;
  } finally {
    db.close();
    await sender.stop();
  }
}
