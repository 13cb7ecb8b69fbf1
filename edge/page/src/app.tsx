import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { type Announced, newsOf } from '@hlid/protocol/words/lanes/lane-news';
import { wallClock } from '@hlid/protocol/words/lanes/lane-texts';
import { useLoadedLanguage } from '@hlid/ui/dictionary';
import { AlertList } from '@hlid/ui/lanes/attention';
import { LaneWordsContext } from '@hlid/ui/lanes/lane-words';
import { WaitingList } from '@hlid/ui/lanes/waiting-list';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CodeForm } from './code-form.tsx';
import { type Command, CommandDialog } from './command-dialog.tsx';
import { Alarms, Devices } from './devices.tsx';
import { Lanes } from './lanes.tsx';
import { send } from './link/calls.ts';
import { type SiteView, useSiteLink, useSiteTime } from './link/site-link.ts';
import { PinForm } from './pin-form.tsx';
import { TopBar } from './top-bar.tsx';
import { DICTIONARY, LANGUAGES, laneWords, storeLanguage, WordsProvider } from './words/words.ts';

/** The lanes of a site, for people on site: what happens, who waits, and the commands for the gates. */
export function App({ firstLanguage }: { firstLanguage: OfficeLanguage }) {
  const [wanted, setWanted] = useState(firstLanguage);
  const language = useLoadedLanguage(DICTIONARY, wanted, LANGUAGES);
  const words = DICTIONARY.wordsOf(language);
  const lanes = useMemo(() => laneWords(language), [language]);
  const { link, view } = useSiteLink();
  const { state, access, lostSince } = view;
  const now = useSiteTime(view);
  const [command, setCommand] = useState<Command | null>(null);
  const [chosen, setChosen] = useState<{ laneId: string } | null>(null);
  const { announcement, announce } = useAnnouncements(view, lanes);
  const timeZone = state?.site.timeZone ?? 'UTC';
  const clock = { now, timeZone };

  useEffect(() => {
    document.documentElement.lang = language;
    document.title = state === null ? 'Hlið' : `${state.site.name} – ${words.title}`;
  }, [language, state, words]);

  const choose = (chosen: OfficeLanguage) => {
    storeLanguage(chosen);
    setWanted(chosen);
  };
  const lock = async () => {
    await send('DELETE', '/api/access', {});
    location.reload();
  };
  const updateAccess = () => void link.updateAccess();
  const board = state?.board;
  const waiting = (board?.waiting ?? []).flatMap((id) => {
    const lane = board?.lanes.find((one) => one.id === id);
    return lane ? [{ key: id, lane, now }] : [];
  });
  const commanded = board?.lanes.find(({ id }) => id === command?.laneId);
  return (
    <WordsProvider value={words}>
      <LaneWordsContext value={lanes}>
        <div className={lostSince === null ? undefined : 'stale'}>
          <TopBar view={view} clock={clock} language={language} onChoose={choose} onLock={lock} />
          {lostSince !== null && access.mayView && (
            <p className="lost" role="alert">
              <strong>{words.daemonLost({ time: wallClock(lostSince, clock, language) })}</strong>{' '}
              {words.daemonLostMore}
            </p>
          )}
          <main>
            {state && <Alarms state={state} clock={clock} />}
            {board && waiting.length + board.alerts.length > 0 && (
              <section id="waiting" className="waits">
                {waiting.length > 0 && <h2>{lanes.texts.waitingCars}</h2>}
                <WaitingList waiting={waiting} onChoose={(laneId) => setChosen({ laneId })} />
                <AlertList board={board} clock={clock} />
              </section>
            )}
            {state?.link && (
              <CodeForm state={state} mayAct={access.mayAct} onDone={announce} onPin={updateAccess} />
            )}
            {!access.mayView && <PinForm onEntered={() => void link.start()} />}
            {access.mayView && state === null && <p className="quiet">{words.connecting}</p>}
            {state && (
              <Lanes
                state={state}
                clock={clock}
                isFresh={lostSince === null}
                chosen={chosen}
                onCommand={setCommand}
              />
            )}
            {state && <Devices state={state} clock={clock} />}
          </main>
          <p id="spoken" className="unseen" role="status">
            {announcement}
          </p>
          {command && commanded && (
            <CommandDialog
              action={command.action}
              lane={commanded}
              mayAct={access.mayAct}
              onDone={announce}
              onPin={updateAccess}
              onClose={() => setCommand(null)}
            />
          )}
        </div>
      </LaneWordsContext>
    </WordsProvider>
  );
}

/** The text for screen readers: what is new at the lanes, and what was done. */
function useAnnouncements({ state }: SiteView, words: ReturnType<typeof laneWords>) {
  const [announcement, announce] = useState('');
  const announced = useRef<Announced | null>(null);
  const board = state?.board;
  useEffect(() => {
    if (!board) return;
    const boards = [{ siteId: '', lanes: board.lanes }];
    const news = newsOf(announced.current ?? new Map(), boards, words);
    // The first news that a page shows is old and is not announced.
    if (announced.current !== null && news.text !== '') announce(news.text);
    announced.current = news.announced;
  }, [board, words]);
  return { announcement, announce };
}
