import type { Language } from '@hlid/protocol/base/language';
import type { PaySite } from '@hlid/protocol/pages/pay-api';
import { onChoose, onPlate, onProof, onQuestion, readPlate } from './find-steps.ts';
import { MIN_PLATE, type PayAction, type PayState, type Step, type Unfinished } from './pay-state.ts';
import { onAgain, onCard, onDays, onDue, onPaid, onPay } from './pay-steps.ts';
import { dueStep, goTo, plateStep, show } from './trail.ts';

/** The parameters of the page's address. */
interface FirstAddress {
  siteCode: string | null;
  link: string | null;
  plate?: string | null | undefined;
}

/**
 * The page's first step.
 *
 * @param language null: the browser has none of our languages, so the site's language counts
 * @param paid the payment with the result that was shown when the page was reloaded
 */
export function firstState(
  language: Language | null,
  address: FirstAddress,
  unfinished: Unfinished | null,
  paid: string | null = null,
): PayState {
  return {
    language: unfinished?.language ?? language ?? 'en',
    followsSite: unfinished === null && language === null,
    site: null,
    online: true,
    step: firstStep(address, unfinished, paid),
    trail: [],
  };
}

function firstStep(
  { siteCode, link, plate = null }: FirstAddress,
  unfinished: Unfinished | null,
  paid: string | null,
): Step {
  if (unfinished) return { at: 'pay', order: unfinished.order, payment: null, form: null, cancelling: false };
  if (paid !== null) return { at: 'again', payment: paid };
  return siteCode === null && link === null
    ? { at: 'sites', sites: null }
    : { at: 'loading', plate: readPlate(plate ?? '') };
}

/** The state of the page after an action. An answer to a step that is over changes nothing. */
export function nextState(state: PayState, action: PayAction): PayState {
  switch (action.type) {
    case 'language':
      return { ...state, language: action.language, followsSite: false };
    case 'online':
      return state.online === action.online ? state : { ...state, online: action.online };
    case 'site':
      return onSite(atSite(state, action.site));
    case 'opened':
      return goTo({ ...atSite(state, action.site), step: plateStep('') }, dueStep(action.stay.key));
    case 'back':
      return goBack(state);
    case 'show-paid':
      return goTo(state, { at: 'again', payment: action.payment });
    case 'start-over':
      return { ...state, step: plateStep(''), trail: [] };
    default:
      return onStep(state, action);
  }
}

function atSite(state: PayState, site: PaySite): PayState {
  return { ...state, site, language: state.followsSite ? site.language : state.language };
}

function onSite(state: PayState): PayState {
  if (state.step.at !== 'loading') return state;
  const { plate } = state.step;
  // The exit's code has it: the driver sees at once what is due.
  return show(state, { ...plateStep(plate), sending: plate.length >= MIN_PLATE });
}

function onStep(state: PayState, action: PayAction): PayState {
  const { step } = state;
  switch (step.at) {
    case 'loading':
      return action.type === 'refused' ? show(state, { at: 'no-site', fault: action.fault }) : state;
    case 'again':
      return onAgain(state, step, action);
    case 'sites':
      return onSites(state, action);
    case 'plate':
      return onPlate(state, step, action);
    case 'choose':
      return onChoose(state, step, action);
    case 'question':
      return onQuestion(state, step, action);
    case 'proof':
      return onProof(state, step, action);
    case 'due':
      return onDue(state, step, action);
    case 'days':
      return onDays(state, step, action);
    case 'card':
      return onCard(state, step, action);
    case 'pay':
      return onPay(state, step, action);
    case 'paid':
      return onPaid(state, step, action);
    case 'no-site':
    case 'not-found':
    case 'exit-opens':
      return state;
    default:
      return step satisfies never;
  }
}

function onSites(state: PayState, action: PayAction): PayState {
  if (action.type === 'sites') return show(state, { at: 'sites', sites: action.sites });
  return action.type === 'refused' ? show(state, { at: 'no-site', fault: action.fault }) : state;
}

/** A payment that has begun is left by cancelling it, and a paid stay by starting over. */
const NO_WAY_BACK: readonly Step['at'][] = ['pay', 'paid', 'exit-opens'];

function goBack(state: PayState): PayState {
  const before = state.trail.at(-1);
  if (before === undefined || NO_WAY_BACK.includes(state.step.at)) return state;
  return { ...state, step: before, trail: state.trail.slice(0, -1) };
}
