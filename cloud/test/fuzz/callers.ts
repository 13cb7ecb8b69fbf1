import type { Who } from '../../src/people/auth/route-access.ts';
import { issueToken } from '../../src/people/auth/tokens.ts';
import type { SessionStep } from '../../src/platform/http/caller.ts';
import { API_KEY, type CallOptions, type TestApi } from '../api.ts';
import { OWN_CUSTOMER } from './people.ts';

/** How one comes: with a header, or with something in the query. */
interface Coming {
  options: CallOptions;
  query?: Readonly<Record<string, string>>;
}

/**
 * A caller of that kind, for one call: some calls end their caller's token.
 *
 * @param at the address of the call, for tokens that are valid for one address or one camera
 */
export async function comeAs(
  api: TestApi,
  who: Who,
  at: { path: string; cameraId: string },
): Promise<Coming> {
  switch (who) {
    case 'anyone':
      return { options: { token: null } };
    case 'api-key':
      return { options: { token: null, headers: { 'x-api-key': API_KEY } } };
    case 'site':
      return { options: { token: `${api.site.id}.${api.site.secret}` } };
    case 'location-token':
      return { options: { token: null }, query: { access_token: await api.locationToken(at.path) } };
    case 'photo-token':
      return { options: { token: null }, query: { token: await api.photoToken(at.cameraId) } };
    case 'recovering-account':
      return { options: { token: await recoveringToken(api) } };
    case 'unproven-session':
      return await bySession(api, 'second-factor');
    case 'enrolling-session':
      return await bySession(api, 'enrol');
    case 'operator':
      return { options: { token: await api.account('operator') } };
    case 'customer':
    case 'partner':
    case 'whitelist':
      return { options: { token: await api.account(who, { customerId: OWN_CUSTOMER }) } };
    case 'staff-manager':
      return {
        options: {
          token: await api.account('partner', {
            customerId: OWN_CUSTOMER,
            options: { managesStaff: true },
          }),
        },
      };
    case 'driver':
      return { options: { token: (await api.driver()).token } };
    case 'webhook-token':
      return { options: { token: await api.roleToken('webhook') } };
    case 'kiosk-token':
      return { options: { token: await api.roleToken('kiosk') } };
    case 'whitelist-token':
      return { options: { token: await api.roleToken('whitelist') } };
    case 'broker-token':
      return { options: { token: await api.roleToken('broker') } };
    default:
      return who satisfies never;
  }
}

async function bySession(api: TestApi, scope: SessionStep): Promise<Coming> {
  return { options: { token: null, headers: await api.session('the-operator', { scope }) } };
}

async function recoveringToken(api: TestApi): Promise<string> {
  const holder = {
    accountId: 'the-operator',
    deviceUuid: null,
    loginId: 'a-login',
    scope: 'password',
  } as const;
  const life = { from: api.now(), until: null };
  return (await api.db.write(async ({ q }) => await issueToken(q, holder, life))).token;
}

/** Everyone who may be let in somewhere. */
export const EVERYONE: readonly Who[] = [
  'anyone',
  'api-key',
  'site',
  'location-token',
  'photo-token',
  'recovering-account',
  'unproven-session',
  'enrolling-session',
  'operator',
  'customer',
  'partner',
  'whitelist',
  'staff-manager',
  'webhook-token',
  'kiosk-token',
  'whitelist-token',
  'broker-token',
];
