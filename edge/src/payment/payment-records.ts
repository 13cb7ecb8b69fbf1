import type { EdgeContext } from '../outbox/edge-context.ts';
import type { SiteStays } from '../site/site-stays.ts';
import { PaymentJournal } from './payment-journal.ts';
import { PaymentStore } from './payment-store.ts';
import { VisitDues } from './visit-due.ts';

/** The payments of a site and what its visits owe beside them; a site without a terminal has older ones. */
export class PaymentRecords {
  readonly store: PaymentStore;
  readonly journal: PaymentJournal;
  readonly dues: VisitDues;

  constructor({ db, events }: Pick<EdgeContext, 'db' | 'events'>, stays: SiteStays) {
    this.store = new PaymentStore(db);
    this.journal = new PaymentJournal(this.store, events);
    this.dues = new VisitDues(stays, this.store);
  }
}
