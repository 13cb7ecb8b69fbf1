import type { Program } from '@hlid/protocol/command-line/program';
import { VERSION } from '@hlid/protocol/version';
import { chargebacksImport } from './chargebacks-import.ts';
import { configCheck } from './config-check.ts';
import { gatewayDiagnose } from './gateway-diagnose.ts';
import { runCloud } from './run-cloud.ts';

/** `npm run cloud`: the cloud, and its operator's tools. */
export const CLOUD_PROGRAM: Program = {
  software: `hlid-cloud/${VERSION}`,
  title: 'the cloud of all car parks, and its operator’s tools',
  typed: 'npm run -s cloud --',
  commands: [runCloud, configCheck, gatewayDiagnose, chargebacksImport],
  environment: [
    ['HLID_DATA_DIR', 'where it keeps its database and pictures (./data)'],
    ['HLID_CLOUD_CONFIG', 'its configuration (cloud.yaml in the data folder; there need not be one)'],
    ['HLID_CLOUD_PORT', 'of the API and the console (8080); 0 is any free one'],
    ['HLID_MQTT_PORT', 'of the broker inside, for sites (1883); 0 is any free one'],
    ['HLID_LOG_LEVEL', 'fatal, error, warn, info (usual), debug, trace or silent'],
    ['HLID_OPERATOR_ID', 'the first operator, with HLID_OPERATOR_PASSWORD'],
    ['HLID_OPERATOR_PASSWORD', 'made up and shown once where it is not set'],
    ['HLID_API_KEY', 'made up and shown once where it is not set'],
    ['HLID_PUBLIC_URL', 'where people reach the cloud, for links in mails'],
    ['HLID_SITE_MQTT_URL', 'where sites reach the broker'],
    ['HLID_SMTP_URL', 'the mail server; without one, mail is kept and shown'],
    ['HLID_MAIL_FROM', 'the sender of mails'],
    ['HLID_DATABASE_URL', 'a libSQL server, in place of the database in the data folder'],
    ['HLID_DATABASE_TOKEN', 'of that server'],
    ['HLID_BROKER_URL', 'an MQTT broker, in place of the one inside'],
    ['HLID_ELECTRONIC_ID_SECRET', 'the client secret at the provider of electronic identities'],
    ['HLID_ELECTRONIC_ID_KEY', 'the private RSA key for it, in PEM (audkenni-ciba)'],
    ['HLID_TRUSTED_PROXIES', 'addresses or networks of proxies before the cloud, with commas between'],
  ],
};
