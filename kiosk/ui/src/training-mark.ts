import './training-mark.css';
import { TRAINING_MARK } from '@hlid/protocol/words/training-mark/training-mark';

/**
 * Marks the page, until it is loaded again, as one of a simulated car park. The mark belongs to the document, so that
 * it stands over every screen, the one of a failure too.
 */
export function markAsTraining(): void {
  const page = document.documentElement;
  if (page.dataset['training'] !== undefined) return;
  page.dataset['training'] = '';
  const mark = document.createElement('aside');
  mark.id = 'training-mark';
  const text = document.createElement('strong');
  mark.append(text);
  const write = () => {
    text.textContent = textIn(page.lang);
    mark.setAttribute('aria-label', text.textContent);
  };
  write();
  new MutationObserver(write).observe(page, { attributeFilter: ['lang'] });
  document.body.prepend(mark);
}

function textIn(language: string): string {
  return (
    Object.entries(TRAINING_MARK).find(([known]) => known === language.slice(0, 2))?.[1] ?? TRAINING_MARK.en
  );
}
