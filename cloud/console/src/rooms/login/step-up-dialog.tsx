import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { type Session, sessionApi } from '../../shell/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { CallForm, useCall } from './login-page.tsx';
import { LOGIN } from './login-words.ts';
import { provePasskey } from './passkeys.ts';

/** Asks for a fresh proof before a call that needs one, which is then sent again. */
export function StepUpDialog({
  session,
  onSession,
  onDone,
}: {
  session: Session;
  onSession: (session: Session) => void;
  onDone: (isProven: boolean) => void;
}) {
  const [typed, setTyped] = useState('');
  const { error, isBusy, run } = useCall((proven) => {
    onSession(proven);
    onDone(true);
  });
  const { passkeys, totp } = session.factors;
  const hasFactor = passkeys > 0 || totp;
  const submit = () =>
    run(() => {
      const json = hasFactor ? { code: typed } : { password: typed };
      return read(sessionApi.session['step-up'].$post({ json }));
    });
  return (
    <Dialog title={LOGIN.stepUpTitle} onClose={() => onDone(false)} isBusy={isBusy}>
      <CallForm error={error} onSubmit={() => void submit()}>
        <p>{LOGIN.stepUpWhy}</p>
        {passkeys > 0 && (
          <Button
            look="primary"
            onPress={() => void run(provePasskey('step-up'))}
            isDisabled={isBusy}
            autoFocus
          >
            {LOGIN.byPasskey}
          </Button>
        )}
        <TextField
          label={hasFactor ? LOGIN.code : LOGIN.password}
          hint={hasFactor ? LOGIN.codeHint : undefined}
          type={hasFactor ? 'text' : 'password'}
          autoComplete={hasFactor ? 'one-time-code' : 'current-password'}
          value={typed}
          onChange={setTyped}
          autoFocus={passkeys === 0}
        />
        <Button
          type="submit"
          look={passkeys > 0 ? 'plain' : 'primary'}
          isPending={isBusy}
          isDisabled={typed.trim() === ''}
        >
          {LOGIN.goOn}
        </Button>
      </CallForm>
    </Dialog>
  );
}
