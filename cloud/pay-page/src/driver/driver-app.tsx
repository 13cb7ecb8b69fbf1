import type { Language } from '@hlid/protocol/base/language';
import { useLoadedLanguage } from '@hlid/ui/dictionary';
import { useEffect, useMemo, useReducer } from 'react';
import { useHistory } from '../calls/use-history.ts';
import { DriverCloud } from '../driver-cloud.ts';
import { readDriverToken, writeDriverToken } from '../driver-storage.ts';
import { type Page, PageContext } from '../pay-context.ts';
import { TopBar } from '../ui/frame.tsx';
import { usePageLanguage } from '../words/use-page-language.ts';
import { DICTIONARY, wordsOf } from '../words/words.ts';
import { DriverScreen } from './driver-screens.tsx';
import { firstDriverState, nextDriverState } from './driver-state.ts';
import { readIdentification } from './identity-storage.ts';
import { useDriverCalls } from './use-driver-calls.ts';
import { useIdentityParts } from './use-identity-parts.ts';

/** The page of a driver's stored card. */
export function DriverApp({ language: wanted, link }: { language: Language; link: string | null }) {
  const [state, dispatch] = useReducer(nextDriverState, null, () =>
    firstDriverState(wanted, {
      link,
      token: readDriverToken(),
      identifying: readIdentification()?.purpose ?? null,
    }),
  );
  const cloud = useMemo(() => new DriverCloud(), []);
  const language = useLoadedLanguage(DICTIONARY, state.language);
  const words = wordsOf(language);
  const canGoBack = ['sent', 'identity', 'caps', 'confirm'].includes(state.step.at);
  useEffect(() => writeDriverToken(state.token), [state.token]);
  const identity = useIdentityParts(cloud);
  useDriverCalls({ cloud, state, dispatch });
  useEffect(() => {
    // A link that is followed where the page is open already only changes what is behind `#`.
    const follow = () => location.reload();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useHistory(canGoBack ? 1 : 0, () => dispatch({ type: 'back' }));
  usePageLanguage(language, words.driver.title);
  const page: Page = {
    language,
    words,
    site: null,
    canGoBack,
    setLanguage: (to) => dispatch({ type: 'language', language: to }),
  };
  return (
    <PageContext value={page}>
      <TopBar />
      <div role="alert" className="offline">
        {!state.online && <p>{words.offline}</p>}
      </div>
      <DriverScreen state={state} dispatch={dispatch} identity={identity} />
    </PageContext>
  );
}
