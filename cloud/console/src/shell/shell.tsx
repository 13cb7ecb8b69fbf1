import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { CircleHelp, LogOut, Menu as MenuIcon, Search } from 'lucide-react';
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react';
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { setRefusalTimeZone } from '../calls/refusal-words.ts';
import { LiveProvider, useLive } from '../live/live-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { BesideTitle } from '../ui/page.tsx';
import { Loading } from '../ui/states.tsx';
import { durationText, useNow } from '../ui/time.tsx';
import { changeLanguage, LANGUAGE, wordsOf } from '../words/words.ts';
import { BADGES } from './badges.ts';
import { hasFirstSteps } from './first-steps.ts';
import { FirstStepsLine } from './first-steps-line.tsx';
import { FIXED_KEYS, ListKeys, rowToEnter } from './list-keys.tsx';
import { Palette } from './palette.tsx';
import { RoomHelp } from './room-help.tsx';
import { ROOM_NAMES } from './room-names.ts';
import { ROOMS, type Room, roomsOf, startRoom } from './rooms.ts';
import { isOperator, logOut, useSession } from './session.ts';
import { ShortcutProvider, useShortcut, useShortcuts } from './shortcuts.tsx';
import { useTimeZone } from './site.ts';
import { SitePicker } from './site-picker.tsx';
import { changeTheme, THEMES } from './theme.ts';

const ROOM_HELP = <RoomHelp />;
const WORDS = wordsOf('shell');

/** The frame around every room: menu, site, search, connection. */
export function Shell() {
  return (
    <LiveProvider>
      <ShortcutProvider fixed={FIXED_KEYS}>
        <Frame />
      </ShortcutProvider>
    </LiveProvider>
  );
}

function Frame() {
  const session = useSession();
  const timeZone = useTimeZone();
  useEffect(() => setRefusalTimeZone(timeZone), [timeZone]);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { site = '' } = useParams({ strict: false });
  useShortcut('mod+k', WORDS.find, () => setPaletteOpen(true));
  useShortcut('/', WORDS.find, () => setPaletteOpen(true));
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useKeptFocus(main, path);
  const rooms = roomsOf(session);
  const start = startRoom(session);
  const isStart = start !== undefined && path === `/${site}/${start.path}`;
  const entry = rooms.find((room) => path.startsWith(`/${site}/${room.path}`)) ?? rooms[0];

  return (
    <div className={isMenuOpen ? 'shell menu-open' : 'shell'}>
      <SkipLinks />
      <ListKeys />
      <header className="bar">
        <IconButton label={WORDS.menu} onPress={() => setMenuOpen(!isMenuOpen)}>
          <MenuIcon size={18} />
        </IconButton>
        {isOperator(session) ? <SitePicker /> : <strong>{session.account.name}</strong>}
        <AriaButton className="find" aria-label={`${WORDS.find} Ctrl K`} onPress={() => setPaletteOpen(true)}>
          <Search size={14} aria-hidden="true" />
          <span>{WORDS.find}</span>
          <kbd>Ctrl K</kbd>
        </AriaButton>
        <Connection />
        <AccountMenu />
      </header>
      <nav className="rooms" aria-label={WORDS.rooms} onKeyDown={moveBetweenRooms}>
        {GROUPS.map((group) => (
          <ul key={group}>
            {rooms
              .filter((room) => room.group === group)
              .map((room) => (
                <li key={room.key}>
                  <RoomLink
                    room={room}
                    site={site}
                    isEntry={room === entry}
                    onGo={() => setMenuOpen(false)}
                  />
                </li>
              ))}
          </ul>
        ))}
      </nav>
      <main id="content" tabIndex={-1} ref={main}>
        <StaleNotice />
        {isStart && hasFirstSteps(session) && <FirstStepsLine />}
        <BesideTitle value={ROOM_HELP}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </BesideTitle>
      </main>
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </div>
  );
}

const GROUPS = ['day', 'office', 'system'] as const;

/** The ways past menu and filters, shown when they have the focus. */
function SkipLinks() {
  return (
    <>
      <button
        type="button"
        className="skip to-list"
        onClick={() => {
          const row = rowToEnter();
          row?.focus();
          row?.scrollIntoView({ block: 'nearest' });
        }}
      >
        {WORDS.skipToList}
      </button>
      <a className="skip" href="#content">
        {WORDS.skip}
      </a>
    </>
  );
}

/** The menu is one stop of the Tab key: arrows go from room to room. */
function moveBetweenRooms(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const place = links.indexOf(document.activeElement as HTMLAnchorElement);
  const steps: Record<string, number> = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    Home: 0,
    End: links.length - 1,
  };
  const to = steps[event.key];
  if (place < 0 || to === undefined) return;
  event.preventDefault();
  links.at(to % links.length)?.focus();
}

/** Another page begins at its content where what had the focus is gone with the former one. */
function useKeptFocus(main: { current: HTMLElement | null }, path: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [main, path]);
}

const MAX_SHOWN = 99;

function RoomLink({
  room,
  site,
  isEntry,
  onGo,
}: {
  room: Room;
  site: string;
  /** The one that the Tab key reaches. */
  isEntry: boolean;
  onGo: () => void;
}) {
  const navigate = useNavigate();
  const to = `/${site}/${room.path}`;
  const useCount = BADGES[room.key];
  useShortcut(
    `g ${room.letter ?? ''}`,
    WORDS.goTo({ room: ROOM_NAMES[room.key] }),
    room.letter === undefined ? null : () => void navigate({ to }),
  );
  return (
    <Link to={to} onClick={onGo} tabIndex={isEntry ? 0 : -1} activeProps={{ 'aria-current': 'page' }}>
      <room.icon size={16} aria-hidden="true" />
      <span>{ROOM_NAMES[room.key]}</span>
      {useCount && <WaitingCount useCount={useCount} />}
    </Link>
  );
}

function WaitingCount({ useCount }: { useCount: () => number }) {
  const count = useCount();
  if (count === 0) return null;
  return (
    <span className="waiting-count">
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count} <span className="unseen">{WORDS.waiting}</span>
    </span>
  );
}

/** Whether what is shown follows what happens. */
function Connection() {
  const { state } = useLive();
  const look = state.isStale ? 'stale' : state.isConnected ? 'live' : 'connecting';
  const text = state.isConnected ? WORDS.live : WORDS.connecting;
  return (
    <span className={`connection ${look}`} title={text}>
      <i aria-hidden="true" />
      <span>{text}</span>
    </span>
  );
}

function StaleNotice() {
  const { state } = useLive();
  const now = useNow();
  useEffect(() => {
    document.documentElement.classList.toggle('stale', state.isStale);
  }, [state.isStale]);
  if (!state.isStale) return null;
  return (
    <p className="notice caution" role="status">
      {WORDS.stale({ since: durationText(now - state.receivedAt) })}
    </p>
  );
}

function AccountMenu() {
  const session = useSession();
  const shortcuts = useShortcuts();
  const navigate = useNavigate();
  const { site = 'all' } = useParams({ strict: false });
  const own = ROOMS.find(({ key }) => key === 'login');
  const acts: Record<string, () => void> = {
    own: () => void navigate({ to: `/${site}/login` }),
    language: () => changeLanguage(LANGUAGE === 'is' ? 'en' : 'is'),
    keys: () => shortcuts.showHelp(),
    out: logOut,
    ...Object.fromEntries(THEMES.map((theme) => [theme, () => changeTheme(theme)])),
  };
  return (
    <MenuTrigger>
      <AriaButton className="button quiet account" aria-label={`${WORDS.account}: ${session.account.name}`}>
        {session.account.name}
      </AriaButton>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" onAction={(key) => acts[String(key)]?.()}>
          {own ? <MenuItem id="own">{ROOM_NAMES.login}</MenuItem> : null}
          <MenuItem id="language">{WORDS.language}</MenuItem>
          {THEMES.map((theme) => (
            <MenuItem key={theme} id={theme}>
              {WORDS.themes[theme]}
            </MenuItem>
          ))}
          <MenuItem id="keys" textValue={WORDS.keys}>
            <CircleHelp size={14} aria-hidden="true" /> {WORDS.keys}
          </MenuItem>
          <MenuItem id="out" textValue={WORDS.logOut}>
            <LogOut size={14} aria-hidden="true" /> {WORDS.logOut}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
