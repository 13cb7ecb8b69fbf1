import { keepPageFresh } from '@hlid/ui/fresh-page';
import { PageBoundary } from '@hlid/ui/page-boundary';
import { allowTranslation } from '@hlid/ui/translated-text';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { DICTIONARY, firstLanguage } from './words/words.ts';
import '@hlid/ui/typeface.css';
import '@hlid/ui/tokens.css';
import '@hlid/ui/base.css';
import '@hlid/ui/button.css';
import './page.css';

/** The page can load itself again: no field has text, and no command is being given. */
function isUnused(): boolean {
  const fields = [...document.querySelectorAll('input')];
  return (
    document.querySelector('dialog[open]') === null &&
    fields.every((field) => field.value === '' || !field.checkVisibility())
  );
}

async function start(): Promise<void> {
  const language = firstLanguage();
  await DICTIONARY.loadSurely(language);
  const place = document.getElementById('page');
  if (place === null) throw new Error('The document has no place for the page.');
  const reload = () => location.reload();
  const fallback = (
    <button type="button" className="button" onClick={reload}>
      ↻
    </button>
  );
  createRoot(place).render(
    <PageBoundary fallback={fallback}>
      <App firstLanguage={language} />
    </PageBoundary>,
  );
}

keepPageFresh(isUnused);
allowTranslation(document);
void start();
