import { keepPageFresh } from '@hlid/ui/fresh-page';
import { allowTranslation } from '@hlid/ui/translated-text';
import { applyTheme } from './shell/theme.ts';
import { allowEmptyHtml } from './shell/trusted-types.ts';
import { createUnusedWatch } from './shell/unused-watch.ts';
import '@hlid/ui/tokens.css';
import '@hlid/ui/density-console.css';
import '@hlid/ui/typeface.css';
import '@hlid/ui/base.css';
import './styles/controls.css';
import './styles/content.css';
import './styles/shell.css';
import { LANGUAGE, loadWords } from './words/words.ts';

keepPageFresh(createUnusedWatch());
allowEmptyHtml();
allowTranslation(document);
applyTheme();
document.documentElement.lang = LANGUAGE;

/** Modules have their texts as soon as they run, so they are loaded after the texts. */
async function startWithWords(): Promise<void> {
  await loadWords();
  const { start } = await import('./start.tsx');
  start();
}
void startWithWords();
