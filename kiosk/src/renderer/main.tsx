import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { App } from './app.tsx';
import { keepFixed } from './keep-fixed.ts';
import { createKioskEdge } from './kiosk-edge.ts';
import './styles/tokens.css';
import './styles/page.css';
import './styles/frame.css';
import './styles/controls.css';
import './styles/cars.css';
import './styles/keys.css';
import './styles/languages.css';
import './styles/select.css';
import './styles/dialog.css';
import './styles/verdict.css';
import './styles/start.css';
import './styles/typing.css';
import './styles/choosing.css';
import './styles/due.css';
import './styles/terminal.css';
import './styles/terminal-drawing.css';
import './styles/receipt.css';
import './styles/low-glass.css';
import './styles/upright-glass.css';
import './styles/large-text.css';
import './styles/stillness.css';

// The content security policy has no `unsafe-eval`, which schemas would try to use.
z.config({ jitless: true });

/** An edge on the same machine answers in milliseconds; after that long the page shows that it looks for it. */
const FIRST_LOOK_MS = 400;

keepFixed(document);

const root = document.getElementById('kiosk');
if (root) {
  const edge = createKioskEdge();
  const answer = await edge.site(AbortSignal.timeout(FIRST_LOOK_MS));
  createRoot(root).render(
    <StrictMode>
      <App edge={edge} firstSite={answer.kind === 'ok' ? answer.value : null} />
    </StrictMode>,
  );
}
