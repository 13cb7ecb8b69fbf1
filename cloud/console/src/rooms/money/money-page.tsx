import { can, isOperator, type Session, useSession } from '../../shell/session.ts';
import { Page } from '../../ui/page.tsx';
import { type PageTab, Tabs } from '../../ui/tabs.tsx';
import { DisputesTab, DisputesTitle } from '../disputes/disputes-tab.tsx';
import { BillingTab } from './billing-tab.tsx';
import { ClosesTab } from './closes/closes-tab.tsx';
import { FilesTab } from './files/files-tab.tsx';
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
      <Tabs label={MONEY.title} tabs={tabsOf(session)} />
    </Page>
  );
}

type TabName = keyof typeof MONEY.tabs;

const CONTENT: Record<TabName, PageTab['content']> = {
  payments: () => <PaymentsTab />,
  unpaid: () => <UnpaidTab />,
  invoices: () => <InvoicesTab />,
  days: () => <TerminalDaysTab />,
  closes: () => <ClosesTab />,
  files: () => <FilesTab />,
  billing: () => <BillingTab />,
};

function tabsOf(session: Session): PageTab[] {
  const names: TabName[] = isOperator(session)
    ? [
        'payments',
        ...(can(session, 'see-visits') ? (['unpaid'] as const) : []),
        'invoices',
        'days',
        'closes',
        'files',
        ...(can(session, 'bill') ? (['billing'] as const) : []),
      ]
    : ['invoices', 'unpaid'];
  return [
    ...names.map((id) => ({ id, title: MONEY.tabs[id], content: CONTENT[id] })),
    { id: 'disputes', title: <DisputesTitle />, content: () => <DisputesTab /> },
  ];
}
