import { LANGUAGES, type Language } from '@hlid/protocol/base/language';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { PageBoundary } from '@hlid/ui/page-boundary';
import { allowTranslation } from '@hlid/ui/translated-text';
import { createRoot } from 'react-dom/client';
import type { PageAddress } from './calls/use-calls.ts';
import { readShownPaid } from './paid-record.ts';
import { firstState } from './state/next-state.ts';
import { FailedPage } from './ui/failed-page.tsx';
import { readLanguage, readUnfinished } from './unfinished.ts';
import { DICTIONARY } from './words/words.ts';
import '@hlid/ui/tokens.css';
import '@hlid/ui/density-phone.css';
import '@hlid/ui/typeface.css';
import '@hlid/ui/base.css';
import '@hlid/ui/button.css';
import './styles/page.css';
import './styles/screens.css';

/** The address without what only the first call needs: a link is a key, and stays in no history. */
function readAddress(): PageAddress {
  const [, code = ''] = /^\/pay\/([\w-]{1,64})\/?$/.exec(location.pathname) ?? [];
  const link = location.hash.slice(1);
  if (link !== '') history.replaceState(null, '', location.pathname + location.search);
  const siteCode = code === '' ? null : code;
  const plate = siteCode === null ? null : new URLSearchParams(link).get('plate');
  return { siteCode, link: link === '' || plate !== null ? null : link, plate };
}

/** The first language: `?lang=`, else as chosen before, else the browser's; the site's own comes with it. */
function firstLanguage(): Language | null {
  const wanted = [new URLSearchParams(location.search).get('lang'), readLanguage(), ...navigator.languages];
  for (const one of wanted) {
    const found = LANGUAGES.find((language) => language === one?.slice(0, 2).toLowerCase());
    if (found) return found;
  }
  return null;
}

// Each page is a separate file, which loads beside the words.

async function startDriverPage(root: HTMLElement): Promise<void> {
  const { link } = readAddress();
  const language = firstLanguage() ?? 'en';
  const [{ DriverApp }] = await Promise.all([import('./driver/driver-app.tsx'), DICTIONARY.load(language)]);
  createRoot(root).render(
    <PageBoundary fallback={<FailedPage words={DICTIONARY.wordsOf(language)} />}>
      <DriverApp language={language} link={link} />
    </PageBoundary>,
  );
}

async function startObjectionPage(root: HTMLElement): Promise<void> {
  const { link } = readAddress();
  const language = firstLanguage() ?? 'en';
  const [{ ObjectionApp }] = await Promise.all([
    import('./objection/objection-app.tsx'),
    DICTIONARY.load(language),
  ]);
  createRoot(root).render(
    <PageBoundary fallback={<FailedPage words={DICTIONARY.wordsOf(language)} />}>
      <ObjectionApp language={language} link={link} />
    </PageBoundary>,
  );
}

async function startPayPage(root: HTMLElement): Promise<void> {
  const unfinished = readUnfinished();
  const { siteCode, link, plate } = readAddress();
  const paid = unfinished || link !== null || plate !== null ? null : readShownPaid();
  // The same tab may be at another car park by now.
  const again = paid !== null && (siteCode ?? paid.siteCode) === paid.siteCode ? paid : null;
  const known = unfinished ?? again;
  const address = known ? { siteCode: known.siteCode, link: null } : { siteCode, link, plate };
  const first = firstState(firstLanguage(), address, unfinished, again?.payment ?? null);
  const [{ App }] = await Promise.all([import('./app.tsx'), DICTIONARY.load(first.language)]);
  createRoot(root).render(
    <PageBoundary fallback={<FailedPage words={DICTIONARY.wordsOf(first.language)} />}>
      <App first={first} address={address} />
    </PageBoundary>,
  );
}

allowTranslation(document);

const root = document.getElementById('pay');
const path = location.pathname.replace(/\/$/, '');
if (root && path === DRIVER_PATHS.page) await startDriverPage(root);
else if (root) await (path === PAY_PATHS.objectionPage ? startObjectionPage(root) : startPayPage(root));
