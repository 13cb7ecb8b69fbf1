import { LANGUAGE_NAMES, LANGUAGES, type Language } from '@hlid/protocol/base/language';
import { KeptIn } from '@hlid/ui/kept';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { usePage } from '../pay-context.ts';
import type { Notice } from '../state/pay-state.ts';
import { noticeText } from '../words/words.ts';
import { Icon } from './icon.tsx';

interface FrameProps {
  title: string;
  /** A part of the title that a browser's translation leaves as it is. */
  keep?: string;
  /** The title is for readers of the screen only: something else shows it. */
  hideTitle?: boolean;
  lead?: string | undefined;
  notice?: Notice | null;
  /** The error, in words, where it is no notice of a payment. */
  problem?: string | undefined;
  /** The buttons at the thumb. */
  actions?: ReactNode;
  /** Makes the screen a form. */
  onSubmit?: () => void;
  className?: string;
  children?: ReactNode;
}

/** A screen: its heading, what it shows, and its buttons at the bottom. The focus goes to the heading when it comes up. */
export function Frame(props: FrameProps) {
  const {
    title,
    keep = '',
    hideTitle = false,
    lead,
    notice = null,
    problem,
    actions,
    onSubmit,
    className = '',
    children,
  } = props;
  const { words, canGoBack } = usePage();
  const heading = useRef<HTMLHeadingElement>(null);
  // A screen with another title is another screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [title]);
  const content = (
    <>
      <div className="view">
        {canGoBack && (
          <button type="button" className="button quiet back" onClick={() => history.back()}>
            <Icon name="back" />
            {words.back}
          </button>
        )}
        <h1 ref={heading} tabIndex={-1} className={hideTitle ? 'unseen' : ''}>
          <KeptIn text={title} part={keep} />
        </h1>
        {lead !== undefined && <p className="lead">{lead}</p>}
        <NoticeBox notice={notice} problem={problem} />
        {children}
      </div>
      {actions !== undefined && <div className="actions">{actions}</div>}
    </>
  );
  if (!onSubmit) return <main className={`screen ${className}`}>{content}</main>;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <main className={`screen ${className}`}>
      <form className="screen" noValidate onSubmit={submit}>
        {content}
      </form>
    </main>
  );
}

/** The error, or the end of a payment; read aloud when it comes up. */
function NoticeBox({ notice, problem }: { notice: Notice | null; problem: string | undefined }) {
  const { words } = usePage();
  const text = notice === null ? problem : noticeText(notice, words);
  const isCalm = notice === 'nothing-charged';
  return (
    <div role="status" className="notices">
      {text !== undefined && (
        <p className="notice" data-tone={isCalm ? 'plain' : 'doubt'}>
          <Icon name={isCalm ? 'info' : 'alert'} />
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}

/** The top of the page: where the driver is, and the language. */
export function TopBar() {
  const { site, words, language, setLanguage } = usePage();
  return (
    <header className="top">
      <span className="site">
        <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
          <rect className="mark-ground" width="32" height="32" rx="7" />
          <rect className="mark-post" x="6" y="13" width="5" height="14" rx="1" />
          <path className="mark-arm" d="M10 16L25 7" />
        </svg>
        <span>{site?.name ?? words.title}</span>
      </span>
      <span className="language">
        <Icon name="globe" />
        <span aria-hidden="true">{language.toUpperCase()}</span>
        <select
          aria-label={words.languages}
          value={language}
          onChange={({ target }) => setLanguage(target.value as Language)}
        >
          {LANGUAGES.map((each) => (
            <option key={each} value={each} lang={each}>
              {LANGUAGE_NAMES[each]}
            </option>
          ))}
        </select>
      </span>
    </header>
  );
}

/** The seller of the parking, as the law requires before a payment, and the telephone number. */
export function PageFoot() {
  const { site, words } = usePage();
  if (site === null) return null;
  const { seller, helpPhone } = site;
  return (
    <footer className="foot">
      {helpPhone !== null && (
        <a className="button quiet" href={`tel:${helpPhone.replace(/[^\d+]/g, '')}`}>
          <Icon name="phone" />
          <KeptIn text={words.call({ phone: helpPhone })} part={helpPhone} />
        </a>
      )}
      {seller !== null && (
        <p translate="no">{[seller.name, seller.ssn, seller.address].filter(Boolean).join(' · ')}</p>
      )}
      {site.gateway?.isTest && <p className="test">{words.test}</p>}
    </footer>
  );
}
