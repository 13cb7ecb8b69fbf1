/** The steps of a new installation, in the order in which people do them. */
export const FIRST_STEPS = [
  'second-factor',
  'mail',
  'backup',
  'site',
  'seller',
  'prices',
  'access-point',
  'opening',
  'colleague',
] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** `waiting`: something else has to happen first. `failing`: it is set up, and does not work. */
export const FIRST_STEP_STATES = ['to-do', 'waiting', 'done', 'failing'] as const;
type FirstStepState = (typeof FIRST_STEP_STATES)[number];

/** How something that the configuration sets up works. `untried`: nothing has shown it yet. */
export type Equipment = 'absent' | 'untried' | 'works' | 'failing';

export interface FirstStepFacts {
  /** Null: who asks has no login of their own. */
  hasSecondFactor: boolean | null;
  mail: Equipment;
  /** Null: a database server is backed up by its own means. */
  backup: Equipment | null;
  /** The first site; null: there is none. */
  site: { hasSeller: boolean; isOpen: boolean } | null;
  hasProduct: boolean;
  /** Whether electronic invoices can leave; null: there are none. */
  hasAccessPoint: boolean | null;
  hasColleague: boolean;
}

export interface FirstStepOutcome {
  step: FirstStep;
  state: FirstStepState;
}

/** The state of each step. A step that does not apply is not there. */
export function firstSteps(facts: FirstStepFacts): FirstStepOutcome[] {
  const { hasSecondFactor, mail, backup, site, hasProduct, hasAccessPoint, hasColleague } = facts;
  const states: Readonly<Record<FirstStep, FirstStepState | null>> = {
    'second-factor': hasSecondFactor === null ? null : doneIf(hasSecondFactor),
    mail: equipped(mail),
    backup: backup === null ? null : equipped(backup),
    site: doneIf(site !== null),
    seller: site === null ? 'waiting' : doneIf(site.hasSeller),
    prices: doneIf(hasProduct),
    'access-point': hasAccessPoint === null ? null : doneIf(hasAccessPoint),
    opening: site === null ? 'waiting' : doneIf(site.isOpen),
    colleague: doneIf(hasColleague),
  };
  return FIRST_STEPS.flatMap((step) => {
    const state = states[step];
    return state === null ? [] : [{ step, state }];
  });
}

function doneIf(isDone: boolean): FirstStepState {
  return isDone ? 'done' : 'to-do';
}

const EQUIPPED: Readonly<Record<Equipment, FirstStepState>> = {
  absent: 'to-do',
  untried: 'waiting',
  works: 'done',
  failing: 'failing',
};

function equipped(equipment: Equipment): FirstStepState {
  return EQUIPPED[equipment];
}
