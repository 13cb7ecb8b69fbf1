import { lazy, Suspense } from 'react';
import { can, isOperator, type Session, useSession } from '../../shell/session.ts';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { type PageTab, Tabs } from '../../ui/tabs.tsx';
import { loadRoomWords } from '../../words/words.ts';
import { DisputesTab, DisputesTitle } from '../disputes/disputes-tab.tsx';
import { InvoicesTab } from './invoices-tab.tsx';
import { MONEY } from './money-words.ts';
import { PaymentsTab } from './payments-tab.tsx';
import { TerminalDaysTab } from './terminal-days-tab.tsx';
import { UnpaidTab } from './unpaid-tab.tsx';
import './money.css';

/** Payments in doubt, unpaid visits, invoices and billing runs; customers see their invoices and unpaid visits. */
export function MoneyPage() {
  const session = useSession();
  return (
    <Page title={MONEY.title}>
      <Suspense fallback={<Loading />}>
        <Tabs label={MONEY.title} tabs={tabsOf(session)} />
      </Suspense>
    </Page>
  );
}

/** What an accountant uses is loaded when it is opened. */
const ClosesTab = lazy(async () => ({ default: (await import('./closes/closes-tab.tsx')).ClosesTab }));
const ClaimsTab = lazy(async () => {
  await loadRoomWords(['claims']);
  return { default: (await import('../claims/claims-tab.tsx')).ClaimsTab };
});
const RemindersTab = lazy(async () => {
  await loadRoomWords(['claims']);
  return { default: (await import('../claims/reminders-tab.tsx')).RemindersTab };
});
const FilesTab = lazy(async () => ({ default: (await import('./files/files-tab.tsx')).FilesTab }));
const ReceivablesTab = lazy(async () => ({
  default: (await import('./receivables/receivables-tab.tsx')).ReceivablesTab,
}));
const BillingTab = lazy(async () => ({
  default: (await import('./billing/billing-tab.tsx')).BillingTab,
}));
const BookkeepingTab = lazy(async () => ({
  default: (await import('./bookkeeping/bookkeeping-tab.tsx')).BookkeepingTab,
}));

type TabName = keyof typeof MONEY.tabs;

const CONTENT: Record<TabName, PageTab['content']> = {
  payments: () => <PaymentsTab />,
  unpaid: () => <UnpaidTab />,
  invoices: () => <InvoicesTab />,
  receivables: () => <ReceivablesTab />,
  days: () => <TerminalDaysTab />,
  claims: () => <ClaimsTab />,
  reminders: () => <RemindersTab />,
  closes: () => <ClosesTab />,
  files: () => <FilesTab />,
  bookkeeping: () => <BookkeepingTab />,
  billing: () => <BillingTab />,
};

function tabsOf(session: Session): PageTab[] {
  const names: TabName[] = isOperator(session)
    ? [
        'payments',
        ...(can(session, 'see-visits') ? (['unpaid'] as const) : []),
        'invoices',
        'receivables',
        'claims',
        'reminders',
        'days',
        'closes',
        'files',
        'bookkeeping',
        ...(can(session, 'bill') ? (['billing'] as const) : []),
      ]
    : ['invoices', 'unpaid'];
  return [
    ...names.map((id) => ({ id, title: MONEY.tabs[id], content: CONTENT[id] })),
    { id: 'disputes', title: <DisputesTitle />, content: () => <DisputesTab /> },
  ];
}
