import { Badge } from '@hlid/ui/badge';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, read } from '../../calls/api.ts';
import { sessionApi, sessionQuery } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { RecoveryCodes } from '../login/enrol-factor.tsx';
import { LOGIN } from '../login/login-words.ts';
import { makePasskey } from '../login/passkeys.ts';
import { ACCOUNT } from './account-words.ts';

const factorApi = sessionApi.accounts[':id'];
const FACTOR_QUERIES = [['factors'], ['sessions'], ['session']] as const;

async function readFactors(id: string) {
  const param = { id };
  const [passkeys, totp] = await Promise.all([
    read(factorApi.passkeys.$get({ param })),
    read(factorApi.totp.$get({ param })),
  ]);
  return { passkeys: passkeys.data, totp: totp.data };
}
type Passkey = Awaited<ReturnType<typeof readFactors>>['passkeys'][number];
type FactorAction = Awaited<ReturnType<typeof readFactors>>['totp'][number]['actions'][number];

type Open =
  | { kind: 'passkey' | 'totp' }
  | { kind: 'rename'; passkey: Passkey }
  | { kind: 'codes'; codes: readonly string[] };

/** Passkeys and codes by time of an account. Only their holder sets them up; others only remove what was lost. */
export function Factors({ accountId, name, isOwn }: { accountId: string; name: string; isOwn: boolean }) {
  const toasts = useToasts();
  const [open, setOpen] = useState<Open | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['factors', accountId],
    queryFn: () => readFactors(accountId),
  });
  const param = { id: accountId };
  const removeTotp = useSubmit(
    (_: null, headers) => answered(factorApi.totp.$delete({ param }, { headers })),
    { invalidates: FACTOR_QUERIES, onDone: () => toasts.done(ACCOUNT.totpRemoved) },
  );
  const newCodes = useSubmit(
    async (_: null, headers) => await read(factorApi['recovery-codes'].$post({ param }, { headers })),
    {
      invalidates: FACTOR_QUERIES,
      onDone: ({ recoveryCodes }) => setOpen({ kind: 'codes', codes: recoveryCodes }),
    },
  );
  if (!data) return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
  const can = (action: FactorAction) => data.totp.some(({ actions }) => actions.includes(action));
  const hasTotp = data.totp.some(({ since }) => since !== null);
  const hasAny = hasTotp || data.passkeys.length > 0;
  const codesLeft = data.totp.reduce((sum, { recoveryCodes }) => sum + recoveryCodes, 0);
  const enrolled = (codes: readonly string[] | null, text: string) => {
    setOpen(codes === null ? null : { kind: 'codes', codes });
    toasts.done(text);
  };
  return (
    <div className="factors">
      <section className="card">
        <h2>{ACCOUNT.passkeys}</h2>
        <PasskeyTable
          accountId={accountId}
          passkeys={data.passkeys}
          onRename={(passkey) => setOpen({ kind: 'rename', passkey })}
        />
        {can('add-passkey') && (
          <Button onPress={() => setOpen({ kind: 'passkey' })}>{ACCOUNT.addPasskey}</Button>
        )}
      </section>
      <section className="card">
        <h2>{ACCOUNT.totp}</h2>
        <p>
          <Badge tone={hasTotp ? 'positive' : 'neutral'}>{hasTotp ? ACCOUNT.totpOn : ACCOUNT.totpOff}</Badge>
        </p>
        {can('add-totp') && <Button onPress={() => setOpen({ kind: 'totp' })}>{ACCOUNT.addTotp}</Button>}
        {can('remove-totp') && (
          <Button
            look="negative"
            isPending={removeTotp.isPending}
            onPress={() => removeTotp.mutate(null, { onError: toasts.failed })}
          >
            {isOwn ? ACCOUNT.removeTotp : ACCOUNT.removeTotpOf({ name })}
          </Button>
        )}
      </section>
      {hasAny && (
        <section className="card">
          <h2>{ACCOUNT.recovery}</h2>
          <p>{ACCOUNT.recoveryLeft({ count: codesLeft })}</p>
          {can('renew-codes') && (
            <Button
              isPending={newCodes.isPending}
              onPress={() => newCodes.mutate(null, { onError: toasts.failed })}
            >
              {ACCOUNT.newRecovery}
            </Button>
          )}
        </section>
      )}
      {open?.kind === 'passkey' && (
        <PasskeyDialog
          accountId={accountId}
          onDone={(codes) => enrolled(codes, ACCOUNT.passkeyAdded)}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'rename' && (
        <RenameDialog accountId={accountId} passkey={open.passkey} onClose={() => setOpen(null)} />
      )}
      {open?.kind === 'totp' && (
        <TotpDialog
          accountId={accountId}
          onDone={(codes) => enrolled(codes, ACCOUNT.totpSet)}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'codes' && (
        <Dialog title={ACCOUNT.recovery} onClose={() => setOpen(null)}>
          <RecoveryCodes codes={open.codes} onKept={() => setOpen(null)} />
        </Dialog>
      )}
    </div>
  );
}

function PasskeyTable({
  accountId,
  passkeys,
  onRename,
}: {
  accountId: string;
  passkeys: readonly Passkey[];
  onRename: (passkey: Passkey) => void;
}) {
  const timeZone = useTimeZone();
  const toasts = useToasts();
  const remove = useSubmit(
    ({ id: passkeyId }: Passkey, headers) =>
      answered(
        factorApi.passkeys[':passkeyId'].$delete({ param: { id: accountId, passkeyId } }, { headers }),
      ),
    { invalidates: FACTOR_QUERIES, onDone: (_, { name }) => toasts.done(ACCOUNT.passkeyRemoved({ name })) },
  );
  if (passkeys.length === 0) return <p className="quiet-text">{ACCOUNT.noPasskeys}</p>;
  return (
    <DataTable
      label={ACCOUNT.passkeys}
      rows={passkeys}
      idOf={({ id }) => id}
      columns={[
        { id: 'name', title: ACCOUNT.name, isWide: true, cell: ({ name }) => name },
        {
          id: 'created',
          title: ACCOUNT.since,
          cell: ({ createdOn }) => <Moment at={createdOn} timeZone={timeZone} />,
        },
        {
          id: 'used',
          title: ACCOUNT.used,
          cell: ({ usedOn }) => (usedOn ? <Moment at={usedOn} timeZone={timeZone} /> : ACCOUNT.neverUsed),
        },
        {
          id: 'act',
          title: COMMON.actions,
          cell: (passkey) => (
            <span className="row-acts">
              {passkey.actions.includes('rename') && (
                <Button look="quiet" onPress={() => onRename(passkey)}>
                  {ACCOUNT.renamePasskey}
                </Button>
              )}
              {passkey.actions.includes('remove') && (
                <Button
                  look="quiet"
                  aria-label={ACCOUNT.removePasskey({ name: passkey.name })}
                  isDisabled={remove.isPending}
                  onPress={() => remove.mutate(passkey, { onError: toasts.failed })}
                >
                  {COMMON.delete}
                </Button>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}

interface EnrolProps {
  accountId: string;
  /** Called with recovery codes, shown this once, for the first second factor. */
  onDone: (codes: readonly string[] | null) => void;
  onClose: () => void;
}

function PasskeyDialog({ accountId, onDone, onClose }: EnrolProps) {
  const [name, setName] = useState('');
  const add = useSubmit(async (named: string) => await makePasskey(accountId, named), {
    invalidates: FACTOR_QUERIES,
    onDone,
  });
  return (
    <FormDialog
      title={ACCOUNT.addPasskey}
      submit={ACCOUNT.addPasskey}
      error={add.error}
      isBusy={add.isPending}
      isReady={name.trim() !== ''}
      onSubmit={() => add.mutate(name.trim())}
      onClose={onClose}
    >
      <TextField label={ACCOUNT.passkeyName} value={name} onChange={setName} autoFocus />
    </FormDialog>
  );
}

function RenameDialog({
  accountId,
  passkey,
  onClose,
}: {
  accountId: string;
  passkey: Passkey;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const queries = useQueryClient();
  const [name, setName] = useState(passkey.name);
  const send = (named: string, headers: Record<string, string> = {}) => {
    const param = { id: accountId, passkeyId: passkey.id };
    return read(factorApi.passkeys[':passkeyId'].$put({ param, json: { name: named } }, { headers }));
  };
  const rename = useSubmit(send, {
    invalidates: FACTOR_QUERIES,
    onDone: () => {
      onClose();
      toasts.done(ACCOUNT.renamed, async () => {
        await send(passkey.name);
        await queries.invalidateQueries({ queryKey: ['factors'] });
      });
    },
  });
  return (
    <FormDialog
      title={ACCOUNT.renamePasskey}
      submit={COMMON.save}
      error={rename.error}
      isBusy={rename.isPending}
      isReady={name.trim() !== '' && name.trim() !== passkey.name}
      onSubmit={() => rename.mutate(name.trim())}
      onClose={onClose}
    >
      <TextField label={ACCOUNT.passkeyName} value={name} onChange={setName} autoFocus />
    </FormDialog>
  );
}

function TotpDialog({ accountId, onDone, onClose }: EnrolProps) {
  const param = { id: accountId };
  const [code, setCode] = useState('');
  const queries = useQueryClient();
  const begin = useQuery({
    queryKey: ['totp-secret', accountId],
    queryFn: async () => await read(factorApi.totp.$post({ param })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const confirm = useSubmit(
    async (typed: string) => await read(factorApi.totp.confirm.$post({ param, json: { code: typed } })),
    {
      invalidates: FACTOR_QUERIES,
      onDone: ({ recoveryCodes }) => {
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
        onDone(recoveryCodes);
      },
    },
  );
  return (
    <FormDialog
      title={ACCOUNT.addTotp}
      submit={LOGIN.goOn}
      error={begin.error ?? confirm.error}
      isBusy={confirm.isPending}
      isReady={begin.data !== undefined && code.trim().length >= 6}
      onSubmit={() => confirm.mutate(code.trim())}
      onClose={onClose}
    >
      {begin.data && (
        <>
          <p>{LOGIN.totpScan}</p>
          <QrCode text={begin.data.uri} label={LOGIN.totpScan} />
          <code className="secret">{begin.data.secret}</code>
        </>
      )}
      <TextField
        label={LOGIN.totpConfirm}
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        autoFocus
      />
    </FormDialog>
  );
}
