import type { accountLoginRoutes } from '@hlid/cloud/people/accounts/account-login-routes';
import { LANGUAGE_NAMES } from '@hlid/protocol/base/language';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components';
import { apiOf, read } from '../../calls/api.ts';
import type { Refusal } from '../../calls/refusal.ts';
import { sayFailure } from '../../calls/refusal-words.ts';
import { endSession, type Session, sessionApi } from '../../shell/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { changeLanguage, LANGUAGE } from '../../words/words.ts';
import { EnrolFactor } from './enrol-factor.tsx';
import { LOGIN } from './login-words.ts';
import { provePasskey } from './passkeys.ts';

const loginApi = apiOf<typeof accountLoginRoutes>();

interface Props {
  /** One that is not open yet. */
  session: Session | null;
  /** Why the one before is over; null: there was none. */
  ended: Refusal | null;
  onSession: (session: Session) => void;
}

/** The login, at whatever address the person came to. */
export function LoginPage(props: Props) {
  const { ended } = props;
  // A person who opens the console for the first time has lost nothing.
  const isLost = ended?.codes.some(({ code }) => code !== 'not-logged-in') ?? false;
  return (
    <main className="login">
      <section className="card">
        <h1>Hlið</h1>
        {isLost && props.session === null && <Ended ended={ended} more={LOGIN.lost} />}
        <LoginForms {...props} />
      </section>
    </main>
  );
}

/** The login over the page of a person with a session that has ended. */
export function LoginAgain(props: Props) {
  return (
    <ModalOverlay className="veil medium" isOpen isKeyboardDismissDisabled>
      <Modal className="modal medium login-again">
        <AriaDialog aria-label={LOGIN.logIn}>
          {props.session === null && <Ended ended={props.ended} more={LOGIN.kept} />}
          <LoginForms {...props} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function Ended({ ended, more }: { ended: Refusal | null; more: string }) {
  const isNamed = ended?.codes.some(({ code }) => code !== 'not-logged-in') ?? false;
  const why = isNamed ? sayFailure(ended) : [LOGIN.over];
  return (
    <div className="notice caution" role="alert">
      {[...why, more].map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

function LoginForms({ session, onSession }: Props) {
  const [isForgotten, setForgotten] = useState(false);
  if (!window.isSecureContext) return <Insecure />;
  return (
    <>
      {session === null &&
        (isForgotten ? (
          <ForgottenForm onBack={() => setForgotten(false)} />
        ) : (
          <PasswordForm onSession={onSession} onForgotten={() => setForgotten(true)} />
        ))}
      {session?.status === 'second-factor' && <FactorForm session={session} onSession={onSession} />}
      {session?.status === 'enrol' && <EnrolFactor session={session} onSession={onSession} />}
      <footer>
        {session !== null && (
          <Button look="quiet" onPress={() => void endSession().finally(() => location.reload())}>
            {LOGIN.other}
          </Button>
        )}
        <LanguageButton />
      </footer>
    </>
  );
}

function LanguageButton() {
  return (
    <Button look="quiet" onPress={() => changeLanguage(LANGUAGE === 'is' ? 'en' : 'is')}>
      {LANGUAGE_NAMES[LANGUAGE === 'is' ? 'en' : 'is']}
    </Button>
  );
}

/** The cookie of a session is kept over https alone, or on the computer itself: without that, a login would come to nothing. */
function Insecure() {
  return (
    <>
      <div className="notice caution" role="alert">
        <h2>{LOGIN.insecure}</h2>
        <p>{LOGIN.insecureWhy}</p>
      </div>
      <footer>
        <LanguageButton />
      </footer>
    </>
  );
}

/** Asks for a link by mail. */
function ForgottenForm({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const { error, isBusy, run } = useCall(() => undefined);
  const send = () =>
    run(async () => {
      await read(
        loginApi.session['forgotten-password'].$post({ json: { email: email.trim(), language: LANGUAGE } }),
      );
      setSent(true);
      return null;
    });
  return (
    <CallForm error={error} onSubmit={() => void send()}>
      <h2>{LOGIN.forgotTitle}</h2>
      {isSent ? (
        <p role="status">{LOGIN.linkSent}</p>
      ) : (
        <>
          <p>{LOGIN.forgotWhy}</p>
          <TextField
            label={LOGIN.email}
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            isRequired
            autoFocus
          />
          <Button type="submit" look="primary" isPending={isBusy} isDisabled={email.trim() === ''}>
            {LOGIN.sendLink}
          </Button>
        </>
      )}
      <Button look="quiet" onPress={onBack}>
        {LOGIN.back}
      </Button>
    </CallForm>
  );
}

/** One call at a time, with its result or its error. */
export function useCall(onSession: (session: Session) => void) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (call: () => Promise<Session | null>) => {
    setBusy(true);
    setError(null);
    try {
      const opened = await call();
      if (opened) onSession(opened);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, run };
}

function PasswordForm({
  onSession,
  onForgotten,
}: {
  onSession: (session: Session) => void;
  onForgotten: () => void;
}) {
  const [id, setId] = useState('');
  const [password, setPassword] = useState('');
  const { error, isBusy, run } = useCall(onSession);
  return (
    <CallForm
      error={error}
      onSubmit={() => run(() => read(sessionApi.session.$post({ json: { id, password } })))}
    >
      <TextField
        label={LOGIN.id}
        name="username"
        autoComplete="username webauthn"
        value={id}
        onChange={setId}
        isRequired
        autoFocus
      />
      <TextField
        label={LOGIN.password}
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isRequired
      />
      <Button type="submit" look="primary" isPending={isBusy}>
        {LOGIN.logIn}
      </Button>
      <Button onPress={() => void run(provePasskey('login'))} isDisabled={isBusy}>
        {LOGIN.byPasskey}
      </Button>
      <Button look="quiet" onPress={onForgotten}>
        {LOGIN.forgot}
      </Button>
    </CallForm>
  );
}

function FactorForm({ session, onSession }: { session: Session; onSession: (session: Session) => void }) {
  const [code, setCode] = useState('');
  const { error, isBusy, run } = useCall(onSession);
  return (
    <CallForm
      error={error}
      onSubmit={() => run(() => read(sessionApi.session.totp.$post({ json: { code } })))}
    >
      <p>{LOGIN.secondFactor({ who: session.email ?? session.account.name })}</p>
      {session.factors.passkeys > 0 && (
        <Button look="primary" onPress={() => void run(provePasskey('login'))} isDisabled={isBusy}>
          {LOGIN.byPasskey}
        </Button>
      )}
      <TextField
        label={LOGIN.code}
        hint={LOGIN.codeHint}
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        isRequired
        autoFocus
      />
      <Button
        type="submit"
        look={session.factors.passkeys > 0 ? 'plain' : 'primary'}
        isPending={isBusy}
        isDisabled={code.trim().length < 6}
      >
        {LOGIN.goOn}
      </Button>
    </CallForm>
  );
}

export function CallForm({
  error,
  children,
  onSubmit,
}: {
  error: unknown;
  children: ReactNode;
  onSubmit: () => void;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className="form" onSubmit={submit} aria-label={LOGIN.logIn}>
      {children}
      <RefusedNotice error={error} />
    </form>
  );
}
