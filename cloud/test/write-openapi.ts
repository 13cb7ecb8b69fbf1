import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@hlid/node/clock';
import { pino } from 'pino';
import { openApiText } from '../src/integration/docs/openapi-document.ts';
import { AccessPoints } from '../src/platform/access-points/access-points.ts';
import { Banks } from '../src/platform/banks/banks.ts';
import { CommandSender } from '../src/platform/broker/command-sender.ts';
import { SiteBoards } from '../src/platform/broker/site-boards.ts';
import { CardGateways } from '../src/platform/card-gateways/card-gateways.ts';
import { readConfig } from '../src/platform/config.ts';
import { openDb } from '../src/platform/db/libsql-db.ts';
import { remoteScans } from '../src/platform/db/scans.ts';
import { createApp } from '../src/program/app.ts';
import { scanJob } from '../src/program/scans/scan-jobs.ts';
import { openPackages } from '../src/sites/rollouts/package-files.ts';
import { pictureFiles } from '../src/stays/photos/storage/open-pictures.ts';
import { TestBus } from './bus.ts';

/** `npm run -w @hlid/cloud openapi`: writes the checked-in document from the routes as they are. */
const log = pino({ level: 'silent' });
const folder = mkdtempSync(join(tmpdir(), 'hlid-openapi-'));
const db = await openDb(join(folder, 'cloud.db'));
try {
  const app = createApp({
    db,
    scans: remoteScans(scanJob, async () => db),
    log,
    clock: systemClock,
    pictures: pictureFiles(join(folder, 'pictures')),
    packages: openPackages({ dataDir: folder, s3: null }),
    commands: new CommandSender({ bus: new TestBus(), clock: systemClock, log }),
    boards: new SiteBoards({ bus: new TestBus(), clock: systemClock, log }),
    cardGateways: new CardGateways([], null, { clock: systemClock, log, dataDir: folder }),
    accessPoints: new AccessPoints(new Map(), null),
    banks: new Banks(new Map()),
    vehicleRegistry: null,
    publicUrl: () => '',
    siteMqttUrl: () => '',
    siteMqttCa: () => null,
    enrolmentMinutes: 60,
    retention: readConfig({ HLID_DATA_DIR: folder }).retention,
    trustedProxies: [],
    allowInternalWebhooks: false,
    electronicId: null,
    testElectronicId: false,
    operatorsNeedSecondFactor: false,
    installation: { sendsMail: false, makesBackups: false, hasDatabaseServer: false },
    trainer: null,
  });
  writeFileSync(fileURLToPath(new URL('../openapi.json', import.meta.url)), openApiText(app));
} finally {
  await db.close();
  rmSync(folder, { recursive: true });
}
