import type { BoardState } from '@hlid/edge/local-api/lane-routes';
import { LANGUAGE_NAMES, type OfficeLanguage } from '@hlid/protocol/base/language';
import { groupedNumber, wallClock } from '@hlid/protocol/words/lanes/lane-texts';
import { Occupancy } from '@hlid/ui/lanes/occupancy';
import icon from './icon.svg';
import type { SiteView } from './link/site-link.ts';
import { LANGUAGES, useWords } from './words/words.ts';

interface TopBarProps {
  view: SiteView;
  clock: { now: number; timeZone: string };
  language: OfficeLanguage;
  onChoose: (language: OfficeLanguage) => void;
  onLock: () => void;
}

/** The site's name, the cars inside, the link to the cloud, the choice of language, and a way to lock the page. */
export function TopBar({ view: { state, access }, clock, language, onChoose, onLock }: TopBarProps) {
  const words = useWords();
  return (
    <header id="top">
      <div className="site">
        <img src={icon} alt="" width="32" height="32" />
        <h1>{state?.site.name ?? 'Hlið'}</h1>
      </div>
      {state && <Occupancy zones={state.board.zones} />}
      {state && <CloudLink link={state.link} clock={clock} language={language} />}
      {access.hasSession && (
        <button type="button" className="button" onClick={onLock}>
          {words.pin.lock}
        </button>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div className="languages" role="group" aria-label={words.language}>
        {LANGUAGES.map((one) => (
          <button
            key={one}
            type="button"
            lang={one}
            title={LANGUAGE_NAMES[one]}
            aria-pressed={one === language}
            onClick={() => onChoose(one)}
          >
            <span aria-hidden="true">{one.toUpperCase()}</span>
            <span className="unseen">{LANGUAGE_NAMES[one]}</span>
          </button>
        ))}
      </div>
    </header>
  );
}

function CloudLink({
  link,
  clock,
  language,
}: { link: BoardState['link'] } & Pick<TopBarProps, 'clock' | 'language'>) {
  const words = useWords().link;
  const look = link === null ? 'alone' : link.connected ? 'connected' : 'away';
  const waiting = link === null ? 0 : Math.max(0, link.seq - link.acknowledged);
  return (
    <div className="link" data-link={look}>
      <p>
        <span className="dot" aria-hidden="true" />
        {link === null && words.alone}
        {link !== null && (
          <>
            <strong>
              {link.connected
                ? words.connected
                : words.away({ time: wallClock(link.since, clock, language) })}
            </strong>
            <span className="waiting">
              {waiting === 0
                ? words.upToDate
                : words.waiting({ count: groupedNumber(waiting, language), n: waiting })}
            </span>
          </>
        )}
      </p>
      {link?.lastError && <p className="detail">{link.lastError}</p>}
    </div>
  );
}
