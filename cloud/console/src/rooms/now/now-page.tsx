import type { LaneBoard } from '@hlid/protocol/site-link/site-board';
import { useEffect, useRef, useState } from 'react';
import { useLive } from '../../live/live-context.tsx';
import { LanePictureDialog } from '../../shell/picture-now.tsx';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { type Site, useSiteId, useSites } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { newsOf, type Said } from './announcements.ts';
import { CallList, useCalls, usePlaceOf } from './call-list.tsx';
import { useCallSound } from './call-sound.ts';
import { type LaneAct, LaneCard, lastingText } from './lane-card.tsx';
import { WORDS } from './now-words.ts';
import { OpenDialog } from './open-dialog.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { isFresh, type ShownBoard, siteNow } from './shown-board.ts';
import { SiteLanes } from './site-lanes.tsx';
import { useBoards, useSeconds } from './use-boards.ts';
import './now.css';

/** A lane with what surrounds it. */
interface LaneHere {
  key: string;
  site: Site;
  lane: LaneBoard;
  isFresh: boolean;
  /** The time of the site's clock. */
  now: number;
}

/** What happens at the lanes of a site, or of all sites, and the commands for them. */
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
  const begin = (verb: LaneAct) => (chosen?.isFresh ? () => setCommand({ key: chosen.key, verb }) : null);
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
  const wanted = lanes.find(({ key, isFresh }) => key === filters['open'] && isFresh)?.key;
  useEffect(() => {
    if (wanted === undefined) return;
    setChosenKey(wanted);
    setCommand({ key: wanted, verb: 'open' });
    setFilters({ open: null });
  }, [wanted, setFilters]);

  const commanded = lanes.find(({ key }) => key === command?.key);
  const dialog = { siteId: commanded?.site.id ?? '', onClose: () => setCommand(null) };
  return (
    <Page
      title={WORDS.title}
      actions={<SoundSwitch isRinging={calls.some((call) => call.state === 'ringing')} />}
    >
      <Announcements boards={boards} calls={calls} />
      <CallList calls={calls} now={now}>
        {lanes.length > 4 && waiting.length > 0 && (
          <nav className="row-acts" aria-label={WORDS.waitingFor}>
            {waiting.map(({ key, lane, now: there }) => (
              <Button key={key} onPress={() => focus(key)}>
                {lane.name}: {lane.car?.plate ?? WORDS.noPlate}
                {lane.since !== null && ` · ${lastingText(there - Date.parse(lane.since))}`}
              </Button>
            ))}
          </nav>
        )}
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
      {commanded && command?.verb === 'open' && <OpenDialog {...dialog} lane={commanded.lane} />}
      {commanded && command?.verb === 'picture' && <LanePictureDialog {...dialog} lane={commanded.lane} />}
      {commanded && command && command.verb !== 'open' && command.verb !== 'picture' && (
        <OrderDialog {...dialog} lane={commanded.lane} verb={command.verb} />
      )}
    </Page>
  );
}

function lanesOf(site: Site, shown: ShownBoard | undefined, now: number): LaneHere[] {
  const board = shown?.board;
  if (!shown || !board) return [];
  const there = { site, isFresh: isFresh(shown, now), now: siteNow(board, shown.cameAt, now) };
  return board.lanes.map((lane) => ({ key: `${site.id} ${lane.id}`, lane, ...there }));
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
function NumberedCard({ cardKey, cards, site, number, ...card }: CardProps) {
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
  return <LaneCard {...card} ref={ref} siteId={site.id} timeZone={site.timeZone} number={number} />;
}

function SoundSwitch({ isRinging }: { isRinging: boolean }) {
  const [isOn, setOn] = useCallSound(isRinging);
  return <CheckField label={WORDS.sound} isSelected={isOn} onChange={setOn} />;
}

/** What is asked of people stands in the title of the tab. */
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
    let said: Said = new Map();
    const speak = () => {
      const fresh = [...newest.current.values()].flatMap((shown) =>
        shown.board && isFresh(shown, Date.now()) ? { siteId: shown.siteId, lanes: shown.board.lanes } : [],
      );
      const news = newsOf(said, fresh);
      said = news.said;
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
