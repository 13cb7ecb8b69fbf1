import { expect, it } from 'vitest';
import { ALL_RIGHTS, type Caller, callerName, ownRows, readableRows } from './caller.ts';

const ALL = { all: true, siteIds: null };
const own = (author: string, customerId: string | null = null) => ({ all: false, customerId, author });
const account = (
  role: 'operator' | 'customer' | 'partner' | 'whitelist',
  customerId: string | null,
): Caller => ({
  kind: 'account',
  accountId: 'a1',
  role,
  customerId,
  tokenId: 't1',
  rights: ALL_RIGHTS,
});

it.each<[Caller, string, object, object]>([
  [account('operator', null), 'account:a1', ALL, ALL],
  [account('operator', 'c1'), 'account:a1', ALL, ALL],
  [account('customer', 'c1'), 'account:a1', own('account:a1', 'c1'), own('account:a1', 'c1')],
  [account('partner', null), 'account:a1', own('account:a1'), own('account:a1')],
  [account('whitelist', 'c1'), 'account:a1', own('account:a1', 'c1'), own('account:a1', 'c1')],
  [{ kind: 'role', role: 'kiosk', tokenId: 't1' }, 'token:t1', own('token:t1'), own('token:t1')],
  [{ kind: 'role', role: 'whitelist', tokenId: 't1' }, 'token:t1', own('token:t1'), own('token:t1')],
  // It reads the data of webhooks, and changes nothing of others.
  [{ kind: 'role', role: 'webhook', tokenId: 't1' }, 'token:t1', own('token:t1'), ALL],
  [{ kind: 'location', tokenId: 't1', path: '/visit/v1' }, 'token:t1', ALL, ALL],
  [{ kind: 'photo', tokenId: 't1', cameraId: 'cam' }, 'token:t1', own('token:t1'), own('token:t1')],
  [{ kind: 'api-key', keyId: 'k1' }, 'api-key:k1', own('api-key:k1'), own('api-key:k1')],
  [{ kind: 'site', siteId: 's1' }, 'site:s1', own('site:s1'), own('site:s1')],
  [{ kind: 'cloud', part: 'billing' }, 'cloud:billing', ALL, ALL],
])('%o is named, and sees just its own rows', (caller, name, changes, reads) => {
  expect([callerName(caller), ownRows(caller), readableRows(caller)]).toEqual([name, changes, reads]);
});
