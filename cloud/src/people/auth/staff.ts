import type { AccountRow } from '../../records/accounts/account-store.ts';
import { isWithin } from './allowance.ts';

type StaffFields = Pick<AccountRow, 'role' | 'customerId' | 'options'>;

/** Whether an account manages the people of its customer who have its role. */
export function managesStaff({ role, customerId, options }: StaffFields): boolean {
  return options.managesStaff === true && customerId !== null && (role === 'customer' || role === 'partner');
}

/** Whether an account is one of the people that a manager invites and lets leave. It gives no more than the manager. */
export function isStaffOf(manager: StaffFields, account: StaffFields): boolean {
  return (
    managesStaff(manager) &&
    account.role === manager.role &&
    account.customerId === manager.customerId &&
    isWithin(manager.options, account.options)
  );
}

/** The options of people whom a manager invites: the manager's own, without the right to manage them. */
export function optionsOfStaff({ options }: StaffFields): StaffFields['options'] {
  const { managesStaff: _, ...limits } = options;
  return limits;
}
