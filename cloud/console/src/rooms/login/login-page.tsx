import { type FormEvent, type ReactNode, useState } from 'react';
import { read } from '../../calls/api.ts';
import { endSession, type Session, sessionApi } from '../../shell/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { changeLanguage, LANGUAGE } from '../../words/words.ts';
import { EnrolFactor } from './enrol-factor.tsx';
import { LOGIN } from './login-words.ts';
import { provePasskey } from './passkeys.ts';

/** The login, at whatever address the person came to. @param session one that is not open yet */
export function LoginPage({
  session,
  onSession,
}: {
  session: Session | null;
  onSession: (session: Session) => void;
}) {
  return (
    <main className="login">
      <section className="card">
        <h1>Hlið</h1>
        {session === null && <PasswordForm onSession={onSession} />}
        {session?.status === 'second-factor' && <FactorForm session={session} onSession={onSession} />}
        {session?.status === 'enrol' && <EnrolFactor session={session} onSession={onSession} />}
        <footer>
          {session !== null && (
            <Button look="quiet" onPress={() => void endSession().finally(() => location.reload())}>
              {LOGIN.other}
            </Button>
          )}
          <Button look="quiet" onPress={() => changeLanguage(LANGUAGE === 'is' ? 'en' : 'is')}>
            {LANGUAGE === 'is' ? 'English' : 'Íslenska'}
          </Button>
        </footer>
      </section>
    </main>
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

function PasswordForm({ onSession }: { onSession: (session: Session) => void }) {
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
      <p>{LOGIN.secondFactor(session.email ?? session.account.name)}</p>
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
