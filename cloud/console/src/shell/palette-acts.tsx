import { useRouterState } from '@tanstack/react-router';
import {
  CircleHelp,
  Languages,
  ListChecks,
  ListTodo,
  LogIn,
  LogOut,
  type LucideIcon,
  Moon,
  Plus,
  Sun,
  SunMoon,
  UserPlus,
} from 'lucide-react';
import type { KnownLane } from '../live/known-lanes.ts';
import { changeLanguage, LANGUAGE, wordsOf } from '../words/words.ts';
import { hasFirstSteps } from './first-steps.ts';
import { useLanes } from './lanes.ts';
import { useAddress, useGo } from './room-address.ts';
import { roomsOf } from './rooms.ts';
import { can, logOut, type Session, type SessionAction, useSession } from './session.ts';
import { useShortcuts } from './shortcuts.tsx';
import { useSiteId, useSites } from './site.ts';
import { changeTheme } from './theme.ts';

const WORDS = wordsOf('paletteActs');

/** Search words for each act in either language, beside its name. */
const ALSO = {
  dark: ['dark', 'dökkt', 'dökkur', 'theme', 'litir', 'þema'],
  light: ['light', 'ljóst', 'ljós', 'theme', 'litir', 'þema'],
  system: ['system', 'kerfi', 'theme', 'þema'],
  keys: ['keys', 'shortcuts', 'help', 'flýtilyklar', 'hjálp'],
  language: ['language', 'tungumál', 'english', 'íslenska'],
  firstSteps: ['checklist', 'first steps', 'gátlisti', 'uppsetning'],
  invite: ['invite', 'person', 'staff', 'colleague', 'account', 'bjóða', 'starfsmaður', 'aðgangur'],
  opening: ['wizard', 'set up', 'setup', 'test car', 'uppsetning', 'prófunarbíll'],
  out: ['log out', 'logout', 'sign out', 'skrá út', 'útskrá', 'útskráning'],
} as const;

/** Something that the palette does. */
export interface PaletteAct {
  id: string;
  label: string;
  /** Other names of the act. */
  also: readonly string[];
  /** The site of the act, shown beside its name. */
  place: string | null;
  icon: LucideIcon;
  run: () => void;
}

type Adds = keyof typeof WORDS.adds;

/** The records that the key `n` of a room may add. */
function isAdds(key: string): key is Adds {
  return key in WORDS.adds;
}

/** The act of the key `n` of a room. */
const ADDS: Readonly<Record<Adds, SessionAction>> = {
  visits: 'new-visit',
  permits: 'new-permit',
  customers: 'new-customer',
  vehicles: 'new-custody',
  quotas: 'new-quota',
  products: 'new-product',
  accounts: 'new-account',
  cameras: 'new-camera',
  zones: 'new-zone',
  sites: 'new-site',
  webhooks: 'new-webhook',
};

/** The lanes at which something can be opened. */
function gatesOf(lanes: readonly KnownLane[]): KnownLane[] {
  return lanes.filter(({ hasGate }) => hasGate);
}

/** The acts that a person can do from anywhere by name. */
export function usePaletteActs(): readonly PaletteAct[] {
  const session = useSession();
  const shortcuts = useShortcuts();
  const go = useGo();
  const addressOf = useAddress();
  const shown = useRouterState({ select: ({ location }) => location.pathname });
  const siteId = useSiteId();
  const sites = useSites().filter(({ id }) => siteId === null || id === siteId);
  const lanes = useLanes(sites.map(({ id }) => id));
  const watches = can(session, 'see-lanes');
  const adds = roomsOf(session).flatMap(({ key, path }): PaletteAct[] => {
    if (!isAdds(key) || !can(session, ADDS[key])) return [];
    const label = WORDS.adds[key];
    const run = () => {
      if (addressOf(path) === shown) return shortcuts.press('n');
      shortcuts.pressWhenThere('n');
      go(path);
    };
    return [{ id: `add-${key}`, label, also: [], place: null, icon: Plus, run }];
  });
  const openings = sites.flatMap((site) =>
    gatesOf(watches ? (lanes.get(site.id) ?? []) : []).map(
      ({ id, name, direction }): PaletteAct => ({
        id: `lane-${site.id}-${id}`,
        label: WORDS.open({ lane: name }),
        also: [name, `${direction} ${id.replaceAll('-', ' ')}`],
        place: sites.length > 1 ? site.name : null,
        icon: direction === 'entry' ? LogIn : LogOut,
        run: () => go('now', { open: `${site.id} ${id}` }),
      }),
    ),
  );
  const themes = { dark: Moon, light: Sun, system: SunMoon } as const;
  const looks = (['dark', 'light', 'system'] as const).map(
    (theme): PaletteAct => ({
      id: `theme-${theme}`,
      label: WORDS.themes[theme],
      also: ALSO[theme],
      place: null,
      icon: themes[theme],
      run: () => changeTheme(theme),
    }),
  );
  return [
    ...openings,
    ...adds,
    ...placesOf(session, siteId, go),
    ...looks,
    {
      id: 'language',
      label: WORDS.language,
      also: ALSO.language,
      place: null,
      icon: Languages,
      run: () => changeLanguage(LANGUAGE === 'is' ? 'en' : 'is'),
    },
    {
      id: 'keys',
      label: WORDS.keys,
      also: ALSO.keys,
      place: null,
      icon: CircleHelp,
      run: () => shortcuts.showHelp(),
    },
    { id: 'out', label: WORDS.logOut, also: ALSO.out, place: null, icon: LogOut, run: logOut },
  ];
}

/** The acts that have a page of their own. */
function placesOf(
  session: Session,
  siteId: string | null,
  go: ReturnType<typeof useGo>,
): readonly PaletteAct[] {
  const acts: readonly (Omit<PaletteAct, 'place'> & { isThere: boolean })[] = [
    {
      id: 'invite',
      label: WORDS.invite,
      also: ALSO.invite,
      icon: UserPlus,
      isThere: can(session, 'new-account') || can(session, 'invite-staff'),
      run: () => go('accounts', { invite: 'yes' }),
    },
    {
      id: 'opening',
      label: WORDS.opening,
      also: ALSO.opening,
      icon: ListChecks,
      isThere: siteId !== null && can(session, 'set-up-sites'),
      run: () => go('opening'),
    },
    {
      id: 'first-steps',
      label: WORDS.firstSteps,
      also: ALSO.firstSteps,
      icon: ListTodo,
      isThere: hasFirstSteps(session),
      run: () => go('first-steps'),
    },
  ];
  return acts.flatMap(({ isThere, ...act }) => (isThere ? [{ ...act, place: null }] : []));
}
