import type { Language } from '@hlid/protocol/language';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import { CardScript } from './calls/card-script.ts';
import { type PageAddress, useCalls } from './calls/use-calls.ts';
import { usePayment } from './calls/use-payment.ts';
import { CardHolder } from './card/card-holder.ts';
import { PayCloud } from './pay-cloud.ts';
import { type Pay, PayContext } from './pay-context.ts';
import { CardScreen } from './screens/card-screen.tsx';
import { DaysScreen, DueScreen } from './screens/due-screen.tsx';
import {
  ChooseScreen,
  ExitOpensScreen,
  LoadingScreen,
  NoSiteScreen,
  NotFoundScreen,
  PlateScreen,
  ProofScreen,
  QuestionScreen,
  SitesScreen,
} from './screens/find-screens.tsx';
import { PaidScreen } from './screens/paid-screen.tsx';
import { PayScreen } from './screens/pay-screen.tsx';
import { nextState } from './state/next-state.ts';
import type { PayState, Step } from './state/pay-state.ts';
import { isOver } from './state/pay-steps.ts';
import { PageFoot, TopBar } from './ui/frame.tsx';
import { writeLanguage, writeUnfinished } from './unfinished.ts';
import { loadWords, wordsOf } from './words/words.ts';

export function App({ first, address }: { first: PayState; address: PageAddress }) {
  const [state, dispatch] = useReducer(nextState, first);
  const tools = useMemo(() => ({ holder: new CardHolder(), script: new CardScript() }), []);
  const cloud = useMemo(() => new PayCloud(), []);
  const { site, step, trail, online } = state;
  const language = useLoadedLanguage(state.language);
  const words = wordsOf(language);

  useRemembered(state, address);
  useCalls({ cloud, state, dispatch }, address);
  usePayment({ cloud, state, dispatch }, tools);
  useHistory(state, () => dispatch({ type: 'back' }));
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = site === null ? words.title : `${words.title} · ${site.name}`;
    writeLanguage(language);
  }, [language, words, site]);

  const pay: Pay = {
    ...{ language, words, site, online, cloud, dispatch, holder: tools.holder },
    canGoBack: trail.length > 0 && step.at !== 'pay',
  };
  return (
    <PayContext value={pay}>
      <TopBar />
      <div role="alert" className="offline">
        {!online && <p>{step.at === 'pay' ? words.offlinePaying : words.offline}</p>}
      </div>
      <Screen step={step} />
      <PageFoot />
    </PayContext>
  );
}

function Screen({ step }: { step: Step }) {
  switch (step.at) {
    case 'loading':
      return <LoadingScreen />;
    case 'no-site':
      return <NoSiteScreen step={step} />;
    case 'sites':
      return <SitesScreen step={step} />;
    case 'plate':
      return <PlateScreen step={step} />;
    case 'choose':
      return <ChooseScreen step={step} />;
    case 'question':
      return <QuestionScreen step={step} />;
    case 'exit-opens':
      return <ExitOpensScreen />;
    case 'not-found':
      return <NotFoundScreen step={step} />;
    case 'due':
      return <DueScreen step={step} />;
    case 'proof':
      return <ProofScreen step={step} />;
    case 'days':
      return <DaysScreen step={step} />;
    case 'card':
      return <CardScreen step={step} />;
    case 'pay':
      return <PayScreen step={step} />;
    case 'paid':
      return <PaidScreen step={step} />;
    default:
      return step satisfies never;
  }
}

/** The language to show: the chosen one as soon as its words are there. */
function useLoadedLanguage(wanted: Language): Language {
  const [shown, show] = useState(wanted);
  useEffect(() => {
    let isWanted = true;
    // Without a line the page stays in the language that it has.
    void loadWords(wanted)
      .then(() => isWanted && show(wanted))
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [wanted]);
  return shown;
}

/** Stores the payment that is in progress before its order is sent: the battery may be empty right after it. */
function useRemembered({ step, site, language }: PayState, address: PageAddress): void {
  const siteCode = site?.code ?? address.siteCode;
  const isOpen = step.at === 'pay' && !(step.payment && isOver(step.payment));
  const wish = isOpen ? step.wish : null;
  // Before the effects that call the cloud.
  useLayoutEffect(() => {
    writeUnfinished(wish && siteCode !== null ? { wish, siteCode, language } : null);
  }, [wish, siteCode, language]);
}

/** The telephone's own way back goes back a step; while a payment is in progress it does nothing. */
function useHistory({ trail }: PayState, goBack: () => void): void {
  const depth = trail.length;
  const entries = useRef(0);
  const back = useRef(goBack);
  back.current = goBack;
  useEffect(() => {
    for (; entries.current < depth; entries.current++) history.pushState(null, '');
  }, [depth]);
  useEffect(() => {
    const onPop = () => {
      entries.current = Math.max(0, entries.current - 1);
      back.current();
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
}
