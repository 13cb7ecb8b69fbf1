import { PageBoundary } from '@hlid/ui/page-boundary';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './calls/query-client.ts';
import { loadRefusalWords } from './calls/refusal-words.ts';
import { router } from './routes.tsx';
import { FailedPage } from './ui/failed-page.tsx';
import { ToastProvider } from './ui/toasts.tsx';
import { LANGUAGE } from './words/words.ts';

/** Draws the console. The texts of the language are loaded. */
export function start(): void {
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
}
