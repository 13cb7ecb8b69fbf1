import { Activity, Banknote, Building2, Cctv, KeyRound, type LucideIcon, ServerCog } from 'lucide-react';
import type { ROOM_NAMES } from './room-names.ts';
import type { Permission, Session } from './session.ts';

/** A room of the console: where it is, and who may enter. */
export interface Room {
  key: keyof typeof ROOM_NAMES;
  /** After the site, in the address. */
  path: string;
  icon: LucideIcon;
  /** Of operators, one of these permissions; absent: every operator. */
  needs?: readonly Permission[];
  /** Whether accounts that are no operator's see it too, cut down to what is theirs. */
  isForCustomers?: boolean;
  /** `day`: used all day, and shown first. */
  group: 'day' | 'office' | 'system';
  /** The second key after `g`. */
  letter?: string;
}

export const ROOMS: readonly Room[] = [
  { key: 'now', path: 'now', icon: Activity, needs: ['lanes'], group: 'day', letter: 'n' },
  {
    key: 'money',
    path: 'money',
    icon: Banknote,
    needs: ['money'],
    isForCustomers: true,
    group: 'day',
    letter: 'm',
  },
  {
    key: 'permits',
    path: 'permits',
    icon: KeyRound,
    needs: ['visits'],
    isForCustomers: true,
    group: 'office',
    letter: 'p',
  },
  { key: 'devices', path: 'devices', icon: ServerCog, needs: ['devices'], group: 'system', letter: 'd' },
  { key: 'cameras', path: 'cameras', icon: Cctv, needs: ['devices'], group: 'system' },
  { key: 'zones', path: 'zones', icon: Building2, isForCustomers: true, group: 'system' },
];

/** The rooms of a person, in the order of the list. */
export function roomsOf({ account, permissions }: Pick<Session, 'account' | 'permissions'>): readonly Room[] {
  return ROOMS.filter(({ needs, isForCustomers }) => {
    if (account.role !== 'operator') return isForCustomers === true;
    return needs === undefined || needs.some((one) => permissions.includes(one));
  });
}
