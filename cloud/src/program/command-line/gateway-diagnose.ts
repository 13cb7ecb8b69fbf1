import { systemClock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { defineCommand, EXIT } from '@hlid/protocol/command-line/command';
import { readConfig } from '../../platform/config.ts';

export const gatewayDiagnose = defineCommand({
  name: 'gateway diagnose',
  summary: 'Test the card gateways of the configuration: addresses, keys and contracts',
  about: 'No money moves. It can run beside the cloud.',
  examples: ['gateway diagnose', 'gateway diagnose --json'],
  async run({ json }, { environment, print }) {
    const config = readConfig(environment);
    // Help need not load the adapters' libraries.
    const { CardGateways } = await import('../../platform/card-gateways/card-gateways.ts');
    const { cardGateways, cardGateway, dataDir } = config;
    const log = createLog('cloud', 'silent');
    const gateways = new CardGateways(cardGateways, cardGateway, { clock: systemClock, log, dataDir });
    const found = [];
    for (const id of gateways.ids()) {
      const gateway = gateways.get(id);
      if (gateway !== null) found.push({ id, kind: gateway.kind, ...(await gateway.diagnose()) });
    }
    const ok = found.length > 0 && found.every(({ problem }) => problem === null);
    if (json) print(JSON.stringify({ ok, usual: cardGateway, gateways: found }));
    else if (found.length === 0) print('No card gateway is configured: see cardGateways in cloud.yaml.');
    for (const { id, kind, problem, lines } of json ? [] : found) {
      print(`${id} (${kind}${id === cardGateway ? ', the usual one' : ''}): ${problem ?? 'all is well'}`);
      for (const line of lines) print(`  ${line}`);
    }
    return ok ? EXIT.done : EXIT.failed;
  },
});
