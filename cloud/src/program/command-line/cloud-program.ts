import { backupCommands } from '@hlid/node/backup/backup-commands';
import { databaseCommands } from '@hlid/node/migration/database-commands';
import type { Program } from '@hlid/protocol/command-line/command';
import { SOFTWARE } from '../../platform/software.ts';
import { BACKED_UP_CLOUD, MIGRATED_CLOUD } from './backup-plan.ts';
import { chargebacksImport } from './chargebacks-import.ts';
import { configCheck } from './config-check.ts';
import { factorsRemove } from './factors-remove.ts';
import { gatewayDiagnose } from './gateway-diagnose.ts';
import { report } from './report.ts';
import { runCloud } from './run-cloud.ts';
import { totalsRecount } from './totals-recount.ts';
import { UPGRADE_COMMANDS } from './upgrade-commands.ts';

/** `npm run cloud`: the cloud, and its operator's tools. */
export const CLOUD_PROGRAM: Program = {
  software: SOFTWARE,
  title: 'the cloud of all car parks, and its operator’s tools',
  typed: 'npm run -s cloud --',
  commands: [
    runCloud,
    configCheck,
    gatewayDiagnose,
    chargebacksImport,
    factorsRemove,
    totalsRecount,
    ...UPGRADE_COMMANDS,
    ...backupCommands(BACKED_UP_CLOUD),
    ...databaseCommands(MIGRATED_CLOUD),
    report,
  ],
  environment: [
    ['HLID_DATA_DIR', 'folder of its database and pictures (./data)'],
    ['HLID_CLOUD_CONFIG', 'its configuration, optional (cloud.yaml in the data folder)'],
    ['HLID_CLOUD_PORT', 'port of the API (8080); 0: any free port'],
    ['HLID_MQTT_PORT', 'port of its own broker, for sites (1883); 0: any free port'],
    ['HLID_MONITOR_PORT', 'port of its health and metrics, on 127.0.0.1 (none); 0: any free port'],
    ['HLID_LOG_LEVEL', 'fatal, error, warn, info (default), debug, trace or silent'],
    ['HLID_OPERATOR_ID', 'the first operator, with HLID_OPERATOR_PASSWORD'],
    ['HLID_OPERATOR_PASSWORD', 'generated and shown once if it is not set'],
    ['HLID_API_KEY', 'generated and shown once if it is not set'],
    ['HLID_PUBLIC_URL', 'public address of the cloud, for links in mails'],
    ['HLID_SITE_MQTT_URL', 'address of the broker for sites'],
    ['HLID_SMTP_URL', 'the mail server; without one, mails wait in the queue'],
    ['HLID_MAIL_FROM', 'the sender of mails'],
    ['HLID_DATABASE_URL', 'a libSQL server, instead of the database in the data folder'],
    ['HLID_DATABASE_TOKEN', 'the token of that server'],
    ['HLID_DATABASE_REPLICA_URL', 'a replica of that server, for reports'],
    ['HLID_BROKER_URL', 'an external MQTT broker, instead of its own'],
    ['HLID_ELECTRONIC_ID_SECRET', 'the client secret at the provider of electronic identities'],
    ['HLID_ELECTRONIC_ID_KEY', 'the private RSA key for it, in PEM (audkenni-ciba)'],
    ['HLID_TRUSTED_PROXIES', 'addresses or networks of proxies in front of the cloud, comma-separated'],
    ['HLID_TRAINER_URL', 'the simulator of a training installation; unset where car parks are real'],
  ],
};
