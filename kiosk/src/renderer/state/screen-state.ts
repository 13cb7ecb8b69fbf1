import { DEFAULT_LANGUAGE, type Language } from '@hlid/protocol/base/language';
import type { KioskSite } from '@hlid/protocol/pages/kiosk-api';
import { onCode, onDays, onDue, onNamePlate, onPhone } from './due-state.ts';
import { onBrowse, onChoose, onNotFound, onPlate, onQuestion } from './find-state.ts';
import {
  isCallOpen,
  type KioskAction,
  type KioskState,
  type ScreenAction,
  type Unfinished,
} from './kiosk-state.ts';
import { onPay } from './pay-state.ts';
import { onMail, onReceipt } from './receipt-state.ts';
import { atStart, browseScreen, goBack, goTo, payScreen, plateScreen } from './trail.ts';

export function firstState(
  unfinished: Unfinished | null = null,
  site: KioskState['site'] = null,
): KioskState {
  return {
    language: unfinished?.language ?? siteLanguage(site),
    site,
    edge: site ? 'here' : 'looking',
    screen: unfinished ? payScreen(unfinished.request) : { at: 'start' },
    trail: [],
    helping: false,
    call: null,
    largeText: false,
    speaks: false,
    idleSeconds: null,
  };
}

/** The kiosk's next state. An answer to a request that was given up changes nothing. */
export function nextState(state: KioskState, action: KioskAction): KioskState {
  switch (action.type) {
    case 'language':
      return { ...state, language: action.language };
    case 'site':
      return { ...state, site: action.site, edge: 'here', language: languageAt(state, action.site) };
    case 'edge-lost':
      return { ...state, edge: 'lost' };
    case 'large-text':
      return { ...state, largeText: action.large };
    case 'speech':
      return { ...state, speaks: action.on };
    case 'help':
      // A call that has ended is not shown to the next person.
      return { ...state, helping: action.open, call: isCallOpen(state) ? state.call : null };
    case 'call': {
      const visitId = state.screen.at === 'due' ? state.screen.visitId : null;
      return { ...state, call: { wanted: action.wanted, visitId, state: 'calling', name: null } };
    }
    case 'call-state':
      if (state.call?.wanted !== action.wanted) return state;
      return { ...state, call: { ...state.call, state: action.state, name: action.name } };
    case 'idle':
      return state.idleSeconds === action.seconds ? state : { ...state, idleSeconds: action.seconds };
    case 'idle-over':
      if (isCallOpen(state)) return state;
      // The next driver is another person.
      return {
        ...atStart(state),
        call: null,
        language: siteLanguage(state.site),
        largeText: false,
        speaks: false,
      };
    case 'start-over':
      return atStart(state);
    case 'back':
      return goBack(state);
    default:
      return onScreen(state, action);
  }
}

function siteLanguage(site: KioskState['site']): Language {
  return site?.language ?? DEFAULT_LANGUAGE;
}

/** The kiosk follows its site's language at the start, until a driver chooses another. */
function languageAt({ screen, site, language }: KioskState, now: KioskSite): Language {
  return screen.at === 'start' && language === siteLanguage(site) ? now.language : language;
}

function onScreen(state: KioskState, action: ScreenAction): KioskState {
  const { screen } = state;
  switch (screen.at) {
    case 'start':
      if (action.type === 'begin') return goTo(state, plateScreen(''));
      return action.type === 'browse' ? goTo(state, browseScreen()) : state;
    case 'plate':
      return onPlate(state, screen, action);
    case 'choose':
      return onChoose(state, screen, action);
    case 'question':
      return onQuestion(state, screen, action);
    case 'not-found':
      return onNotFound(state, screen, action);
    case 'browse':
      return onBrowse(state, screen, action);
    case 'name-plate':
      return onNamePlate(state, screen, action);
    case 'due':
      return onDue(state, screen, action);
    case 'phone':
      return onPhone(state, screen, action);
    case 'code':
      return onCode(state, screen, action);
    case 'days':
      return onDays(state, screen, action);
    case 'pay':
      return onPay(state, screen, action);
    case 'receipt':
      return onReceipt(state, screen, action);
    case 'mail':
      return onMail(state, screen, action);
    case 'leave':
      return state;
    default:
      return screen satisfies never;
  }
}
