import type { Notice, PayState, Step, StepAt } from './pay-state.ts';

/** Shows another step in the place of this one. */
export function show(state: PayState, step: Step): PayState {
  return { ...state, step };
}

/** Goes on to a step, from which there is a way back. */
export function goTo(state: PayState, step: Step): PayState {
  return { ...state, step, trail: [...state.trail, atRest(state.step)] };
}

/** Goes back to the plate, as typed before. */
export function backToPlate(state: PayState, notice: Notice | null): PayState {
  const plate = state.trail.find((step) => step.at === 'plate');
  return { ...state, step: plateStep(plate?.typed ?? '', notice), trail: [] };
}

export function plateStep(typed: string, notice: Notice | null = null): StepAt<'plate'> {
  return { at: 'plate', typed, sending: false, notice };
}

export function dueStep(stay: string, notice: Notice | null = null): StepAt<'due'> {
  return { at: 'due', stay, due: null, changed: false, notice };
}

/** A step as it is returned to: nothing is sent again, and no old notice is shown. */
function atRest(step: Step): Step {
  if ('sending' in step) return { ...step, sending: false, notice: null };
  return 'notice' in step ? { ...step, notice: null } : step;
}
