import type { BoardCar, LaneBoard } from '@hlid/protocol/site-link/site-board';
import { type Announced, newsOf } from '@hlid/protocol/words/lanes/lane-news';
import { LaneCard } from '@hlid/ui/lanes/lane-card';
import { LaneWordsContext } from '@hlid/ui/lanes/lane-words';
import { WaitingList } from '@hlid/ui/lanes/waiting-list';
import { Link } from '@tanstack/react-router';
import { Camera } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLive } from '../../live/live-context.tsx';
import { LanePictureDialog } from '../../shell/picture-now.tsx';
import { can, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { type Site, useSiteId, useSites } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { IconButton } from '../../ui/button.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { PhotoPicture } from '../../ui/picture.tsx';
import { Empty } from '../../ui/states.tsx';
import { CallList, useCalls, usePlaceOf } from './call-list.tsx';
import { useCallSound } from './call-sound.ts';
import type { LaneVerb } from './gate-commands.ts';
import { LANE } from './lane-words.ts';
import { WORDS } from './now-words.ts';
import { OpenDialog } from './open-dialog.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { isFresh, type LaneAction, type ShownBoard, siteNow } from './shown-board.ts';
import { SiteLanes } from './site-lanes.tsx';
import { useBoards, useSeconds } from './use-boards.ts';
import './now.css';

/** An act of a person at a lane: a command for its gate, or a picture taken now. */
type LaneAct = LaneVerb | 'picture';

/** A lane with what surrounds it. */
interface LaneHere {
  key: string;
  site: Site;
  lane: LaneBoard;
  /** All lanes of the site. */
  lanes: readonly LaneBoard[];
  isFresh: boolean;
  /** The time of the site's clock. */
  now: number;
  actions: readonly LaneAction[];
}

/** The lanes of a site, or of all sites, live, and the commands for them. */
export function NowPage() {
  const siteId = useSiteId();
  const sites = useSites().filter(({ id }) => siteId === null || id === siteId);
  const { state } = useLive();
  const now = useSeconds();
  const boards = useBoards(sites.map(({ id }) => id));
  const calls = useCalls(siteId);
  const lanes = sites.flatMap((site) => lanesOf(site, boards.get(site.id), now));
  const waiting = lanes
    .filter(({ lane, ...one }) => one.isFresh && lane.state === 'waiting')
    .toSorted((one, other) => (one.lane.since ?? '').localeCompare(other.lane.since ?? ''));
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const [command, setCommand] = useState<{ key: string; verb: LaneAct } | null>(null);
  const cards = useRef(new Map<string, HTMLElement>());

  const chosen =
    lanes.find(({ key }) => key === chosenKey) ?? waiting[0] ?? (lanes.length === 1 ? lanes[0] : undefined);
  const begin = (verb: LaneAct) =>
    chosen?.isFresh && chosen.actions.includes(verb) ? () => setCommand({ key: chosen.key, verb }) : null;
  const focus = (key: string) => {
    setChosenKey(key);
    cards.current.get(key)?.focus();
  };
  useShortcut('o', WORDS.openKey, begin('open'));
  useShortcut('h', WORDS.holdKey, begin('hold'));
  useShortcut('p', WORDS.pictureKey, begin('picture'));
  useTitle(calls.filter(({ state: call }) => call === 'ringing').length, waiting.length);

  // A lane that the palette opens: as soon as it is known what happens there.
  const { filters, setFilters } = useFilters();
  const wanted = lanes.find(
    ({ key, isFresh, actions }) => key === filters['open'] && isFresh && actions.includes('open'),
  )?.key;
  useEffect(() => {
    if (wanted === undefined) return;
    setChosenKey(wanted);
    setCommand({ key: wanted, verb: 'open' });
    setFilters({ open: null });
  }, [wanted, setFilters]);

  const commanded = lanes.find(({ key }) => key === command?.key);
  const dialog = { siteId: commanded?.site.id ?? '', onClose: () => setCommand(null) };
  return (
    <LaneWordsContext value={LANE}>
      <Page
        title={WORDS.title}
        actions={<SoundSwitch isRinging={calls.some((call) => call.state === 'ringing')} />}
      >
        <Announcements boards={boards} calls={calls} />
        <CallList calls={calls} now={now}>
          {lanes.length > 4 && waiting.length > 0 && <WaitingList waiting={waiting} onChoose={focus} />}
        </CallList>
        {sites.length === 0 && (
          <Empty title={WORDS.noSites}>
            <p>{WORDS.noSitesHint}</p>
          </Empty>
        )}
        {sites.map((site) => (
          <SiteLanes
            key={site.id}
            site={site}
            shown={boards.get(site.id)}
            now={now}
            isConnected={state.isConnected}
          >
            {lanes.map(({ key, ...here }, place) =>
              here.site.id !== site.id ? null : (
                <NumberedCard
                  key={key}
                  {...here}
                  number={place < 9 ? place + 1 : null}
                  isChosen={chosen?.key === key}
                  onChoose={() => setChosenKey(key)}
                  onCommand={(verb) => setCommand({ key, verb })}
                  cards={cards.current}
                  cardKey={key}
                />
              ),
            )}
          </SiteLanes>
        ))}
        {commanded && command?.verb === 'open' && (
          <OpenDialog {...dialog} lane={commanded.lane} settles={commanded.actions.includes('settle')} />
        )}
        {commanded && command?.verb === 'picture' && <LanePictureDialog {...dialog} lane={commanded.lane} />}
        {commanded && command && command.verb !== 'open' && command.verb !== 'picture' && (
          <OrderDialog {...dialog} lane={commanded.lane} verb={command.verb} />
        )}
      </Page>
    </LaneWordsContext>
  );
}

function lanesOf(site: Site, shown: ShownBoard | undefined, now: number): LaneHere[] {
  const board = shown?.board;
  if (!shown || !board) return [];
  const { actions, cameAt } = shown;
  const there = { site, isFresh: isFresh(shown, now), now: siteNow(board, cameAt, now) };
  return board.lanes.map((lane) => ({
    key: `${site.id} ${lane.id}`,
    lane,
    lanes: board.lanes,
    actions: lane.gate.state === 'none' ? actions.filter((action) => action === 'picture') : actions,
    ...there,
  }));
}

interface CardProps extends Omit<LaneHere, 'key'> {
  cardKey: string;
  number: number | null;
  isChosen: boolean;
  onChoose: () => void;
  onCommand: (verb: LaneAct) => void;
  cards: Map<string, HTMLElement>;
}

/** A card that the key of its number chooses. */
function NumberedCard({ cardKey, cards, site, number, actions, onCommand, ...card }: CardProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    cards.set(cardKey, element);
    return () => void cards.delete(cardKey);
  }, [cardKey, cards]);
  useShortcut(
    String(number),
    WORDS.selectLane({ n: number ?? 0 }),
    number === null ? null : () => ref.current?.focus(),
  );
  const maySee = can(useSession(), 'see-visits');
  return (
    <LaneCard
      {...card}
      ref={ref}
      timeZone={site.timeZone}
      number={number}
      closes
      allows={(action) => actions.includes(action)}
      onCommand={onCommand}
      more={
        actions.includes('picture') && (
          <IconButton
            label={`${WORDS.pictureNow}: ${card.lane.name}`}
            isDisabled={!card.isFresh}
            onPress={() => onCommand('picture')}
          >
            <Camera size={16} aria-hidden="true" />
          </IconButton>
        )
      }
      pictureOf={(car, name) => maySee && <CarPicture car={car} name={name} />}
      moreAbout={({ visitId, plate }) =>
        maySee &&
        visitId !== null && (
          <Link
            to={`/${site.id}/visits/${visitId}`}
            aria-label={`${WORDS.visit}: ${plate ?? LANE.texts.noPlate}`}
          >
            {WORDS.visit}
          </Link>
        )
      }
    />
  );
}

function CarPicture({ car, name }: { car: BoardCar; name: string }) {
  if (car.picture === 'there') return <PhotoPicture photoId={car.photoId} name={name} />;
  if (car.picture === 'none') return null;
  return <span className="picture medium missing">{WORDS.pictureComing}</span>;
}

function SoundSwitch({ isRinging }: { isRinging: boolean }) {
  const [isOn, setOn] = useCallSound(isRinging);
  return <CheckField label={WORDS.sound} isSelected={isOn} onChange={setOn} />;
}

/** The title of the tab has the numbers of calls and of waiting cars. */
function useTitle(calls: number, waiting: number): void {
  const counts = [
    ...(calls > 0 ? [WORDS.countedCalls({ calls })] : []),
    ...(waiting > 0 ? [WORDS.countedWaiting({ waiting })] : []),
  ].join(', ');
  useEffect(() => {
    document.title = `${counts === '' ? '' : `(${counts}) `}${WORDS.title} · Hlið`;
  }, [counts]);
}

const SPEAK_EVERY_MS = 5000;

/** The text for screen readers: calls at once, what happens at lanes in one text every few seconds. */
function Announcements({
  boards,
  calls,
}: {
  boards: ReadonlyMap<string, ShownBoard>;
  calls: ReturnType<typeof useCalls>;
}) {
  const placeOf = usePlaceOf();
  const [text, setText] = useState('');
  const newest = useRef(boards);
  useEffect(() => {
    newest.current = boards;
  }, [boards]);
  useEffect(() => {
    let announced: Announced = new Map();
    const speak = () => {
      const fresh = [...newest.current.values()].flatMap((shown) =>
        shown.board && isFresh(shown, Date.now()) ? { siteId: shown.siteId, lanes: shown.board.lanes } : [],
      );
      const news = newsOf(announced, fresh, LANE);
      announced = news.announced;
      if (news.text !== '') setText(news.text);
    };
    const speaking = setInterval(speak, SPEAK_EVERY_MS);
    return () => clearInterval(speaking);
  }, []);
  return (
    <>
      <p className="unseen" role="status">
        {text}
      </p>
      <div className="unseen" role="alert">
        {calls
          .filter(({ state }) => state === 'ringing')
          .map((call) => (
            <p key={call.id}>{WORDS.callFrom({ place: placeOf(call) })}</p>
          ))}
      </div>
    </>
  );
}
