import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createApp } from '../app.ts';
import { systemClock } from '../clock.ts';
import { openDb } from '../db/libsql-db.ts';
import { openApiText } from './openapi-document.ts';

/** `npm run -w cloud openapi`: writes the checked-in document from the routes as they are. */
const folder = mkdtempSync(join(tmpdir(), 'hlid-openapi-'));
const db = await openDb(join(folder, 'cloud.db'));
try {
  const app = createApp({ db, log: pino({ level: 'silent' }), clock: systemClock });
  writeFileSync(fileURLToPath(new URL('../../openapi.json', import.meta.url)), openApiText(app));
} finally {
  await db.close();
  rmSync(folder, { recursive: true });
}
