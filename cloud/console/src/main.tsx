import { keepPageFresh } from '@hlid/ui/fresh-page';
import { PageBoundary } from '@hlid/ui/page-boundary';
import { bearTranslation } from '@hlid/ui/translated-text';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './calls/query-client.ts';
import { loadRefusalWords } from './calls/refusal-words.ts';
import { router } from './routes.tsx';
import { applyTheme } from './shell/theme.ts';
import { allowEmptyHtml } from './shell/trusted-types.ts';
import { createUnusedWatch } from './shell/unused-watch.ts';
import { FailedPage } from './ui/failed-page.tsx';
import { ToastProvider } from './ui/toasts.tsx';
import { LANGUAGE } from './words/words.ts';
import '@hlid/ui/tokens.css';
import '@hlid/ui/density-console.css';
import '@hlid/ui/typeface.css';
import '@hlid/ui/base.css';
import './styles/controls.css';
import './styles/content.css';
import './styles/shell.css';

keepPageFresh(createUnusedWatch());
allowEmptyHtml();
bearTranslation(document);
applyTheme();
document.documentElement.lang = LANGUAGE;

const root = document.getElementById('console');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <PageBoundary fallback={<FailedPage />}>
        <I18nProvider locale={LANGUAGE === 'is' ? 'is-IS' : 'en-GB'}>
          <QueryClientProvider client={createQueryClient()}>
            <ToastProvider>
              <RouterProvider router={router} />
            </ToastProvider>
          </QueryClientProvider>
        </I18nProvider>
      </PageBoundary>
    </StrictMode>,
  );
}
void loadRefusalWords();
