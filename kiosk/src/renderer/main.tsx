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
import './styles/large-text.css';
import './styles/stillness.css';

// The content security policy has no `unsafe-eval`, which schemas would try to use.
z.config({ jitless: true });

keepFixed(document);

const root = document.getElementById('kiosk');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App edge={createKioskEdge()} />
    </StrictMode>,
  );
}
