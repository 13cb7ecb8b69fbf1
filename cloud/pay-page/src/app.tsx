import { useLoadedLanguage } from '@hlid/ui/dictionary';
import { every } from '@hlid/ui/every';
import { keepPageFresh } from '@hlid/ui/fresh-page';
import { useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'react';
import { type PageAddress, useCalls } from './calls/use-calls.ts';
import { useHistory } from './calls/use-history.ts';
import { usePayment } from './calls/use-payment.ts';
import { CardHolder } from './card/card-holder.ts';
import { writePaid } from './paid-record.ts';
import { PayCloud } from './pay-cloud.ts';
import { PageContext, type Pay, PayContext } from './pay-context.ts';
import { CardProviders } from './providers/card-provider.ts';
import type { CardScreen } from './screens/card-screen.tsx';
import type { DaysScreen, DueScreen } from './screens/due-screen.tsx';
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
import type { PaidScreen } from './screens/paid-screen.tsx';
import type { PayScreen } from './screens/pay-screen.tsx';
import { nextState } from './state/next-state.ts';
import type { PayState, Step } from './state/pay-state.ts';
import { isOver } from './state/pay-steps.ts';
import { PageFoot, TopBar } from './ui/frame.tsx';
import { writeUnfinished } from './unfinished.ts';
import { usePageLanguage } from './words/use-page-language.ts';
import { DICTIONARY, wordsOf } from './words/words.ts';

export function App({ first, address }: { first: PayState; address: PageAddress }) {
  const [state, dispatch] = useReducer(nextState, first);
  const tools = useMemo(() => ({ holder: new CardHolder(), providers: new CardProviders() }), []);
  const cloud = useMemo(() => new PayCloud(), []);
  const { site, step, trail, online } = state;
  const language = useLoadedLanguage(DICTIONARY, state.language);
  const words = wordsOf(language);

  useRemembered(state, address);
  useCalls({ cloud, state, dispatch }, address);
  usePayment({ cloud, state, dispatch }, tools);
  useHistory(trail.length, () => dispatch({ type: 'back' }));
  usePageLanguage(language, site === null ? words.title : `${words.title} · ${site.name}`);

  const isUnused = isUnusedStep(step);
  useEffect(() => keepPageFresh(() => isUnused), [isUnused]);

  const pay: Pay = {
    language,
    words,
    site,
    online,
    cloud,
    dispatch,
    ...tools,
    canGoBack: trail.length > 0 && step.at !== 'pay',
    setLanguage: (wanted) => dispatch({ type: 'language', language: wanted }),
  };
  return (
    <PageContext value={pay}>
      <PayContext value={pay}>
        <TopBar />
        <div role="alert" className="offline">
          {!online && <p>{step.at === 'pay' ? words.offlinePaying : words.offline}</p>}
        </div>
        <Screen step={step} />
        <PageFoot />
      </PayContext>
    </PageContext>
  );
}

/** The driver has typed nothing yet, or all is done. */
function isUnusedStep(step: Step): boolean {
  if (step.at === 'plate') return step.typed === '' && !step.sending;
  return step.at === 'sites' || step.at === 'no-site' || step.at === 'exit-opens';
}

const RETRY_MS = 2000;

interface LaterScreens {
  DueScreen: typeof DueScreen;
  DaysScreen: typeof DaysScreen;
  CardScreen: typeof CardScreen;
  PayScreen: typeof PayScreen;
  PaidScreen: typeof PaidScreen;
}

/**
 * The amount due, the card's form with all of its rules, and the screens after it. The first screen needs
 * none: they load after that.
 */
function useLaterScreens(): LaterScreens | null {
  const [loaded, setLoaded] = useState<LaterScreens | null>(null);
  useEffect(() => {
    const stop = every(RETRY_MS, async (signal) => {
      const parts = await Promise.all([
        import('./screens/due-screen.tsx'),
        import('./screens/card-screen.tsx'),
        import('./screens/pay-screen.tsx'),
        import('./screens/paid-screen.tsx'),
      ]).catch(() => null);
      if (parts === null || signal.aborted) return;
      stop();
      setLoaded({ ...parts[0], ...parts[1], ...parts[2], ...parts[3] });
    });
    return stop;
  }, []);
  return loaded;
}

function Screen({ step }: { step: Step }) {
  const later = useLaterScreens();
  switch (step.at) {
    case 'loading':
    case 'again':
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
      return later === null ? <LoadingScreen /> : <later.DueScreen step={step} />;
    case 'proof':
      return <ProofScreen step={step} />;
    case 'days':
      return later === null ? <LoadingScreen /> : <later.DaysScreen step={step} />;
    case 'card':
      return later === null ? <LoadingScreen /> : <later.CardScreen step={step} />;
    case 'pay':
      return later === null ? <LoadingScreen /> : <later.PayScreen step={step} />;
    case 'paid':
      return later === null ? <LoadingScreen /> : <later.PaidScreen step={step} />;
    default:
      return step satisfies never;
  }
}

/** Stores the payment that is in progress before its order is sent: the battery may be empty right after it; and the last one that was paid, for its receipt. */
function useRemembered({ step, site, language }: PayState, address: PageAddress): void {
  const siteCode = site?.code ?? address.siteCode;
  const isOpen = step.at === 'pay' && !(step.payment && isOver(step.payment));
  const order = isOpen ? step.order : null;
  // It runs before the effects that call the cloud.
  useLayoutEffect(() => {
    writeUnfinished(order && siteCode !== null ? { order, siteCode, language } : null);
  }, [order, siteCode, language]);
  const paid = step.at === 'paid' && step.payment.state === 'settled' ? step.payment.key : null;
  useEffect(() => {
    if (paid !== null && siteCode !== null) writePaid({ payment: paid, siteCode });
  }, [paid, siteCode]);
}
