import { DEFAULT_LANGUAGE, LANGUAGES } from '@hlid/protocol/base/language';
import type { KioskSite } from '@hlid/protocol/pages/kiosk-api';
import { useLoadedLanguage } from '@hlid/ui/dictionary';
import { keepPageFresh } from '@hlid/ui/fresh-page';
import { useEffect, useReducer } from 'react';
import { useAnswers } from './follow/use-answers.ts';
import { useHelpCall } from './follow/use-help-call.ts';
import { useIdle } from './follow/use-idle.ts';
import { usePayment } from './follow/use-payment.ts';
import { useScreenPicture } from './follow/use-screen-picture.ts';
import { useSite } from './follow/use-site.ts';
import { KioskContext } from './kiosk-context.ts';
import type { KioskEdge } from './kiosk-edge.ts';
import { BrowseScreen } from './screens/browse-screen.tsx';
import { ChooseScreen } from './screens/choose-screen.tsx';
import { CodeScreen } from './screens/code-screen.tsx';
import { DaysScreen } from './screens/days-screen.tsx';
import { DueScreen } from './screens/due-screen.tsx';
import { LeaveScreen } from './screens/leave-screen.tsx';
import { LostScreen } from './screens/lost-screen.tsx';
import { MailScreen } from './screens/mail-screen.tsx';
import { NamePlateScreen } from './screens/name-plate-screen.tsx';
import { NotFoundScreen } from './screens/not-found-screen.tsx';
import { PayScreen } from './screens/pay-screen.tsx';
import { PhoneScreen } from './screens/phone-screen.tsx';
import { PlateScreen } from './screens/plate-screen.tsx';
import { QuestionScreen } from './screens/question-screen.tsx';
import { ReceiptScreen } from './screens/receipt-screen.tsx';
import { StartScreen } from './screens/start-screen.tsx';
import { useSpeech } from './speech/use-speech.ts';
import { isCallOpen, type KioskState, type Screen } from './state/kiosk-state.ts';
import { dueBefore, isWorking } from './state/pay-state.ts';
import { nextState } from './state/screen-state.ts';
import { HelpPanel } from './ui/help-panel.tsx';
import { IdleNotice } from './ui/idle-notice.tsx';
import { writeUnfinished } from './unfinished.ts';
import { DICTIONARY, wordsOf } from './words/words.ts';

/** The site of a kiosk before the edge has reported it. */
const NO_SITE: KioskSite = {
  name: '',
  timeZone: 'UTC',
  currency: 'ISK',
  terminal: null,
  cloudConnected: false,
  exitGraceMinutes: 0,
  helpPhone: null,
  payOnline: null,
  language: DEFAULT_LANGUAGE,
  entryDays: 1,
};

/** `first`: its language is loaded. */
export function App({ edge, first }: { edge: KioskEdge; first: KioskState }) {
  const [state, dispatch] = useReducer(nextState, first);
  const { screen, largeText } = state;
  const site = state.site ?? NO_SITE;
  const language = useLoadedLanguage(DICTIONARY, state.language, LANGUAGES);
  const words = wordsOf(language);

  useSite(edge, state.edge !== 'here', dispatch);
  useScreenPicture(edge, site.picture ?? null);
  useAnswers({ edge, screen, language, timeZone: site.timeZone, dispatch });
  usePayment(edge, screen, language, dispatch);
  useHelpCall(edge, state.call, language, dispatch);
  useIdle(state, dispatch);
  useSpeech(state.speaks, { language, instructions: words.speech }, dispatch);

  useEffect(() => {
    document.documentElement.lang = language;
    document.title = words.title;
  }, [language, words]);
  useEffect(() => {
    document.documentElement.dataset['text'] = largeText ? 'large' : 'normal';
  }, [largeText]);
  // The shell reads this: it reloads the page only while the kiosk is idle.
  useEffect(() => {
    document.documentElement.dataset['screen'] = screen.at;
  }, [screen.at]);

  const isUnused = screen.at === 'start' && !state.helping && !state.speaks && !isCallOpen(state);
  useEffect(() => keepPageFresh(() => isUnused), [isUnused]);

  const followed = screen.at === 'pay' && (isWorking(screen) || screen.payment?.state === 'unknown');
  const request = followed ? screen.request : null;
  useEffect(() => writeUnfinished(request && { request, language }), [request, language]);

  return (
    <KioskContext value={{ language, words, site, largeText, speaks: state.speaks, dispatch }}>
      {isOutOfReach(state) ? (
        <LostScreen paying={followed} looking={state.edge === 'looking'} />
      ) : (
        <ScreenNow key={screen.at} screen={screen} trail={state.trail} idleSeconds={state.idleSeconds} />
      )}
      {state.helping && <HelpPanel call={state.call} />}
      {state.idleSeconds !== null && screen.at !== 'leave' && screen.at !== 'start' && (
        <IdleNotice seconds={state.idleSeconds} />
      )}
    </KioskContext>
  );
}

function isOutOfReach({ site, edge, screen }: KioskState): boolean {
  // A driver who may drive out needs no edge for it.
  return site === null || (edge === 'lost' && screen.at !== 'leave');
}

function ScreenNow({
  screen,
  trail,
  idleSeconds,
}: {
  screen: Screen;
  trail: readonly Screen[];
  idleSeconds: number | null;
}) {
  switch (screen.at) {
    case 'start':
      return <StartScreen />;
    case 'plate':
      return <PlateScreen screen={screen} />;
    case 'choose':
      return <ChooseScreen found={screen.found} />;
    case 'question':
      return <QuestionScreen screen={screen} />;
    case 'not-found':
      return <NotFoundScreen plate={screen.plate} />;
    case 'browse':
      return <BrowseScreen screen={screen} />;
    case 'name-plate':
      return <NamePlateScreen screen={screen} />;
    case 'due':
      return <DueScreen screen={screen} />;
    case 'phone':
      return <PhoneScreen screen={screen} />;
    case 'code':
      return <CodeScreen screen={screen} />;
    case 'days':
      return <DaysScreen screen={screen} />;
    case 'pay':
      return <PayScreen screen={screen} hasDue={dueBefore(trail) !== null} />;
    case 'receipt':
      return <ReceiptScreen screen={screen} />;
    case 'mail':
      return <MailScreen screen={screen} />;
    case 'leave':
      return <LeaveScreen screen={screen} idleSeconds={idleSeconds} />;
    default:
      return screen satisfies never;
  }
}
