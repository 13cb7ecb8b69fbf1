import { CARD_SCRIPTS, type Script } from '../src/platform/card-gateways/testing2/scripted-gateway.ts';

/** The number of the card for which the test gateway plays a script. */
export function scriptedCard(script: Script): string {
  const ending = Object.entries(CARD_SCRIPTS).find(([, name]) => name === script)?.[0] ?? '0000';
  return script === 'approve' ? '4111111111111111' : `400000000000${ending}`;
}
