import { normalisePlate } from '@hlid/protocol/plate/plate';
import { MAX_PLATE, MIN_PLATE, type PayAction, type PayState, type StepAt } from './pay-state.ts';
import { backToPlate, dueStep, goTo, plateStep, show } from './trail.ts';

/** A plate as it is typed, and no more than a plate has. */
export function readPlate(text: string): string {
  return normalisePlate(text).slice(0, MAX_PLATE);
}

export function onPlate(state: PayState, step: StepAt<'plate'>, action: PayAction): PayState {
  switch (action.type) {
    case 'typed':
      return show(state, plateStep(readPlate(action.text)));
    case 'find':
      return step.typed.length < MIN_PLATE ? state : show(state, { ...step, sending: true, notice: null });
    case 'refused':
      return show(state, { ...step, sending: false, notice: action.fault });
    case 'found': {
      const { plate, stays } = action;
      if (plate !== step.typed || !step.sending) return state;
      const [only, ...others] = stays;
      if (only === undefined) return goTo(state, { at: 'not-found', plate });
      return others.length > 0 ? goTo(state, { at: 'choose', plate, stays }) : pick(state, plate, only);
    }
    default:
      return state;
  }
}

export function onChoose(state: PayState, step: StepAt<'choose'>, action: PayAction): PayState {
  return action.type === 'pick' ? pick(state, step.plate, action.stay) : state;
}

export function onQuestion(state: PayState, step: StepAt<'question'>, action: PayAction): PayState {
  switch (action.type) {
    case 'pick':
      return goTo(state, dueStep(step.stay.key));
    case 'not-mine':
      // Only an exit that waits for it can open; otherwise the plate is typed again.
      return step.stay.doubtful
        ? show(state, { ...step, sending: true, notice: null })
        : backToPlate(state, null);
    case 'exit-opens':
      return show(state, { at: 'exit-opens' });
    case 'refused':
      if (action.fault === 'expired') return backToPlate(state, 'expired');
      return show(state, { ...step, sending: false, notice: action.fault });
    default:
      return state;
  }
}

export function onProof(state: PayState, step: StepAt<'proof'>, action: PayAction): PayState {
  switch (action.type) {
    case 'entry-time':
      return show(state, { ...step, day: action.day, time: action.time, notice: null });
    case 'send':
      return step.time === '' ? state : show(state, { ...step, sending: true, notice: null });
    case 'refused':
      if (action.fault === 'expired') return backToPlate(state, 'expired');
      return show(state, { ...step, sending: false, notice: action.fault });
    case 'proved':
      // The proved stay has a separate key, which shows more.
      return { ...state, step: dueStep(action.stay.key), trail: state.trail.slice(0, -1) };
    default:
      return state;
  }
}

function pick(state: PayState, plate: string, stay: Parameters<typeof dueOrQuestion>[1]): PayState {
  return goTo(state, dueOrQuestion(plate, stay));
}

function dueOrQuestion(plate: string, stay: StepAt<'question'>['stay']): StepAt<'question'> | StepAt<'due'> {
  if (stay.match === 'equal' && !stay.doubtful) return dueStep(stay.key);
  return { at: 'question', plate, stay, sending: false, notice: null };
}
