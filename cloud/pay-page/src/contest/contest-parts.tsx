import { MAX_LETTER } from '@hlid/protocol/base/limits';
import { isMailAddress } from '@hlid/protocol/base/mail-address';
import type { PayDisputed, PayDue, PayFault } from '@hlid/protocol/pages/pay-api';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { usePay } from '../pay-context.ts';
import { Icon } from '../ui/icon.tsx';
import { TextField } from '../ui/text-field.tsx';
import { noticeText } from '../words/words.ts';
import './contest.css';

/** An older cloud answers without the key of the dispute's own page. */
type Sent = Partial<PayDisputed>;

export function ContestParts({ due }: { due: PayDue }) {
  const { words: pageWords, language } = usePay();
  const words = pageWords.contest;
  const [sent, setSent] = useState<Sent | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { dispute, stay } = due;
  const state = sent === null ? dispute?.state : 'open';
  if (state === 'open' || state === 'other') {
    return (
      <>
        <State text={words.open} answer={null} />
        {sent?.link !== undefined && (
          <a className="button quiet link" href={`${PAY_PATHS.objectionPage}?lang=${language}#${sent.link}`}>
            {words.see}
          </a>
        )}
      </>
    );
  }
  return (
    <>
      {state !== undefined && <State text={words[state]} answer={dispute?.answer ?? null} />}
      {isOpen ? (
        <ContestForm stay={stay.key} onSent={setSent} onCancel={() => setOpen(false)} />
      ) : (
        state !== 'upheld' && (
          <button type="button" className="button quiet link contest" onClick={() => setOpen(true)}>
            {words.contest}
          </button>
        )
      )}
    </>
  );
}

function State({ text, answer }: { text: string; answer: string | null }) {
  return (
    <section className="notice contest-state" data-tone="plain" role="status">
      <Icon name="info" />
      <div>
        <p>{text}</p>
        {answer !== null && <blockquote translate="no">{answer}</blockquote>}
      </div>
    </section>
  );
}

interface ContestFormProps {
  stay: string;
  onSent: (sent: Sent) => void;
  onCancel: () => void;
}

function ContestForm({ stay, onSent, onCancel }: ContestFormProps) {
  const { cloud, language, words: pageWords } = usePay();
  const words = pageWords.contest;
  const id = useId();
  const [text, setText] = useState('');
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<{ at: 'text' | 'email' | 'call'; text: string } | null>(null);
  const [isSending, setSending] = useState(false);
  const calls = useRef<AbortController | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    return () => calls.current?.abort();
  }, []);
  const failed = (fault: PayFault | null) =>
    setProblem({
      at: 'call',
      text: fault === 'disputed' ? words.closed : noticeText(fault ?? 'failed', pageWords),
    });
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const reason = text.trim();
    if (reason === '') return setProblem({ at: 'text', text: words.needsText });
    if (!isMailAddress(email)) return setProblem({ at: 'email', text: pageWords.paid.wrong });
    setProblem(null);
    setSending(true);
    calls.current = new AbortController();
    const answer = await cloud.contest({ stay, text: reason, email, language }, calls.current.signal);
    setSending(false);
    if (answer.kind === 'ok') onSent(answer.value);
    else failed(answer.kind === 'refused' ? answer.fault : null);
  };
  const textProblem = problem?.at === 'text' ? problem.text : null;
  return (
    <form className="contest-form" noValidate onSubmit={(event) => void send(event)}>
      <h2>{words.contest}</h2>
      <p className="hint">{words.lead}</p>
      <div className="field">
        <label htmlFor={id}>{words.text}</label>
        <textarea
          id={id}
          ref={field}
          rows={4}
          maxLength={MAX_LETTER}
          value={text}
          aria-invalid={textProblem !== null}
          aria-describedby={`${id}-below`}
          onChange={({ target }) => setText(target.value)}
        />
        <p id={`${id}-below`} className={textProblem === null ? 'hint' : 'mistake'}>
          {textProblem !== null && <Icon name="alert" />}
          {textProblem ?? words.noCards}
        </p>
      </div>
      <TextField
        label={pageWords.paid.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        value={email}
        hint={words.emailHint}
        mistake={problem?.at === 'email' ? problem.text : undefined}
        onText={setEmail}
      />
      <div role="status">{problem?.at === 'call' && <p className="mistake">{problem.text}</p>}</div>
      <div className="contest-actions">
        <button type="submit" className="button" disabled={isSending}>
          {words.send}
        </button>
        <button type="button" className="button quiet" onClick={onCancel}>
          {pageWords.pay.cancel}
        </button>
      </div>
    </form>
  );
}
