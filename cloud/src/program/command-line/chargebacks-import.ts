import { readFileSync } from 'node:fs';
import { nowUtc, systemClock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { messageOf } from '@hlid/protocol/base/fault';
import { defineCommand, EXIT, flag, operand, textOption } from '@hlid/protocol/command-line/command';
import { readConfig } from '../../platform/config.ts';
import { englishLines } from '../../platform/refused.ts';

export const chargebacksImport = defineCommand({
  name: 'chargebacks import',
  operand: operand('FILE', ', a CSV file of the provider'),
  options: {
    gateway: textOption('ID', 'the gateway of its payments; the usual one where it is not given'),
    'dry-run': flag('only report what each line would come to'),
  },
  summary: 'Record the chargebacks of a provider’s file',
  about:
    'The columns are those of POST /payments/chargebacks. The same file once more changes nothing. It can run beside the cloud.',
  examples: [
    'chargebacks import disputes.csv --dry-run',
    'chargebacks import disputes.csv --gateway valitor-pay',
  ],
  async run({ json, operand: path, options }, { environment, print, complain }) {
    const config = readConfig(environment);
    const known = config.cardGateways.map(({ id }) => id);
    const gatewayId = options.gateway ?? config.cardGateway;
    if (gatewayId === null || !known.includes(gatewayId)) {
      complain(`name one of the gateways with --gateway: ${known.join(', ') || 'none is configured'}`);
      return EXIT.wrongUsage;
    }
    let file: string;
    try {
      file = readFileSync(path, 'utf8');
    } catch (error) {
      complain(`${path} cannot be read: ${messageOf(error)}`);
      return EXIT.wrongUsage;
    }
    // Help need not load the database.
    const [{ openDatabase }, { importChargebacks }, { cloudActor }] = await Promise.all([
      import('../../platform/db/open-database.ts'),
      import('../../paying/online-payments/chargebacks/import-chargebacks.ts'),
      import('../../people/audit/audit.ts'),
    ]);
    const db = await openDatabase(config, createLog('cloud', 'silent'));
    const dryRun = options['dry-run'];
    try {
      const actor = cloudActor('command-line', nowUtc(systemClock));
      const done = await importChargebacks(db, actor, file, { gatewayId, dryRun });
      if (!done.ok) {
        for (const line of englishLines(done.mistakes)) complain(line);
        return EXIT.failed;
      }
      const ok = done.lines.every(({ outcome }) => outcome !== 'refused');
      if (json) print(JSON.stringify({ ok, dryRun, lines: done.lines }));
      for (const line of json ? [] : done.lines) {
        const why = line.outcome === 'refused' ? ` (${englishLines(line.mistakes).join('; ')})` : '';
        print(`line ${line.line}: ${line.reference ?? 'cannot be read'}: ${line.outcome}${why}`);
      }
      return ok ? EXIT.done : EXIT.failed;
    } finally {
      await db.close();
    }
  },
});
