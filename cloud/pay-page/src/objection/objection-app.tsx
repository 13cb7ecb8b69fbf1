import type { Language } from '@hlid/protocol/base/language';
import { MAX_LETTER } from '@hlid/protocol/base/limits';
import { formatMoney } from '@hlid/protocol/base/money';
import type { PayFault, PayObjection } from '@hlid/protocol/pages/pay-api';
import { useLoadedLanguage } from '@hlid/ui/dictionary';
import { type FormEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { read, write } from '../driver-storage.ts';
import { type Answer, PayCloud } from '../pay-cloud.ts';
import { type Page, PageContext, usePage } from '../pay-context.ts';
import { momentText } from '../site-clock.ts';
import { Frame, TopBar } from '../ui/frame.tsx';
import { usePageLanguage } from '../words/use-page-language.ts';
import { DICTIONARY, noticeText, wordsOf } from '../words/words.ts';
import { type ObjectionWords, objectionWordsOf } from './objection-words.ts';
import '../contest/contest.css';
import './objection.css';

const LINK_KEY = 'hlid.objection';

/**
 * The key of the dispute that this page shows. The address loses it at once, so the tab keeps it over a reload; storage
 * may be forbidden.
 *
 * @param given by the address
 */
function keptLink(given: string | null): string | null {
  if (given === null) return read(() => sessionStorage.getItem(LINK_KEY));
  read(() => write(sessionStorage, LINK_KEY, given));
  return given;
}

/** One dispute, for whoever has its link. */
export function ObjectionApp({ language: first, link: given }: { language: Language; link: string | null }) {
  const [link] = useState(() => keptLink(given));
  const [wanted, setLanguage] = useState(first);
  const language = useLoadedLanguage(DICTIONARY, wanted);
  const words = wordsOf(language);
  usePageLanguage(language, objectionWordsOf(language).title);
  useEffect(() => {
    // A link that is followed where the page is open already only changes what is behind `#`.
    const follow = () => location.reload();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const page: Page = { language, words, site: null, canGoBack: false, setLanguage };
  return (
    <PageContext value={page}>
      <TopBar />
      <ObjectionScreen link={link} />
    </PageContext>
  );
}

type Call = (cloud: PayCloud, link: string, signal: AbortSignal) => Promise<Answer<PayObjection>>;

/** The dispute as the cloud last answered, and the calls that change it. */
function useObjection(link: string | null) {
  const cloud = useMemo(() => new PayCloud(), []);
  const [shown, setShown] = useState<PayObjection | null>(null);
  const [fault, setFault] = useState<PayFault | null>(link === null ? 'expired' : null);
  const [isBusy, setBusy] = useState(false);
  const calls = useRef<AbortController | null>(null);
  const run = useCallback(
    async (call: Call): Promise<boolean> => {
      if (link === null) return false;
      calls.current?.abort();
      const control = new AbortController();
      calls.current = control;
      setBusy(true);
      const answer = await call(cloud, link, control.signal);
      if (control.signal.aborted) return false;
      setBusy(false);
      setFault(answer.kind === 'ok' ? null : answer.kind === 'refused' ? answer.fault : 'unavailable');
      if (answer.kind === 'ok') setShown(answer.value);
      return answer.kind === 'ok';
    },
    [cloud, link],
  );
  useEffect(() => {
    void run((at, key, signal) => at.objection(key, signal));
    return () => calls.current?.abort();
  }, [run]);
  return { shown, fault, isBusy, run };
}

function ObjectionScreen({ link }: { link: string | null }) {
  const { words, language } = usePage();
  const own = objectionWordsOf(language);
  const { shown, fault, isBusy, run } = useObjection(link);
  if (shown === null) {
    const isOver = fault === 'expired';
    return (
      <Frame title={own.title} actions={<span />}>
        <div role="status">
          {fault !== null && <p className="mistake">{isOver ? own.ended : noticeText(fault, words)}</p>}
        </div>
      </Frame>
    );
  }
  const isOpen = shown.dispute.state === 'open';
  return (
    <Frame title={own.title} actions={<span />}>
      <Facts shown={shown} />
      <Letters shown={shown} />
      <div role="status">
        {fault !== null && (
          <p className="mistake">{fault === 'disputed' ? words.contest.closed : noticeText(fault, words)}</p>
        )}
      </div>
      {isOpen && (
        <MessageForm
          isBusy={isBusy}
          onSend={(text) => run((cloud, key, signal) => cloud.writeObjection(key, text, signal))}
          onWithdraw={() => void run((cloud, key, signal) => cloud.withdrawObjection(key, signal))}
        />
      )}
    </Frame>
  );
}

function Facts({ shown }: { shown: PayObjection }) {
  const { words, language } = usePage();
  const { dispute, plate, invoiceNumber, siteName, answerBy, timeZone, answer } = shown;
  const { state } = dispute;
  const own = objectionWordsOf(language);
  const about = plate ?? (invoiceNumber === null ? null : words.invoice.title({ number: invoiceNumber }));
  const given = answer?.given ?? null;
  return (
    <section className="objection-facts">
      <p className="objection-about" translate="no">
        {[about, siteName].filter((part) => part !== null).join(' · ')}
      </p>
      <p className="notice contest-state" data-tone="plain" role="status">
        {state === 'open' || state === 'other' ? words.contest.open : words.contest[state]}
      </p>
      {state === 'open' && <p>{own.by({ at: momentText(answerBy, new Date(), timeZone, language) })}</p>}
      {given !== null && given.way !== 'other' && (
        <p>
          <strong>{givenText(given, language, own.given)}</strong>
        </p>
      )}
    </section>
  );
}

type Given = NonNullable<NonNullable<PayObjection['answer']>['given']>;

function givenText(given: Given, language: Language, words: ObjectionWords['given']): string {
  const amount = formatMoney(given, language);
  const { way } = given;
  if (way === 'other') return amount;
  return way === 'void' ? words.void : words[way]({ amount });
}

/** What both sides wrote, oldest first. */
function Letters({ shown }: { shown: PayObjection }) {
  const { language } = usePage();
  const { text, openedAt, messages, answer, timeZone } = shown;
  const letters = [
    { side: 'driver' as const, text, at: openedAt },
    ...messages,
    ...(answer === null ? [] : [{ side: 'office' as const, text: answer.text, at: answer.at }]),
  ];
  return (
    <ol className="objection-letters">
      {letters.map((letter) => (
        <li key={`${letter.side} ${letter.at}`} data-side={letter.side}>
          <p className="hint">
            {objectionWordsOf(language)[letter.side]} ·{' '}
            {momentText(letter.at, new Date(), timeZone, language)}
          </p>
          <blockquote translate="no">{letter.text}</blockquote>
        </li>
      ))}
    </ol>
  );
}

interface FormProps {
  isBusy: boolean;
  onSend: (text: string) => Promise<boolean>;
  onWithdraw: () => void;
}

function MessageForm({ isBusy, onSend, onWithdraw }: FormProps) {
  const { words, language } = usePage();
  const own = objectionWordsOf(language);
  const id = useId();
  const [text, setText] = useState('');
  const [asks, setAsks] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && (await onSend(text.trim()))) setText('');
  };
  return (
    <form className="contest-form" noValidate onSubmit={(event) => void send(event)}>
      <div className="field">
        <label htmlFor={id}>{own.message}</label>
        <textarea
          id={id}
          rows={4}
          maxLength={MAX_LETTER}
          value={text}
          aria-describedby={`${id}-below`}
          onChange={({ target }) => setText(target.value)}
        />
        <p id={`${id}-below`} className="hint">
          {words.contest.noCards}
        </p>
      </div>
      <div className="contest-actions">
        <button type="submit" className="button" disabled={isBusy || text.trim() === ''}>
          {own.send}
        </button>
        {asks ? (
          <button type="button" className="button" disabled={isBusy} onClick={onWithdraw}>
            {own.withdrawSure}
          </button>
        ) : (
          <button type="button" className="button quiet" onClick={() => setAsks(true)}>
            {own.withdraw}
          </button>
        )}
      </div>
    </form>
  );
}
