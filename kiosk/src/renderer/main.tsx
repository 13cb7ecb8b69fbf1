import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { App } from './app.tsx';
import { keepFixed } from './keep-fixed.ts';
import { createKioskEdge } from './kiosk-edge.ts';
import './styles/tokens.css';
import './styles/page.css';
import './styles/controls.css';
import './styles/screens.css';
import './styles/payment.css';

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
