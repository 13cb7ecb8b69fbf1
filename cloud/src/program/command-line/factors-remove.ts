import { nowUtc, systemClock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { defineCommand, EXIT, operand, textOption } from '@hlid/protocol/command-line/command';
import { readConfig } from '../../platform/config.ts';

export const factorsRemove = defineCommand({
  name: 'factors remove',
  operand: operand('LOGIN', ', as its holder types it'),
  options: { reason: textOption('TEXT', 'why, for the audit log') },
  summary: 'Remove the second factors of a login whose holder has lost them all',
  about:
    'Passkeys, codes by time and recovery codes are removed, and the sessions of the login end. Its password opens it ' +
    'again; an operator who needs a second factor sets one up then. Where another operator with the permission people ' +
    'can log in, they remove the factors in the console. It can run beside the cloud.',
  examples: ['factors remove operator', 'factors remove anna@example.is --reason "lost telephone"'],
  async run({ json, operand: login, options }, { environment, print, complain }) {
    const config = readConfig(environment);
    // Help need not load the database.
    const [{ openDatabase }, { removeAllFactors }, { cloudActor }] = await Promise.all([
      import('../../platform/db/open-database.ts'),
      import('../../people/accounts/remove-all-factors.ts'),
      import('../../people/audit/audit.ts'),
    ]);
    const db = await openDatabase(config, createLog('cloud', 'silent'));
    try {
      const actor = cloudActor('command-line', nowUtc(systemClock));
      const removed = await removeAllFactors(db, actor, login, options.reason ?? null);
      if (removed === null) {
        complain(`there is no login "${login}"`);
        return EXIT.failed;
      }
      const { passkeys, totp, recoveryCodes, sessions } = removed;
      if (json) print(JSON.stringify({ ok: true, ...removed }));
      else {
        const codes = `codes by time ${totp ? 'yes' : 'no'}, recovery codes ${recoveryCodes}`;
        print(`Removed of ${login}: passkeys ${passkeys}, ${codes}. Sessions ended: ${sessions}.`);
        print('Its password opens it now. Log in at once and set up a second factor.');
      }
      return EXIT.done;
    } finally {
      await db.close();
    }
  },
});
