// First, so that the edge answers while the rest is evaluated.
import './first-requests.ts';
import { PageBoundary } from '@hlid/ui/page-boundary';
import { allowTranslation } from '@hlid/ui/translated-text';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { App } from './app.tsx';
import { FIRST_SITE } from './first-requests.ts';
import { keepFixed } from './keep-fixed.ts';
import { createKioskEdge, readFirstSite } from './kiosk-edge.ts';
import { FailedScreen } from './screens/failed-screen.tsx';
import { firstState } from './state/screen-state.ts';
import { readUnfinished } from './unfinished.ts';
import { DICTIONARY } from './words/words.ts';
import '@hlid/ui/tokens.css';
import '@hlid/ui/density-kiosk.css';
import '@hlid/ui/typeface.css';
import '@hlid/ui/base.css';
import '@hlid/ui/button.css';
import './styles/drawings.css';
import './styles/page.css';
import './styles/frame.css';
import './styles/controls.css';
import './styles/cars.css';
import './styles/keys.css';
import './styles/languages.css';
import './styles/help.css';
import './styles/verdict.css';
import './styles/start.css';
import './styles/typing.css';
import './styles/choosing.css';
import './styles/due.css';
import './styles/by-phone.css';
import './styles/terminal.css';
import './styles/terminal-drawing.css';
import './styles/receipt.css';
import './styles/low-glass.css';
import './styles/upright-glass.css';
import './styles/large-text.css';
import './styles/stillness.css';

// The content security policy has no `unsafe-eval`, which schemas would try to use.
z.config({ jitless: true });

keepFixed(document);
allowTranslation(document);

const root = document.getElementById('kiosk');
if (root) {
  const first = firstState(readUnfinished(), await readFirstSite(FIRST_SITE));
  await DICTIONARY.loadSurely(first.language);
  createRoot(root).render(
    <StrictMode>
      <PageBoundary fallback={<FailedScreen words={DICTIONARY.wordsOf(first.language)} />}>
        <App edge={createKioskEdge()} first={first} />
      </PageBoundary>
    </StrictMode>,
  );
  // Letters of Polish load now: the edge may be gone when a driver chooses it.
  void document.fonts.load('1em Inter', 'Łż');
}
