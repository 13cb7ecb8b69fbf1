// Every shared part in all of its states; the density is in the address: `?density=kiosk`.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../src/tokens.css';
import '../src/typeface.css';
import '../src/base.css';
import '../src/button.css';
import './gallery.css';
import { Dialogs } from './dialogs.tsx';
import { Lists } from './lists.tsx';
import { Buttons, Colours, Plates, Prices, TypeScale } from './still-parts.tsx';

const DENSITIES: Record<string, () => Promise<unknown>> = {
  console: () => import('../src/density-console.css'),
  kiosk: () => import('../src/density-kiosk.css'),
  phone: () => import('../src/density-phone.css'),
};

const density = new URLSearchParams(location.search).get('density') ?? 'console';
const root = document.getElementById('gallery');
if (root) {
  await DENSITIES[density]?.();
  createRoot(root).render(
    <StrictMode>
      <main>
        <h1>Shared parts</h1>
        <Colours />
        <TypeScale />
        <Buttons />
        <Plates />
        <Prices />
        <Lists />
        <Dialogs />
      </main>
    </StrictMode>,
  );
}
