import type { Permit } from '@hlid/protocol/records/whitelist';

/** Characters that no camera takes for each other. */
const LETTERS = 'ACEFHJKMNPRTUVWXY3479';
const LENGTH = 7;

/** The plate of a number: each its own, and no two that follow on each other alike. */
export function plateOf(number: number): string {
  let rest = (number * 2_654_435_761) % LETTERS.length ** LENGTH;
  let plate = '';
  for (let place = 0; place < LENGTH; place++) {
    plate += LETTERS[rest % LETTERS.length];
    rest = Math.floor(rest / LETTERS.length);
  }
  return plate;
}

/** A permit that holds for ever, for the plate of its number; their ids ascend. */
export function benchPermit(number: number): Permit {
  return {
    id: `01933333-7777-7777-8777-${number.toString(16).padStart(12, '0')}`,
    plate: plateOf(number),
    effect: 'allow',
    type: 'permanent',
    visitId: null,
    activeFrom: null,
    expireAt: null,
    status: 'active',
    rules: [],
  };
}
