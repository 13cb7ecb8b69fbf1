import {
  Activity,
  Banknote,
  Building2,
  Car,
  CarFront,
  Cctv,
  ChartColumn,
  CircleFadingArrowUp,
  Contact,
  GraduationCap,
  KeyRound,
  type LucideIcon,
  Mail,
  MapPin,
  ScanEye,
  ScrollText,
  ServerCog,
  ShieldCheck,
  Stamp,
  Tag,
  Ticket,
  UserCog,
  UserRound,
  Webhook,
} from 'lucide-react';
import type { ROOM_NAMES } from './room-names.ts';
import type { Session, SessionAction } from './session.ts';

/** A room of the console: where it is, and who may enter. */
export interface Room {
  key: keyof typeof ROOM_NAMES;
  /** The part of the address after the site. */
  path: string;
  icon: LucideIcon;
  /** The acts or views of an operator there: one of these is enough. Absent: every operator has the room. */
  needs?: readonly SessionAction[];
  /** Whether accounts that are no operator's see it too, cut down to what is theirs. */
  isForCustomers?: boolean;
  /** Accounts that are not an operator’s have the room if they can do one of these. */
  customersNeed?: readonly SessionAction[];
  /** False: of these, not those that only give permits. */
  isForPermitGivers?: boolean;
  /** `day`: used all day, and shown first. */
  group: 'day' | 'office' | 'system';
  /** The second key after `g`. */
  letter?: string;
}

export const ROOMS: readonly Room[] = [
  { key: 'now', path: 'now', icon: Activity, needs: ['see-lanes'], group: 'day', letter: 'n' },
  {
    key: 'visits',
    path: 'visits',
    icon: CarFront,
    needs: ['see-visits'],
    isForCustomers: true,
    group: 'day',
    letter: 'v',
  },
  { key: 'review', path: 'review', icon: ScanEye, needs: ['see-reviews'], group: 'day', letter: 'r' },
  {
    key: 'money',
    path: 'money',
    icon: Banknote,
    needs: ['see-invoices'],
    isForCustomers: true,
    group: 'day',
    letter: 'm',
  },
  {
    key: 'approvals',
    path: 'approvals',
    icon: Stamp,
    needs: ['see-approvals'],
    group: 'day',
    letter: 'f',
  },
  {
    key: 'permits',
    path: 'permits',
    icon: KeyRound,
    needs: ['see-permits'],
    isForCustomers: true,
    group: 'office',
    letter: 'p',
  },
  {
    key: 'customers',
    path: 'customers',
    icon: Contact,
    needs: ['see-customers'],
    group: 'office',
    letter: 'c',
  },
  {
    key: 'vehicles',
    path: 'vehicles',
    icon: Car,
    needs: ['see-vehicles'],
    isForCustomers: true,
    isForPermitGivers: false,
    group: 'office',
    letter: 'b',
  },
  {
    key: 'quotas',
    path: 'quotas',
    icon: Ticket,
    needs: ['see-quotas'],
    isForCustomers: true,
    group: 'office',
    letter: 'q',
  },
  { key: 'products', path: 'products', icon: Tag, group: 'office', letter: 't' },
  {
    key: 'reports',
    path: 'reports',
    icon: ChartColumn,
    needs: ['see-income', 'see-traffic'],
    group: 'office',
    letter: 's',
  },
  {
    key: 'accounts',
    path: 'accounts',
    icon: UserCog,
    needs: ['see-accounts'],
    customersNeed: ['invite-staff'],
    group: 'office',
    letter: 'a',
  },
  { key: 'devices', path: 'devices', icon: ServerCog, needs: ['see-devices'], group: 'system', letter: 'd' },
  { key: 'cameras', path: 'cameras', icon: Cctv, needs: ['see-cameras'], group: 'system' },
  { key: 'zones', path: 'zones', icon: Building2, isForCustomers: true, group: 'system' },
  { key: 'sites', path: 'sites', icon: MapPin, needs: ['set-up-sites'], group: 'system' },
  {
    key: 'upgrades',
    path: 'upgrades',
    icon: CircleFadingArrowUp,
    needs: ['see-rollouts'],
    group: 'system',
    letter: 'u',
  },
  { key: 'webhooks', path: 'webhooks', icon: Webhook, needs: ['see-webhooks'], group: 'system' },
  { key: 'mail', path: 'mail', icon: Mail, needs: ['see-mail'], group: 'system' },
  { key: 'audit', path: 'audit', icon: ScrollText, needs: ['see-audit'], group: 'system' },
  { key: 'privacy', path: 'privacy', icon: ShieldCheck, needs: ['see-retention'], group: 'system' },
  { key: 'training', path: 'training', icon: GraduationCap, group: 'system' },
  { key: 'login', path: 'login', icon: UserRound, isForCustomers: true, group: 'system' },
  {
    key: 'company',
    path: 'customers',
    icon: Contact,
    needs: [],
    isForCustomers: true,
    isForPermitGivers: false,
    group: 'office',
  },
];

/**
 * The room with which a person begins: the first of theirs. Who sees income and traffic, but no lanes, manages: they begin
 * with how sites are doing.
 */
export function startRoom(session: Pick<Session, 'account' | 'actions'>): Room | undefined {
  const rooms = roomsOf(session);
  const { actions } = session;
  const isManager =
    actions.includes('see-income') && actions.includes('see-traffic') && !actions.includes('see-lanes');
  return (isManager ? rooms.find(({ key }) => key === 'reports') : undefined) ?? rooms[0];
}

/** The rooms of a person, in the order of the list. */
export function roomsOf({ account, actions }: Pick<Session, 'account' | 'actions'>): readonly Room[] {
  return ROOMS.filter(({ needs, customersNeed = [], isForCustomers = false, isForPermitGivers = true }) => {
    if (account.role === 'whitelist') return isForCustomers && isForPermitGivers;
    if (account.role !== 'operator') {
      return isForCustomers || customersNeed.some((one) => actions.includes(one));
    }
    return needs === undefined || needs.some((one) => actions.includes(one));
  });
}
