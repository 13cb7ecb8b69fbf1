import { LANGUAGES, type Language } from '@hlid/protocol/language';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import type { PageAddress } from './calls/use-calls.ts';
import { firstState } from './state/next-state.ts';
import { readLanguage, readUnfinished } from './unfinished.ts';
import { loadWords } from './words/words.ts';
import './styles/tokens.css';
import './styles/page.css';
import './styles/screens.css';

/** The address without what only the first call needs: a link is a key, and stays in no history. */
function readAddress(): PageAddress {
  const [, code = ''] = /^\/pay\/([\w-]{1,64})\/?$/.exec(location.pathname) ?? [];
  const link = location.hash.slice(1);
  if (link !== '') history.replaceState(null, '', location.pathname + location.search);
  return { siteCode: code === '' ? null : code, link: link === '' ? null : link };
}

/** By `?lang=`, else as chosen before, else the browser's; the site's own comes with it. */
function firstLanguage(): Language | null {
  const wanted = [new URLSearchParams(location.search).get('lang'), readLanguage(), ...navigator.languages];
  for (const one of wanted) {
    const found = LANGUAGES.find((language) => language === one?.slice(0, 2).toLowerCase());
    if (found) return found;
  }
  return null;
}

const root = document.getElementById('pay');
if (root) {
  const unfinished = readUnfinished();
  const { siteCode, link } = readAddress();
  const address = unfinished ? { siteCode: unfinished.siteCode, link: null } : { siteCode, link };
  const first = firstState(firstLanguage(), address, unfinished);
  await loadWords(first.language);
  createRoot(root).render(<App first={first} address={address} />);
}
