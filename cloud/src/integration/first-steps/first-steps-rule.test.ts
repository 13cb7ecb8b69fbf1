import { describe, expect, it } from 'vitest';
import { type FirstStepFacts, firstSteps } from './first-steps-rule.ts';

const EMPTY: FirstStepFacts = {
  hasSecondFactor: false,
  mail: 'absent',
  backup: 'absent',
  site: null,
  hasProduct: false,
  hasAccessPoint: null,
  hasColleague: false,
};
const COMPLETE: FirstStepFacts = {
  hasSecondFactor: true,
  mail: 'works',
  backup: 'works',
  site: { hasSeller: true, isOpen: true },
  hasProduct: true,
  hasAccessPoint: true,
  hasColleague: true,
};

const statesOf = (facts: FirstStepFacts) =>
  Object.fromEntries(firstSteps(facts).map(({ step, state }) => [step, state]));

describe('first steps', () => {
  it('are all open in an empty installation, in order; what is about a site waits for one', () => {
    expect(firstSteps(EMPTY)).toEqual([
      { step: 'second-factor', state: 'to-do' },
      { step: 'mail', state: 'to-do' },
      { step: 'backup', state: 'to-do' },
      { step: 'site', state: 'to-do' },
      { step: 'seller', state: 'waiting' },
      { step: 'prices', state: 'to-do' },
      { step: 'opening', state: 'waiting' },
      { step: 'colleague', state: 'to-do' },
    ]);
  });

  it('are all done at the end', () => {
    expect(new Set(Object.values(statesOf(COMPLETE)))).toEqual(new Set(['done']));
  });

  it.each([
    ['second-factor', { hasSecondFactor: false }, 'to-do'],
    ['mail', { mail: 'untried' }, 'waiting'],
    ['mail', { mail: 'failing' }, 'failing'],
    ['backup', { backup: 'failing' }, 'failing'],
    ['backup', { backup: null }, undefined],
    ['second-factor', { hasSecondFactor: null }, undefined],
    ['seller', { site: { hasSeller: false, isOpen: true } }, 'to-do'],
    ['opening', { site: { hasSeller: true, isOpen: false } }, 'to-do'],
    ['prices', { hasProduct: false }, 'to-do'],
    ['access-point', { hasAccessPoint: false }, 'to-do'],
    ['access-point', { hasAccessPoint: null }, undefined],
    ['colleague', { hasColleague: false }, 'to-do'],
  ] as const)('%s with %o is %s, and nothing else changes', (step, change, state) => {
    const { [step]: changed, ...others } = statesOf({ ...COMPLETE, ...change });
    expect(changed).toBe(state);
    expect(new Set(Object.values(others))).toEqual(new Set(['done']));
  });
});
