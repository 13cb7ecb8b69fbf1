import { defineCommand, EXIT } from '@hlid/protocol/command-line/command';
import { hashPin, makePin } from '../base/pin-hash.ts';
import type { Shell } from './shell.ts';

export const pinNew = defineCommand({
  name: 'pin new',
  summary: 'Make a PIN for people on site, and its line for the configuration',
  about: 'Changes nothing. The configuration has only the hash: write the PIN down for those who need it.',
  examples: ['pin new'],
  async run({ json }, { print }: Shell) {
    const pin = makePin();
    const hash = await hashPin(pin);
    if (json) print(JSON.stringify({ pin, hash }));
    else for (const line of [`The PIN is ${pin}.`, `onSite: { pin: "${hash}" }`]) print(line);
    return EXIT.done;
  },
});
