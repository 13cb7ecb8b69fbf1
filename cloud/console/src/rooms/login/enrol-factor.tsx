import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { type Session, sessionApi } from '../../shell/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { CallForm, useCall } from './login-page.tsx';
import { LOGIN } from './login-words.ts';
import { makePasskey } from './passkeys.ts';

interface Props {
  session: Session;
  onSession: (session: Session) => void;
}

/** Sets up the first second factor of a login, and shows the recovery codes that come with it. */
export function EnrolFactor({ session, onSession }: Props) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const { error, isBusy, run } = useCall(onSession);
  const param = { id: session.account.id };

  const finish = () => run(async () => await read(sessionApi.session.$get()));
  const enrolled = async (recoveryCodes: readonly string[] | null) => {
    if (recoveryCodes === null) return await read(sessionApi.session.$get());
    setCodes(recoveryCodes);
    return null;
  };

  if (codes !== null) return <RecoveryCodes codes={codes} onKept={() => void finish()} />;
  if (secret !== null) {
    const confirm = async () => {
      const made = await read(sessionApi.accounts[':id'].totp.confirm.$post({ param, json: { code } }));
      return await enrolled(made.recoveryCodes);
    };
    return (
      <CallForm error={error} onSubmit={() => void run(confirm)}>
        <p>{LOGIN.totpScan}</p>
        <QrCode text={secret.uri} label={LOGIN.totpScan} />
        <code className="secret">{secret.secret}</code>
        <TextField
          label={LOGIN.totpConfirm}
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          autoFocus
        />
        <Button type="submit" look="primary" isPending={isBusy} isDisabled={code.trim().length < 6}>
          {LOGIN.goOn}
        </Button>
      </CallForm>
    );
  }
  const begin = async () => {
    setSecret(await read(sessionApi.accounts[':id'].totp.$post({ param })));
    return null;
  };
  return (
    <CallForm
      error={error}
      onSubmit={() => void run(async () => await enrolled(await makePasskey(param.id, name.trim())))}
    >
      <h2>{LOGIN.enrolTitle}</h2>
      <p>{LOGIN.enrolWhy}</p>
      <TextField label={LOGIN.passkeyName} value={name} onChange={setName} autoFocus />
      <Button type="submit" look="primary" isPending={isBusy} isDisabled={name.trim() === ''}>
        {LOGIN.makePasskey}
      </Button>
      <Button look="quiet" onPress={() => void run(begin)} isDisabled={isBusy}>
        {LOGIN.totpInstead}
      </Button>
    </CallForm>
  );
}

/** Codes that are shown this once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <div className="form">
      <h2>{LOGIN.recoveryTitle}</h2>
      <p>{LOGIN.recoveryWhy}</p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button look="primary" onPress={onKept}>
        {LOGIN.codesKept}
      </Button>
    </div>
  );
}
