import { type ReactNode, useEffect, useRef } from 'react';
import { useKiosk } from '../kiosk-context.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { LanguageList, LanguageMenu } from './languages.tsx';
import { SiteClock } from './site-clock.tsx';

interface FrameProps {
  title: string;
  lead?: ReactNode;
  /** The result, which the top shows by a colour and an icon. */
  tone?: 'good' | 'bad' | 'doubt';
  /** The way back; `start`: only to the beginning; `none`: not now. */
  way?: 'back' | 'start' | 'none';
  /** The content to look at. */
  children?: ReactNode;
  /** The elements to touch: low on the glass, within every person's reach. */
  controls?: ReactNode;
  /** Shows all languages at once. */
  languages?: boolean;
  className?: string;
}

/** The frame of all screens: title and time above, the way back, help and languages below. */
export function Frame(props: FrameProps) {
  const { title, lead, tone, way = 'back', children, controls, languages = false, className = '' } = props;
  const { words, site, largeText, dispatch } = useKiosk();
  const heading = useRef<HTMLHeadingElement>(null);
  // Screen readers begin here, and the keyboard's next stop is the first control.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={`frame ${className}`} data-tone={tone}>
      <svg className="scenery" viewBox="0 0 800 310" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
        <rect className="sky" y="-400" width="800" height="710" />
        <path
          className="far"
          d="M0 250 L120 150 L200 205 L330 95 L470 215 L560 160 L690 240 L800 190 V310 H0z"
        />
        <path className="near" d="M0 270 C150 215 300 255 430 250 S690 222 800 258 V310 H0z" />
        <path className="shore" d="M0 292 C200 270 420 306 800 282 V312 H0z" />
      </svg>
      <header className="top">
        <p className="site">
          <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
            <rect className="mark-ground" width="32" height="32" rx="8" />
            <path className="mark-post" d="M8 25V12h4v13z" />
            <path className="mark-arm" d="M11 15.500L26 9" />
          </svg>
          <span>{site.name}</span>
        </p>
        <SiteClock />
      </header>
      <main className="stage">
        <div className="view">
          <div className="heading">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {lead !== undefined && <p className="lead">{lead}</p>}
          </div>
          {children}
        </div>
        {controls !== undefined && <div className="controls">{controls}</div>}
      </main>
      <footer className="bottom">
        <div className="ways">
          {way === 'back' && (
            <Button kind="quiet" onPress={() => dispatch({ type: 'back' })}>
              <Icon name="back" />
              {words.back}
            </Button>
          )}
          {way !== 'none' && (
            <Button kind="quiet" onPress={() => dispatch({ type: 'start-over' })}>
              <Icon name="home" />
              {words.startOver}
            </Button>
          )}
        </div>
        <Button kind="quiet" onPress={() => dispatch({ type: 'help', open: true })}>
          <Icon name="help" />
          {words.help}
        </Button>
        <Button
          kind="quiet"
          className="larger"
          pressed={largeText}
          onPress={() => dispatch({ type: 'large-text', large: !largeText })}
        >
          <Icon name="letters" />
          {words.largeText}
        </Button>
        {languages ? <LanguageList /> : <LanguageMenu />}
      </footer>
    </div>
  );
}
